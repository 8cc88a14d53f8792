// Parses delivered files in a separate process: their rows for the appliance, the file of faults for the hospital, and
// a sample for the person who maps the columns. Rows leave as a JSON line each, so that the serving process parses them
// one by one.
import type { FileJob } from "../../../core/file-job.ts";
import { csvLine } from "../../../core/csv-line.ts";
import { callRow, isCallable } from "../../../lists/checked-rows.ts";
import { checkTable, type CheckedList, type ListGround, type ListWorld } from "../../../lists/list-check.ts";
import { sentForm } from "../../../lists/sent-form.ts";
import { readList } from "../../../lists/read-list.ts";
import { isError } from "../../../lists/row-faults.ts";
import { letterOf, type Table } from "../../../lists/table.ts";
import { checkedFolderSettings } from "../checked-settings.ts";
import type { FolderSettings } from "../settings.ts";
import { appointmentRows, type Surroundings } from "./appointment-rows.ts";
import { columnsIn, guessColumns, type ColumnsAt } from "./columns.ts";
import { orderOf } from "./written-time.ts";

export interface SentFile {
  bytes: Uint8Array;
  settings: FolderSettings;
}
/** `bytes`: the lines. */
export interface ReadLines {
  bytes: Uint8Array;
  rows: number;
}

/** A line is a ReadRow. */
export const appointmentsJob: FileJob<SentFile & { around: Surroundings }, ReadLines> = {
  name: "source appointments",
  async run({ bytes, settings, around }) {
    const rows = appointmentRows(columnsIn(await readList(bytes, false), settings), settings, around);
    return linesOf(rows);
  },
};

export interface PersonRow {
  at: number;
  /** As a campaign takes it. */
  row: ReturnType<typeof callRow> | null;
  fault: string | null;
}

/** A line is a PersonRow. */
export const peopleJob: FileJob<SentFile, ReadLines, ListWorld> = {
  name: "source people",
  async run({ bytes, settings }, world) {
    const ground = await world.ground(settings.agent_id ?? "");
    return linesOf(peopleIn(await checkedPeople(await readList(bytes, false), settings, ground, world)));
  },
};

function checkedPeople(table: Table, settings: FolderSettings, ground: ListGround, world: ListWorld) {
  const { at } = columnsIn(table, settings);
  const question = {
    agentId: settings.agent_id ?? "",
    hasHeadings: settings.has_headings !== false,
    country: settings.country,
    mapping: mappingOf(at),
  };
  return checkTable(table, question, ground, world);
}

const INFO = "info.";

function mappingOf(at: ColumnsAt): CheckedList["mapping"] {
  const place = (field: string) => at[field] ?? null;
  const named = (fields: readonly string[]) =>
    Object.fromEntries(fields.flatMap((field) => (at[field] === undefined ? [] : [[field, at[field]] as const])));
  const info = Object.entries(at).filter(([field]) => field.startsWith(INFO));
  return {
    number: place("number"),
    name: place("name"),
    email: place("email"),
    language: place("language"),
    time_zone: place("time_zone"),
    region: place("region"),
    identifiers: named(["mrn", "abha", "abha_address"]),
    info: Object.fromEntries(info.map(([field, index]) => [field.slice(INFO.length), index])),
  };
}

const peopleIn = ({ rows }: CheckedList): PersonRow[] =>
  rows.map((row) =>
    isCallable(row)
      ? { at: row.at, row: callRow(row), fault: null }
      : {
          at: row.at,
          row: null,
          fault: row.faults
            .filter(isError)
            .map(({ message }) => message)
            .join(" "),
        },
  );

function linesOf(rows: readonly object[]): ReadLines {
  return { bytes: new TextEncoder().encode(rows.map((row) => `${JSON.stringify(row)}\n`).join("")), rows: rows.length };
}

/** `faults`: row number and reason. */
export interface AskedFaults extends SentFile {
  faults: readonly (readonly [number, string])[];
}

