// Parses a list uploaded from the dashboard, in a separate process: the form, the file, and the response to the page.
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { checkList, type ListQuestion, type ListWorld } from "../lists/list-check.ts";
import { sentForm } from "../lists/sent-form.ts";
import { MOST_COLUMNS } from "../lists/table.ts";
import { AppError } from "../core/errors.ts";
import type { FileJob } from "../core/file-job.ts";
import { nullable, oneOf } from "../core/schema.ts";
import { identifierSystem, MOST_IDENTIFIERS } from "../payloads/identifiers.ts";
import { faultyRowsCsv, listView } from "./campaign-list.ts";

const column = Type.Integer({ minimum: 0, maximum: MOST_COLUMNS - 1 });
const Mapping = Type.Object({
  number: nullable(column),
  name: nullable(column),
  email: nullable(column),
  language: nullable(column),
  time_zone: nullable(column),
  region: nullable(column),
  identifiers: Type.Optional(Type.Record(identifierSystem(), column, { maxProperties: MOST_IDENTIFIERS })),
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
  const { bytes, isPasted, asked: sent } = await sentForm(body, contentType);
  const asked = askedIn(sent);
  return {
    bytes,
    isPasted,
    agentId: asked.agent_id,
    hasHeadings: asked.has_headings,
    country: asked.country,
    mapping: asked.mapping,
  };
}

function askedIn(asked: unknown): AskedOfList {
  if (Value.Check(Asked, asked)) return asked;
  throw new AppError("VALIDATION_ERROR", "The list was not sent as this page sends it. Reload the page.");
}
