// The two texts of a person's file: JSON for programs, and a page for people. Both are written row by row, and yield to
// other work every few milliseconds.
import { createTurns, toIso } from "../core/clock.ts";
import { html, type Html } from "../core/html.ts";
import type { StoredRow } from "./person-file-store.ts";

/** A row with the rows that belong to it. */
export interface FileRow {
  row: StoredRow;
  parts: Readonly<Record<string, readonly StoredRow[]>>;
}

export interface FileSection {
  name: string;
  rows: AsyncGenerator<FileRow, void>;
}

interface About {
  number: string;
  made_at: string;
}

const encoder = new TextEncoder();
/** Characters per chunk: each chunk is a hop to the thread that compresses it. */
const CHUNK_CHARACTERS = 32 * 1024;
/** The recording is in the archive under the call's id. */
export const FILE_NAMES = ["recording_file", "capture_file"];
const TIMES = /(?:^|_)at$|^until$|^until_at$/;
/** Milliseconds of a time after 2001. */
const LEAST_TIME = 1e12;

/** Times as ISO 8601, JSON text as values, without the names of files on the disk. */
export function readable(row: StoredRow): StoredRow {
  const shown = Object.entries(row).filter(([name, value]) => value !== null && !FILE_NAMES.includes(name));
  const hasCapture = typeof row["capture_file"] === "string";
  return {
    ...Object.fromEntries(shown.map(([name, value]) => [name, valueOf(name, value)])),
    // The recording is in the archive, the capture is not.
    ...(hasCapture && { has_packet_capture: true }),
  };
}

function valueOf(name: string, value: unknown): unknown {
  const number = typeof value === "bigint" ? Number(value) : value;
  if (typeof number === "number") return TIMES.test(name) && number >= LEAST_TIME ? toIso(number) : number;
  if (typeof value !== "string" || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    // Text that begins with a bracket.
    return value;
  }
}

const nested = ({ row, parts }: FileRow): StoredRow => ({
  ...readable(row),
  ...Object.fromEntries(
    Object.entries(parts).flatMap(([name, rows]) => (rows.length > 0 ? [[name, rows.map(readable)]] : [])),
  ),
});

/** Joins texts into chunks of bytes. */
async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const turn = createTurns();
  let text = "";
  for await (const part of texts) {
    text += part;
    if (text.length >= CHUNK_CHARACTERS) {
      yield encoder.encode(text);
      text = "";
    }
    await turn();
  }
  if (text !== "") yield encoder.encode(text);
}

export const jsonOf = (about: About, sections: AsyncIterable<FileSection>): AsyncGenerator<Uint8Array> =>
  inChunks(jsonTexts(about, sections));

async function* jsonTexts(about: About, sections: AsyncIterable<FileSection>): AsyncGenerator<string> {
  yield JSON.stringify(about).slice(0, -1);
  for await (const { name, rows } of sections) {
    yield `,\n${JSON.stringify(name)}:[`;
    let separator = "\n";
    for await (const row of rows) {
      yield separator + JSON.stringify(nested(row));
      separator = ",\n";
    }
    yield "]";
  }
  yield "}\n";
}

const STYLE =
  "body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;margin:0 0 1.5rem;width:100%}" +
  "th,td{border:1px solid #bbb;padding:.25rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}th{width:14rem;font-weight:600}";

export const htmlOf = (about: About, sections: AsyncIterable<FileSection>): AsyncGenerator<Uint8Array> =>
  inChunks(htmlTexts(about, sections));

async function* htmlTexts(about: About, sections: AsyncIterable<FileSection>): AsyncGenerator<string> {
  const text = (part: Html) => `${part.text}\n`;
  yield (
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">` +
      `<title>Personal data</title><style>${STYLE}</style>\n`
  );
  yield text(
    html`<h1>Everything stored about ${about.number}</h1>
      <p>
        Made at ${about.made_at}. The same data for programs is in person.json; recordings are in the folder recordings.
      </p>`,
  );
  for await (const { name, rows } of sections) {
    yield text(html`<h2>${titleOf(name)}</h2>`);
    let count = 0;
    for await (const { row, parts } of rows) {
      count++;
      yield text(html`${tableOf(readable(row), `${titleOf(name)} ${count}`)}`);
      for (const [part, found] of Object.entries(parts))
        for (const each of found)
          yield text(html`${tableOf(readable(each), `${titleOf(name)} ${count}: ${titleOf(part)}`)}`);
    }
    if (count === 0) yield text(html`<p>None.</p>`);
  }
  yield "</html>\n";
}

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

function tableOf(row: StoredRow, caption: string): Html {
  const lines = Object.entries(row).map(
    ([name, value]) =>
      html`<tr>
        <th>${titleOf(name)}</th>
        <td>${cellOf(value)}</td>
      </tr>`,
  );
  return html`<table>
    <caption>
      ${caption}
    </caption>
    ${lines}
  </table>`;
}

/** Lists, such as a transcript, have a line for each item. */
function cellOf(value: unknown): Html {
  if (Array.isArray(value)) return html`${value.map((item) => html`<div>${cellOf(item)}</div>`)}`;
  if (typeof value === "object" && value !== null)
    return html`${Object.entries(value).map(([name, each]) => html`<div>${titleOf(name)}: ${cellOf(each)}</div>`)}`;
  return html`${String(value)}`;
}
