// Who waits, since when, for what, and what is being offered to them now.
import type { Waiting } from "../../../waiting-list/model.ts";
import { Badge, Button } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
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
  /** Of whoever is being called by this click. */
  busyId: string | null;
}

export function WaitingTable({ rows, directory, onTask, busyId }: WaitingTableProps) {
  const may = useMay("staff");
  return (
    <div class="settings-table">
      <table class="waiting-table card-table" role="table" aria-label={words.title}>
        <thead role="rowgroup">
          <tr role="row">
            {[words.who, words.wants, words.now, words.since].map((title) => (
              <th key={title} role="columnheader" scope="col">
                {title}
              </th>
            ))}
            {may && (
              <th role="columnheader" scope="col">
                <span class="visually-hidden">{words.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((entry) => (
            <WaitingRow
              key={entry.waiting_id}
              entry={entry}
              directory={directory}
              onTask={onTask}
              isBusy={busyId === entry.waiting_id}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface WaitingRowProps extends Pick<WaitingTableProps, "directory" | "onTask"> {
  entry: Waiting;
  isBusy: boolean;
}

function WaitingRow({ entry, directory, onTask, isBusy }: WaitingRowProps) {
  const may = useMay("staff");
  const { organisation } = useSession();
  const whom = whomOf(entry);
  const isOffered = entry.status === "offered";
  const button = (task: WaitingTask["do"], text: string) => (
    <Button
      kind="quiet"
      disabled={isOffered && task !== "remove"}
      busy={isBusy && task === "call"}
      aria-label={words.actionFor(text, whom)}
      onClick={() => onTask({ do: task, entry })}
      label={text}
    />
  );
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        {entry.contact_name ?? words.noName}
        <br />
        <span class="note">
          <Phone number={entry.contact_number} />
        </span>
      </th>
      <td role="cell">
        {wantsOf(entry, directory)}
        <br />
        <span class="note">{whenOf(entry)}</span>
      </td>
      <td role="cell" class="cell-now">
        <NowOf entry={entry} />
      </td>
      <td role="cell" class="cell-since">
        {formatShortTime(entry.created_at, organisation.time_zone)}
      </td>
      {may && (
        <td role="cell" class="cell-row-actions">
          <div class="actions">
            {button("call", words.callNow)}
            {button("change", words.change)}
            {button("remove", words.remove)}
          </div>
        </td>
      )}
    </tr>
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
