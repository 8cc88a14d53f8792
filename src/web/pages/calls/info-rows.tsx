// Additional information of a new call: name and value pairs, with a row for each placeholder of the agent.
import { Button } from "../../kit/parts.tsx";
import { MOST_INFO_ROWS, newInfoRow, type InfoRow } from "./draft.ts";
import { said } from "../../words.ts";

const words = said.calls.infoRows;

export function InfoRows({
  rows,
  error,
  onRows,
}: {
  rows: InfoRow[];
  error: string | undefined;
  onRows: (rows: InfoRow[]) => void;
}) {
  const change = (id: number, part: Partial<InfoRow>) =>
    onRows(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  return (
    <fieldset class={`info-rows field ${error === undefined ? "" : "wrong"}`} aria-describedby="info-rows-note">
      <legend class="label">{words.title}</legend>
      {rows.map(({ id, key, value }, index) => (
        <div key={id} class="info-row">
          <input
            aria-label={words.key(index + 1)}
            placeholder={words.namePlaceholder}
            maxLength={64}
            autoComplete="off"
            value={key}
            onInput={(event) => change(id, { key: event.currentTarget.value })}
          />
          <input
            aria-label={words.value(index + 1, key)}
            placeholder={words.valuePlaceholder}
            autoComplete="off"
            value={value}
            onInput={(event) => change(id, { value: event.currentTarget.value })}
          />
          <Button
            kind="quiet"
            aria-label={words.remove(index + 1, key)}
            onClick={() => onRows(rows.filter((row) => row.id !== id))}
            label="×"
          />
        </div>
      ))}
      <p class="note" id="info-rows-note" role={error === undefined ? undefined : "alert"}>
        {error ?? words.hint(MOST_INFO_ROWS)}
      </p>
      <Button
        disabled={rows.length >= MOST_INFO_ROWS}
        onClick={() => onRows([...rows, newInfoRow()])}
        label={words.add}
      />
    </fieldset>
  );
}
