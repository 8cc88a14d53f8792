// The list itself: a table on a desk, a stack of cards on a phone.
import { useLocation } from "preact-iso";
import { Badge, Button } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
import type { CallListRow } from "../../../dashboard/call-page.ts";
import { formatDuration, formatShortTime } from "../../format.ts";
import { common, said } from "../../words.ts";
import { SimulatedBadge } from "./simulated-badge.tsx";
import { contactText, isWaiting, outcomeText, stateText, waitingText } from "./call-words.ts";
import { CALLS_PATH } from "./filters.ts";
import { callWork } from "./words.ts";

const words = said.calls.callTable;

const COLUMNS = ["time", "contact", "number", "agent", "state", "outcome"] as const;

interface TableProps {
  rows: CallListRow[];
  zone: string;
  busy: boolean;
  /** Absent for those who may not. */
  onCancel?: ((row: CallListRow) => void) | undefined;
  /** Calls that are chosen for an act on many; absent for those who may not. */
  chosen?: { ids: ReadonlySet<string>; onChosen: (ids: ReadonlySet<string>) => void } | undefined;
}

// Roles are said outright: on a phone the rows are laid out as cards, and a browser may then forget that it is a table.
export function CallTable({ rows, zone, busy, onCancel, chosen }: TableProps) {
  return (
    <table class="calls-table card-table" role="table" aria-busy={busy}>
      <caption class="visually-hidden">{words.caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {chosen && <ChooseAll rows={rows} {...chosen} />}
          {COLUMNS.map((name) => (
            <th key={name} role="columnheader" scope="col" class={`cell-${name}`}>
              {words[name]}
            </th>
          ))}
          <th role="columnheader" scope="col" class="number cell-duration">
            {words.duration}
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <Row key={row.call_id} row={row} zone={zone} onCancel={onCancel} chosen={chosen} />
        ))}
      </tbody>
    </table>
  );
}

type Chosen = NonNullable<TableProps["chosen"]>;

function ChooseAll({ rows, ids, onChosen }: Chosen & { rows: CallListRow[] }) {
  const chosenHere = rows.filter(({ call_id }) => ids.has(call_id)).length;
  const isAll = rows.length > 0 && chosenHere === rows.length;
  return (
    <th role="columnheader" scope="col" class="cell-choose">
      <label class="choose">
        <input
          type="checkbox"
          aria-label={callWork.selectAll}
          checked={isAll}
          ref={(box) => void (box && (box.indeterminate = chosenHere > 0 && !isAll))}
          onChange={() => onChosen(isAll ? new Set() : new Set([...ids, ...rows.map(({ call_id }) => call_id)]))}
        />
      </label>
    </th>
  );
}

function Choose({ row, ids, onChosen }: Chosen & { row: CallListRow }) {
  const isChosen = ids.has(row.call_id);
  const others = [...ids].filter((id) => id !== row.call_id);
  return (
    <td role="cell" class="cell-choose">
      <label class="choose">
        <input
          type="checkbox"
          aria-label={callWork.selectOne(row.contact_name ?? row.contact_number)}
          checked={isChosen}
          onChange={() => onChosen(new Set(isChosen ? others : [...others, row.call_id]))}
        />
      </label>
    </td>
  );
}

type RowProps = Pick<TableProps, "zone" | "onCancel" | "chosen"> & { row: CallListRow };

function Row({ row, zone, onCancel, chosen }: RowProps) {
  const { route } = useLocation();
  const address = `${CALLS_PATH}/${row.call_id}`;
  const waiting = waitingText(row, zone);
  const outcome = outcomeText(row);
  const contact = row.contact_name ?? row.contact_number;
  const openRow = (event: MouseEvent) => {
    const isOnControl = event.target instanceof Element && event.target.closest("a,button,label") !== null;
    if (!isOnControl && getSelection()?.isCollapsed !== false) route(address);
  };
  return (
    <tr role="row" class="call-row" onClick={openRow}>
      {chosen && <Choose row={row} {...chosen} />}
      <td role="cell" class="cell-time">
        {formatShortTime(row.call_triggered_at ?? row.scheduled_at, zone)}
        {row.call_triggered_at === null && <span class="visually-hidden"> {words.planned}</span>}
      </td>
      <td role="cell" class="cell-contact" title={contactText(row)}>
        <a href={address}>{contactText(row)}</a>
        {row.call_direction === "inbound" && <small>{words.incoming}</small>}
      </td>
      <td role="cell" class="cell-number">
        <Phone number={row.contact_number} />
      </td>
      <td role="cell" class="cell-agent" title={row.agent_name}>
        {row.agent_name}
      </td>
      <td role="cell" class="cell-state" title={waiting ?? undefined}>
        <Badge state={row.status} text={stateText(row.status)} />
        {row.simulated && <SimulatedBadge />}
        {waiting !== null && <small>{waiting}</small>}
      </td>
      <td role="cell" class={`cell-outcome ${outcome === null ? "none" : ""}`} title={outcome ?? undefined}>
        {outcome ?? "–"}
      </td>
      {onCancel && isWaiting(row.status) ? (
        <td role="cell" class="number cell-duration cell-row-actions">
          <Button
            kind="quiet"
            aria-label={words.cancelOf(contact)}
            onClick={() => onCancel(row)}
            label={common.cancel}
          />
        </td>
      ) : (
        <td role="cell" class={`number cell-duration ${row.call_duration_seconds === null ? "none" : ""}`}>
          {formatDuration(row.call_duration_seconds)}
        </td>
      )}
    </tr>
  );
}
