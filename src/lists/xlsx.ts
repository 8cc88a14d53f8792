// Reads the first sheet of an XLSX workbook (ECMA-376) as a table: shared and inline text, numbers with all digits,
// dates. A library would be larger than the whole campaigns folder, because it includes formulas, styles and writing.
import { cutCell, listFault, LONGEST_CELL, RowCells, TableRows, type Table } from "./table.ts";
import { decodeText } from "./text.ts";
import { dateStylesOf, textOfDate } from "./xlsx-dates.ts";
import { readXml, type XmlReader } from "./xml.ts";
import { openArchive, type Archive } from "./zip.ts";

export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Unpacked parts of a workbook that a table needs. */
export interface Workbook {
  sheet: string;
  sharedStrings: string | null;
  styles: string | null;
  countsFrom1904: boolean;
}

export async function openWorkbook(bytes: Uint8Array): Promise<Workbook> {
  const archive = openArchive(bytes);
  if (archive.has("content.xml")) throw listFault("This is an OpenDocument file. Save it as CSV or XLSX.");
  const book = await partOf(archive, "xl/workbook.xml");
  if (book === null) throw listFault("This archive is no XLSX workbook. Choose a CSV or XLSX file.");
  const { relation, countsFrom1904 } = firstSheet(book);
  const relations = await partOf(archive, "xl/_rels/workbook.xml.rels");
  const path = relations === null ? null : targetOf(relations, relation);
  const sheet = await partOf(archive, path ?? "xl/worksheets/sheet1.xml");
  if (sheet === null) throw listFault("The workbook has no sheet that can be read.");
  return {
    sheet,
    countsFrom1904,
    sharedStrings: await partOf(archive, "xl/sharedstrings.xml"),
    styles: await partOf(archive, "xl/styles.xml"),
  };
}

async function partOf(archive: Archive, name: string): Promise<string | null> {
  const bytes = await archive.read(name);
  return bytes === null ? null : decodeText(bytes).replace(/^\ufeff/, "");
}

/** The first visible sheet. */
function firstSheet(book: string): { relation: string | null; countsFrom1904: boolean } {
  const xml = readXml(book);
  let relation: string | null = null;
  let countsFrom1904 = false;
  while (xml.next()) {
    if (xml.kind !== "open") continue;
    if (xml.name === "workbookPr") countsFrom1904 = /^(?:1|true)$/.test(xml.attribute("date1904") ?? "");
    if (xml.name === "sheet" && (xml.attribute("state") ?? "visible") === "visible") relation ??= xml.attribute("id");
  }
  return { relation, countsFrom1904 };
}

/** Names in an archive are case-insensitive, as on Windows. */
function targetOf(relations: string, id: string | null): string | null {
  const xml = readXml(relations);
  while (xml.next()) {
    if (xml.kind !== "open" || xml.name !== "Relationship" || xml.attribute("Id") !== id) continue;
    const target = (xml.attribute("Target") ?? "").toLowerCase();
    return target.startsWith("/") ? target.slice(1) : `xl/${target}`;
  }
  return null;
}

export function readSheet(book: Workbook): Table {
  const strings = book.sharedStrings === null ? [] : sharedStringsOf(book.sharedStrings);
  const dateStyles = book.styles === null ? new Set<number>() : dateStylesOf(book.styles);
  const table = new TableRows();
  const xml = readXml(book.sheet);
  let at = 0;
  while (xml.next()) {
    if (xml.kind !== "open" || xml.name !== "row") continue;
    at = Number(xml.attribute("r") ?? at + 1);
    if (!xml.isEmpty) table.add(at, cellsOf(xml, at, { strings, dateStyles, book }));
  }
  return table.rows;
}

function sharedStringsOf(part: string): string[] {
  const xml = readXml(part);
  const strings: string[] = [];
  while (xml.next()) {
    if (xml.kind !== "open" || xml.name !== "si") continue;
    strings.push(xml.isEmpty ? "" : textWithin(xml, "si"));
  }
  return strings;
}

interface SheetContext {
  strings: readonly string[];
  dateStyles: ReadonlySet<number>;
  book: Workbook;
}

function cellsOf(xml: XmlReader, row: number, context: SheetContext): readonly string[] {
  const record = new RowCells(row);
  let column = 0;
  while (xml.next() && !(xml.kind === "close" && xml.name === "row")) {
    if (xml.kind !== "open" || xml.name !== "c") continue;
    column = columnOf(xml.attribute("r")) ?? column + 1;
    record.put(column, xml.isEmpty ? "" : cellText(xml, context));
  }
  return record.cells;
}

const [LETTERS, MOST_LETTERS, TO_UPPER_CASE] = [26, 3, ~0x20];

/** AB12 → 28 */
function columnOf(reference: string | null): number | null {
  let column = 0;
  for (let at = 0; at < MOST_LETTERS && reference !== null; at++) {
    const letter = (reference.charCodeAt(at) & TO_UPPER_CASE) - 64;
    if (!(letter >= 1 && letter <= LETTERS)) break;
    column = column * LETTERS + letter;
  }
  return column === 0 ? null : column;
}

function cellText(xml: XmlReader, { strings, dateStyles, book }: SheetContext): string {
  const type = xml.attribute("t") ?? "n";
  const style = Number(xml.attribute("s") ?? 0);
  let value = "";
  while (xml.next() && !(xml.kind === "close" && xml.name === "c")) {
    if (xml.kind !== "open" || xml.isEmpty) continue;
    if (xml.name === "v" || xml.name === "is") value = textWithin(xml, xml.name);
  }
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type !== "n" || value.trim() === "") return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  if (dateStyles.has(style)) return textOfDate(number, book.countsFrom1904);
  // Floating-point results such as 0.30000000000000004 are rounded to the 15 digits that a spreadsheet shows.
  return Number.isInteger(number) ? BigInt(number).toString() : String(Number(number.toPrecision(15)));
}

/** Text up to the closing tag of `name`, without phonetic hints, cut at the limit of a cell. */
function textWithin(xml: XmlReader, name: string): string {
  let text = "";
  let isPronunciation = false;
  while (xml.next() && !(xml.kind === "close" && xml.name === name)) {
    if (xml.kind !== "text" && xml.name === "rPh") isPronunciation = xml.kind === "open" && !xml.isEmpty;
    else if (xml.kind === "text" && !isPronunciation && text.length <= LONGEST_CELL) text += xml.text();
  }
  if (!text.includes("_")) return cutCell(text);
  return cutCell(text).replaceAll(/_x([\da-f]{4})_/gi, (whole, hex: string) =>
    // NUL is not valid text.
    hex === "0000" ? whole : String.fromCharCode(parseInt(hex, 16)),
  );
}