/** The rows at fault as they came, with their number and the reason. The corrected file can be delivered again. */
export const faultsJob: FileJob<AskedFaults, { bytes: Uint8Array }> = {
  name: "source faults",
  async run({ bytes, settings, faults }) {
    const table = await readList(bytes, false);
    const reasons = new Map(faults);
    const width = table.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
    const [first] = settings.has_headings === false ? [] : table;
    const headings = Array.from({ length: width }, (_, index) => first?.cells[index] ?? (first ? "" : letterOf(index)));
    const lines = table.flatMap(({ at, cells }) => {
      const reason = reasons.get(at);
      return reason === undefined ? [] : [csvLine([...headings.map((_, index) => cells[index] ?? ""), at, reason])];
    });
    return { bytes: faultFile(headings, lines) };
  },
};

/** Excel needs the byte order mark to read Hindi as UTF-8. */
export const faultFile = (headings: readonly string[], lines: readonly string[]): Uint8Array =>
  new TextEncoder().encode(`\ufeff${csvLine([...headings, "Row", "Why it was not taken"])}${lines.join("")}`);

const EXAMPLES_SHOWN = 3;
const LONGEST_EXAMPLE = 60;
const FAULTS_SHOWN = 20;

/** `contentType`: the bytes are a form with the file, and with settings that differ from the given ones. */
export interface SentSample extends SentFile {
  around: Surroundings;
  contentType: string | null;
}

async function sampleIn({ bytes, settings, contentType }: SentSample): Promise<SentFile> {
  if (contentType === null) return { bytes, settings };
  const form = await sentForm(bytes, contentType);
  return { bytes: form.bytes, settings: checkedFolderSettings({ ...settings, ...(form.asked as object | null) }) };
}

/** `bytes`: a SampleView as JSON. */
export const sampleJob: FileJob<SentSample, ReadLines, ListWorld> = {
  name: "source sample",
  async run(sent, world) {
    const { around } = sent;
    const { bytes, settings } = await sampleIn(sent);
    const table = await readList(bytes, false);
    const { columns, ...unmapped } = settings;
    const { headings, rows } = columnsIn(table, unmapped);
    const ground = settings.list === "people" ? await world.ground(settings.agent_id ?? "") : null;
    const guess = columns ?? guessColumns(headings, settings.list);
    const order = dateOrderOf(rows, headings, guess);
    const read = { ...settings, columns: guess, ...(order && { date_order: settings.date_order ?? order }) };
    const people = ground && (await checkedPeople(table, read, ground, world));
    const found = people ? peopleIn(people) : appointmentRows(columnsIn(table, read), read, around);
    const faults = found.flatMap(({ at, fault }) => (fault === null ? [] : [{ row: at, message: fault }]));
    const width = table.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
    const view: SampleView = {
      columns: Array.from({ length: width }, (_, index) => ({
        /** As the settings name it. */
        name: headings.length > 0 ? (headings[index]?.trim() ?? "") : letterOf(index),
        examples: examplesOf(rows, index),
      })).filter(({ name }) => name !== ""),
      guess,
      date_order: read.date_order ?? "dmy",
      placeholders: people?.placeholders ?? [],
      row_count: rows.length,
      fault_count: faults.length,
      faults: faults.slice(0, FAULTS_SHOWN),
    };
    return { bytes: new TextEncoder().encode(JSON.stringify(view)), rows: rows.length };
  },
};

export interface SampleView {
  columns: { name: string; examples: string[] }[];
  guess: Record<string, string>;
  date_order: NonNullable<FolderSettings["date_order"]>;
  placeholders: readonly string[];
  row_count: number;
  fault_count: number;
  faults: { row: number; message: string }[];
}

function dateOrderOf(rows: Table, headings: readonly string[], { date }: Readonly<Record<string, string>>) {
  const index = date === undefined ? -1 : headings.findIndex((heading) => heading.trim() === date);
  return index < 0 ? null : orderOf(rows.map(({ cells }) => cells[index] ?? ""));
}

function examplesOf(rows: Table, index: number): string[] {
  const examples: string[] = [];
  for (const { cells } of rows) {
    const text = cells[index]?.trim() ?? "";
    if (text !== "") examples.push(text.slice(0, LONGEST_EXAMPLE));
    if (examples.length === EXAMPLES_SHOWN) break;
  }
  return examples;
}
