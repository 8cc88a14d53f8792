// A table. If there is no room for its columns, it scrolls sideways or shows each row as a card.
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";

interface ColumnOptions<Row> {
  /** Class of the column's title and its cells. */
  class?: string;
  /** Additional classes of a single cell. */
  classOf?: (row: Row) => string;
  /** The cell is the row header. */
  isRowHead?: boolean;
  /** The title is only for screen readers, as in a column of buttons. */
  isTitleHidden?: boolean;
  /** Full text of a cell that may be truncated. */
  fullText?: (row: Row) => string | undefined;
  foot?: ComponentChildren;
}

/** A string instead of options is a class. */
export type Column<Row> = readonly [
  title: ComponentChildren,
  cell: (row: Row) => ComponentChildren,
  options?: string | ColumnOptions<Row>,
];

interface TableProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** False and undefined are columns that this person may not see. */
  columns: readonly (Column<Row> | false | undefined)[];
  narrow?: "scroll" | "cards" | "both";
  class?: string;
  rowClass?: string;
  /** Target of a click on the row, in addition to the link in it. */
  hrefOf?: (row: Row) => string;
  busy?: boolean;
  hasCaption?: boolean;
}

// Roles are explicit, because browsers drop the table semantics of rows laid out as cards.
export function Table<Row>({ label, rows, keyOf, columns, narrow = "scroll", ...look }: TableProps<Row>) {
  const { route } = useLocation();
  const { hrefOf, busy, hasCaption = false } = look;
  const scrolls = narrow !== "cards";
  const shown = columns
    .filter((column) => column !== false && column !== undefined)
    .map(([title, cell, options = {}]) => ({
      title,
      cell,
      ...(typeof options === "string" ? { class: options } : options),
    }));
  const open = (row: Row) => (event: MouseEvent) => {
    const isOnControl = event.target instanceof Element && event.target.closest("a,button,label") !== null;
    if (hrefOf && !isOnControl && getSelection()?.isCollapsed !== false) route(hrefOf(row));
  };
  const table = (
    <table
      class={[look.class, narrow !== "scroll" && "card-table", hrefOf && "leading"].filter(Boolean).join(" ")}
      role="table"
      aria-label={scrolls ? undefined : label}
      aria-busy={busy}
    >
      {hasCaption && <caption>{label}</caption>}
      <thead role="rowgroup">
        <tr role="row">
          {shown.map(({ title, isTitleHidden, class: kind }, index) => (
            <th key={index} role="columnheader" scope="col" class={kind}>
              {isTitleHidden ? <span class="visually-hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row" class={look.rowClass} onClick={hrefOf && open(row)}>
            {shown.map(({ cell, isRowHead = false, fullText, class: kind = "", classOf }, index) => {
              const Cell = isRowHead ? "th" : "td";
              const role = isRowHead ? ({ role: "rowheader", scope: "row" } as const) : ({ role: "cell" } as const);
              return (
                <Cell
                  key={index}
                  {...role}
                  class={`${kind} ${classOf?.(row) ?? ""}`.trim() || undefined}
                  title={fullText?.(row)}
                >
                  {cell(row)}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
      {shown.some(({ foot }) => foot !== undefined) && (
        <tfoot role="rowgroup">
          <tr role="row">
            {shown.map(({ foot, isRowHead, class: kind }, index) =>
              isRowHead ? (
                <th key={index} role="rowheader" scope="row">
                  {foot}
                </th>
              ) : (
                <td key={index} role="cell" class={kind}>
                  {foot}
                </td>
              ),
            )}
          </tr>
        </tfoot>
      )}
    </table>
  );
  if (!scrolls) return table;
  return (
    <div class="table-wrap" tabIndex={0} role="region" aria-label={label}>
      {table}
    </div>
  );
}
