// Card with an editable list of rows, such as an agent's analysis fields or its approved answers.
import type { ComponentChildren } from "preact";
import { Button, Card, Problem } from "../../kit/parts.tsx";
import { fieldsOf, type Fields } from "../../kit/fields-of.ts";

interface RowWords {
  title: string;
  note: string;
  add: string;
  none: string;
  remove: string;
}

interface RowListProps<Row extends { key: number }> {
  words: RowWords;
  rows: readonly Row[];
  most: number;
  onRows: (rows: Row[]) => void;
  fresh: (rows: readonly Row[]) => Row;
  /** Name of the field in errors of the server, including nested ones. */
  field: string;
  faults: Record<string, string>;
  disabled: boolean;
  /** Above the rows. */
  before?: ComponentChildren;
  children: (row: Row, index: number, at: Fields<Row>["at"]) => RowParts;
}

interface RowParts {
  /** Name of the row for screen readers and on its button. */
  legend: string;
  name: string;
  class?: string;
  fields: ComponentChildren;
  /** After the button. */
  more?: ComponentChildren;
}

export function RowList<Row extends { key: number }>(props: RowListProps<Row>) {
  const { words, rows, most, onRows, fresh, field, faults, disabled, before, children } = props;
  const fault = Object.entries(faults).find(([name]) => name.startsWith(field))?.[1];
  const adding = !disabled && (
    <Button disabled={rows.length >= most} onClick={() => onRows([...rows, fresh(rows)])} label={words.add} />
  );
  const change = (key: number) => (values: Partial<Row>) =>
    onRows(rows.map((row) => (row.key === key ? { ...row, ...values } : row)));
  const remove = (key: number) => onRows(rows.filter((row) => row.key !== key));
  return (
    <Card title={words.title} actions={adding}>
      <p class="note">{words.note}</p>
      {before}
      <Problem text={fault ?? null} />
      {rows.length === 0 ? (
        <p class="note">{words.none}</p>
      ) : (
        <ul class="rows">
          {rows.map((row, index) => {
            const parts = children(row, index, fieldsOf(row, change(row.key)).at);
            return (
              <li key={row.key}>
                <fieldset class={`analysis-field ${parts.class ?? ""}`} disabled={disabled}>
                  <legend class="visually-hidden">{parts.legend}</legend>
                  {parts.fields}
                  {!disabled && (
                    <Button
                      kind="quiet"
                      onClick={() => remove(row.key)}
                      label={
                        <>
                          {words.remove} <span class="visually-hidden">{parts.name}</span>
                        </>
                      }
                    />
                  )}
                  {parts.more}
                </fieldset>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
