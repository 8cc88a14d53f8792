// Parses a list uploaded from the dashboard, in a separate process: the form, the file, and the response to the page.
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { checkList, type ListQuestion, type ListWorld } from "../lists/list-check.ts";
import { listFault, MOST_COLUMNS } from "../lists/table.ts";
import { AppError } from "../core/errors.ts";
import type { FileJob } from "../core/file-job.ts";
import { nullable, oneOf } from "../core/schema.ts";
import { faultyRowsCsv, listView } from "./campaign-list.ts";

const column = Type.Integer({ minimum: 0, maximum: MOST_COLUMNS - 1 });
const Mapping = Type.Object({
  number: nullable(column),
  name: nullable(column),
  email: nullable(column),
  language: nullable(column),
  info: Type.Record(Type.String({ pattern: "^[\\s\\S]{1,64}$" }), column, { maxProperties: 25 }),
});
/** How to interpret the list; omitted settings are guessed. */
const Asked = Type.Object({
  agent_id: Type.String({ minLength: 1, maxLength: 64 }),
  has_headings: Type.Optional(Type.Boolean()),
  country: Type.Optional(nullable(oneOf(["IN", "US"]))),
  mapping: Type.Optional(Mapping),
});
export type AskedOfList = Static<typeof Asked>;

/** A form with `asked` (JSON) and the list: `file` for an upload, or `text` for pasted text. */
export interface SentList {
  bytes: Uint8Array;
  contentType: string;
  /** The whole list as JSON, or its rejected rows as CSV. */
  wanted: "view" | "faulty";
}

/** `bytes`: the response body. */
export const listJob: FileJob<SentList, { bytes: Uint8Array; rows: number }, ListWorld> = {
  name: "list",
  async run({ bytes, contentType, wanted }, world) {
    const list = await checkList(await questionIn(bytes, contentType), world);
    const body = wanted === "view" ? JSON.stringify(listView(list)) : faultyRowsCsv(list);
    return { bytes: new TextEncoder().encode(body), rows: list.rows.length };
  },
};

async function questionIn(body: Uint8Array, contentType: string): Promise<ListQuestion> {
  const form = await formOf(body, contentType);
  const asked = askedIn(form.get("asked"));
  const [file, text] = [form.get("file"), form.get("text")];
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : await bytesOf(file);
  return {
    bytes,
    isPasted: typeof text === "string",
    agentId: asked.agent_id,
    hasHeadings: asked.has_headings,
    country: asked.country,
    mapping: asked.mapping,
  };
}

async function formOf(body: Uint8Array, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
  } catch {
    throw new AppError("VALIDATION_ERROR", "The form is broken. Choose the list again.");
  }
}

async function bytesOf(file: unknown): Promise<Uint8Array> {
  if (!(file instanceof Blob)) throw listFault("Choose a file, or paste the rows.");
  return file.bytes();
}

function askedIn(field: unknown): AskedOfList {
  const asked = parsed(field);
  if (Value.Check(Asked, asked)) return asked;
  throw new AppError("VALIDATION_ERROR", "The list was not sent as this page sends it. Reload the page.");
}

function parsed(field: unknown): unknown {
  try {
    return typeof field === "string" && !field.includes(String.raw`\u0000`) ? JSON.parse(field) : null;
  } catch {
    return null;
  }
}
