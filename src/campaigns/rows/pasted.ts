// What somebody pasted: rows of a spreadsheet, or numbers as they come, one a line or several.
import { looksLikeNumber } from "./complete-number.ts";
import { readDelimited } from "./delimited.ts";
import { addRow, type InSteps, type Table, type TableRow } from "./table.ts";

export function* readPasted(text: string): InSteps<Table> {
  const table = yield* readDelimited(text);
  const isNumbersAlone = table.every(({ cells }) => cells.every((cell) => cell === "" || looksLikeNumber(cell)));
  if (!isNumbersAlone || table.every(({ cells }) => cells.length === 1)) return table;
  const rows: TableRow[] = [];
  for (const cell of table.flatMap(({ cells }) => cells)) addRow(rows, rows.length + 1, [cell]);
  return rows;
}
