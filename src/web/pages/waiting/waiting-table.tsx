// Table of the waiting list: person, time, wish, and the current offer.
import type { ComponentChildren } from "preact";
import type { Waiting } from "../../../waiting-list/model.ts";
import { Badge, Button } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
import { Table } from "../../kit/table.tsx";
import { formatDate, formatShortTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { said } from "../../words.ts";
import { branchName, serviceName, type Directory } from "../calendar/calendar-context.ts";
import { sessionName } from "../calendar/words.ts";

const words = said.waiting;

export type WaitingTask = { do: "call" | "change" | "remove"; entry: Waiting };

export const whomOf = ({ contact_name, contact_number }: Waiting): string => contact_name ?? contact_number;

interface WaitingTableProps {
  rows: readonly Waiting[];
  directory: Directory;
  onTask: (task: WaitingTask) => void;
  /** The entry whose call is being requested. */
  busyId: string | null;
}

export function WaitingTable({ rows, directory, onTask, busyId }: WaitingTableProps) {
  const may = useMay("staff");
  const { organisation } = useSession();
  const button = (task: WaitingTask["do"], entry: Waiting, text: string) => (
    <Button
      kind="quiet"
      disabled={entry.status === "offered" && task !== "remove"}
      busy={busyId === entry.waiting_id && task === "call"}
      aria-label={words.actionFor(text, whomOf(entry))}
      onClick={() => onTask({ do: task, entry })}
      label={text}
    />
  );
  return (
    <Table
      label={words.title}
      class="waiting-table settings-table"
      narrow="cards"
      rows={rows}
      keyOf={({ waiting_id }) => waiting_id}
      columns={[
        [
          words.who,
          ({ contact_name, contact_number }) => (
            <TwoLines first={contact_name ?? words.noName} second={<Phone number={contact_number} />} />
          ),
          { isRowHead: true },
        ],
        [words.wants, (entry) => <TwoLines first={wantsOf(entry, directory)} second={whenOf(entry)} />],
        [words.now, (entry) => <NowOf entry={entry} />, "cell-now"],
        [words.since, ({ created_at }) => formatShortTime(created_at, organisation.time_zone), "cell-since"],
        may && [
          words.actions,
          (entry) => (
            <div class="actions">
              {button("call", entry, words.callNow)}
              {button("change", entry, words.change)}
              {button("remove", entry, words.remove)}
            </div>
          ),
          { class: "cell-row-actions", isTitleHidden: true },
        ],
      ]}
    />
  );
}

function TwoLines({ first, second }: { first: string; second: ComponentChildren }) {
  return (
    <>
      {first}
      <br />
      <span class="note">{second}</span>
    </>
  );
}

function wantsOf({ branch_id, appointment_type_id }: Waiting, { branches, services }: Directory): string {
  const branch = branches.find((each) => each.branch_id === branch_id);
  const service = appointment_type_id === null ? words.anyService : serviceName(services, appointment_type_id);
  return [...(branch ? [branchName(branch)] : []), service].join(" · ");
}

function whenOf({ from, to, sessions }: Waiting): string {
  const times = sessions.length === 0 ? words.anyTime : sessions.map(sessionName).join(", ");
  return `${words.dates(formatDate(from), formatDate(to))} · ${times}`;
}

function NowOf({ entry }: { entry: Waiting }) {
  const { last_offer: offer, agent_id } = entry;
  const when = offer && `${formatDate(offer.date)}, ${offer.start_time}`;
  if (entry.status === "offered" && offer) {
    return (
      <>
        <Badge state="in_progress" text={words.calling} />
        <br />
        <a class="note" href={`/dashboard/calls/${offer.call_id}`}>
          {words.offered(when ?? "")}
        </a>
      </>
    );
  }
  return (
    <>
      <Badge state="queued" text={words.waits} />
      {agent_id === null && <p class="note">{words.noAgent}</p>}
      {offer && <p class="note">{words.last(when ?? "", words.outcomes[offer.status] ?? offer.status)}</p>}
    </>
  );
}
