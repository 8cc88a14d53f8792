// Reads pasted text: rows of a spreadsheet, or plain numbers, one or several per line.
import { looksLikeNumber } from "./complete-number.ts";
import { readDelimited } from "./delimited.ts";
import { TableRows, type Table } from "./table.ts";

export function readPasted(text: string): Table {
  const table = readDelimited(text);
  const isNumbersAlone = table.every(({ cells }) => cells.every((cell) => cell === "" || looksLikeNumber(cell)));
  if (!isNumbersAlone || table.every(({ cells }) => cells.length === 1)) return table;
  const numbers = new TableRows();
  for (const cell of table.flatMap(({ cells }) => cells)) numbers.add(numbers.rows.length + 1, [cell]);
  return numbers.rows;
}
