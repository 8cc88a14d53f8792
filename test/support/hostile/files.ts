// Small files that expand to large ones. Each of them once blocked the appliance for seconds or expanded from kilobytes
// to a gigabyte.
import { sheetOf, workbookOf } from "../workbook.ts";

const MEGABYTE = 1_000_000;

const rowsOf = (rows: number, columns: number, cell: string) =>
  Array.from({ length: rows }, (_, row) => `<row r="${row + 1}">${cell.repeat(columns)}</row>`).join("");

/** One text of a megabyte, named by so many cells. */
export const oneTextNamedOften = (rows: number, columns: number): Uint8Array =>
  workbookOf(rowsOf(rows, columns, '<c t="s"><v>0</v></c>'), {
    "xl/sharedstrings.xml": `<sst><si><t>${"x".repeat(MEGABYTE)}</t></si></sst>`,
  });

export const formatOfBrackets = (): Uint8Array =>
  workbookOf(sheetOf([["number"], ["+919876543210"]]), {
    "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${"[".repeat(120_000)}"/></numFmts></styleSheet>`,
  });

export const emptyCells = (): Uint8Array => workbookOf(rowsOf(1, 9_900_000, "<c/>"));

export const commas = (): Uint8Array => new Uint8Array(10 * 1024 * 1024 - 1_000).fill(0x2c);

/** Chunks of no length, and never any audio. */
export function junkChunks(count: number): Uint8Array {
  const bytes = Buffer.alloc(12 + count * 8, "junk\0\0\0\0", "latin1");
  bytes.write("RIFF\0\0\0\0WAVE", 0, "latin1");
  return bytes;
}

/** As many as a file may hold, each of them every year since 1900. */
export const yearlyHolidays = (events: number): Uint8Array =>
  new TextEncoder().encode(
    `BEGIN:VCALENDAR\n${"BEGIN:VEVENT\nDTSTART:19000101\nRRULE:FREQ=YEARLY\nSUMMARY:New Year\nEND:VEVENT\n".repeat(events)}END:VCALENDAR\n`,
  );
