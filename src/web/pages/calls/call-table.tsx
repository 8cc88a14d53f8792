// The call list: a table on a desktop, cards on a phone.
import { Badge, Button } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
import { Table } from "../../kit/table.tsx";
import type { CallListRow } from "../../../dashboard/call-page.ts";
import { formatDuration, formatShortTime } from "../../format.ts";
import { common, said } from "../../words.ts";
import { SimulatedBadge } from "./simulated-badge.tsx";
import { contactText, isWaiting, outcomeText, stateText, waitingText } from "./call-words.ts";
import { CALLS_PATH } from "./filters.ts";
import { callWork } from "./words.ts";

const words = said.calls.callTable;

interface TableProps {
  rows: CallListRow[];
  zone: string;
  busy: boolean;
  /** Absent for viewers. */
  onCancel?: ((row: CallListRow) => void) | undefined;
  /** Calls selected for a bulk action; absent for viewers. */
  chosen?: { ids: ReadonlySet<string>; onChosen: (ids: ReadonlySet<string>) => void } | undefined;
}

export function CallTable({ rows, zone, busy, onCancel, chosen }: TableProps) {
  return (
    <Table
      label={words.caption}
      class="calls-table"
      rowClass="call-row"
      narrow="cards"
      busy={busy}
      rows={rows}
      keyOf={({ call_id }) => call_id}
      hrefOf={addressOf}
      columns={[
        chosen && [<ChooseAll rows={rows} {...chosen} />, (row) => <Choose row={row} {...chosen} />, "cell-choose"],
        [words.time, (row) => <Time row={row} zone={zone} />, "cell-time"],
        [words.contact, (row) => <Contact row={row} />, { class: "cell-contact", fullText: contactText }],
        [words.number, ({ contact_number }) => <Phone number={contact_number} />, "cell-number"],
        [words.agent, agentOf, { class: "cell-agent", fullText: agentOf }],
        [
          words.state,
          (row) => <State row={row} zone={zone} />,
          { class: "cell-state", fullText: (row) => waitingText(row, zone) ?? undefined },
        ],
        [
          words.outcome,
          (row) => outcomeText(row) ?? "–",
          {
            class: "cell-outcome",
            classOf: (row) => (outcomeText(row) === null ? "none" : ""),
            fullText: (row) => outcomeText(row) ?? undefined,
          },
        ],
        [
          words.duration,
          (row) =>
            onCancel && isWaiting(row.status) ? (
              <Button
                kind="quiet"
                aria-label={words.cancelOf(row.contact_name ?? row.contact_number)}
                onClick={() => onCancel(row)}
                label={common.cancel}
              />
            ) : (
              formatDuration(row.call_duration_seconds)
            ),
          {
            class: "number cell-duration",
            classOf: ({ status, call_duration_seconds }) =>
              onCancel && isWaiting(status) ? "cell-row-actions" : call_duration_seconds === null ? "none" : "",
          },
        ],
      ]}
    />
  );
}

const addressOf = ({ call_id }: CallListRow) => `${CALLS_PATH}/${call_id}`;
const agentOf = ({ agent_name }: CallListRow) => agent_name;

interface CellProps {
  row: CallListRow;
  zone: string;
}

function Time({ row: { call_triggered_at, scheduled_at }, zone }: CellProps) {
  return (
    <>
      {formatShortTime(call_triggered_at ?? scheduled_at, zone)}
      {call_triggered_at === null && <span class="visually-hidden"> {words.planned}</span>}
    </>
  );
}

function Contact({ row }: { row: CallListRow }) {
  return (
    <>
      <a href={addressOf(row)}>{contactText(row)}</a>
      {row.call_direction === "inbound" && <small>{words.incoming}</small>}
    </>
  );
}

function State({ row, zone }: CellProps) {
  const waiting = waitingText(row, zone);
  return (
    <>
      <Badge state={row.status} text={stateText(row.status)} />
      {row.simulated && <SimulatedBadge />}
      {waiting !== null && <small>{waiting}</small>}
    </>
  );
}

type Chosen = NonNullable<TableProps["chosen"]>;

function ChooseAll({ rows, ids, onChosen }: Chosen & { rows: CallListRow[] }) {
  const chosenHere = rows.filter(({ call_id }) => ids.has(call_id)).length;
  const isAll = rows.length > 0 && chosenHere === rows.length;
  return (
    <label class="choose">
      <input
        type="checkbox"
        aria-label={callWork.selectAll}
        checked={isAll}
        ref={(box) => void (box && (box.indeterminate = chosenHere > 0 && !isAll))}
        onChange={() => onChosen(isAll ? new Set() : new Set([...ids, ...rows.map(({ call_id }) => call_id)]))}
      />
    </label>
  );
}

function Choose({ row, ids, onChosen }: Chosen & { row: CallListRow }) {
  const isChosen = ids.has(row.call_id);
  const others = [...ids].filter((id) => id !== row.call_id);
  return (
    <label class="choose">
      <input
        type="checkbox"
        aria-label={callWork.selectOne(row.contact_name ?? row.contact_number)}
        checked={isChosen}
        onChange={() => onChosen(new Set(isChosen ? others : [...others, row.call_id]))}
      />
    </label>
  );
}
