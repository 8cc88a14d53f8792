// Reads a list of people from uploaded bytes. The content decides the format; file names are unreliable.
import { readDelimited } from "./delimited.ts";
import { readPasted } from "./pasted.ts";
import { listFault, MOST_LIST_BYTES, type Table } from "./table.ts";
import { decodeText } from "./text.ts";
import { openWorkbook, readSheet } from "./xlsx.ts";

export async function readList(bytes: Uint8Array, isPasted: boolean): Promise<Table> {
  if (bytes.byteLength > MOST_LIST_BYTES)
    throw listFault(`The list is larger than ${MOST_LIST_BYTES / 1024 / 1024} MB. Split it.`);
  const table = await tableIn(bytes, isPasted);
  if (table.length === 0) throw listFault("The list is empty.");
  return table;
}

async function tableIn(bytes: Uint8Array, isPasted: boolean): Promise<Table> {
  if (isPasted) return readPasted(withoutMark(decodeText(bytes)));
  if (beginsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return readSheet(await openWorkbook(bytes));
  // Old workbooks and password-protected ones share this container format.
  if (beginsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    throw listFault(
      "This workbook is an old .xls file or locked with a password. Save it as XLSX without a password, or as CSV.",
    );
  if (beginsWith(bytes, [0x25, 0x50, 0x44, 0x46])) throw listFault("This is a PDF. Choose a CSV or XLSX file.");
  return readDelimited(withoutMark(decodeText(bytes)));
}

const beginsWith = (bytes: Uint8Array, signature: readonly number[]) =>
  signature.every((byte, index) => bytes[index] === byte);

const withoutMark = (text: string) => (text.startsWith("\ufeff") ? text.slice(1) : text);
