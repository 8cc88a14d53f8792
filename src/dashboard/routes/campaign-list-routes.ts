// A list of people on its way to become a campaign: looked at and checked. Nothing is made and nothing kept.
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { Elysia } from "elysia";
import type { ListCheck, ListQuestion } from "../../campaigns/list-check.ts";
import { listFault, MOST_COLUMNS, MOST_LIST_BYTES } from "../../campaigns/rows/table.ts";
import { AppError } from "../../core/errors.ts";
import { nullable, oneOf } from "../../core/schema.ts";
import { faultyRowsCsv, listView } from "../campaign-list.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface CampaignListRouteDeps {
  guard: SessionGuard;
  listCheck: ListCheck;
}

const column = Type.Integer({ minimum: 0, maximum: MOST_COLUMNS - 1 });
const Mapping = Type.Object({
  number: nullable(column),
  name: nullable(column),
  email: nullable(column),
  language: nullable(column),
  info: Type.Record(Type.String({ pattern: "^[\\s\\S]{1,64}$" }), column, { maxProperties: 25 }),
});
/** What to make of the list; what is left out is guessed. */
const Asked = Type.Object({
  agent_id: Type.String({ minLength: 1, maxLength: 64 }),
  has_headings: Type.Optional(Type.Boolean()),
  country: Type.Optional(nullable(oneOf(["IN", "US"]))),
  mapping: Type.Optional(Mapping),
});
export type AskedOfList = Static<typeof Asked>;

/** Beside the list itself. */
const MOST_FORM_BYTES = 64 * 1024;
const UPLOAD = {
  role: "staff",
  mostBytes: MOST_LIST_BYTES + MOST_FORM_BYTES,
  types: ["multipart/form-data"],
} as const;

export function campaignListRoutes({ guard, listCheck }: CampaignListRouteDeps) {
  return (
    new Elysia({ name: "dashboard-campaign-list" })
      .use(guard)
      // A form with `asked` (JSON) and the list: `file` as it is, or `text` as it was pasted.
      .post(
        "/dashboard/api/campaigns/list",
        async ({ session, actor, request, body }) =>
          listView(await listCheck.check(session.organisationId, await questionIn(request, body), actor)),
        { upload: UPLOAD },
      )
      .post(
        "/dashboard/api/campaigns/list/faulty.csv",
        async ({ session, actor, request, body }) => {
          const list = await listCheck.check(session.organisationId, await questionIn(request, body), actor);
          return new Response(faultyRowsCsv(list), {
            headers: { "content-type": "text/csv; charset=utf-8", "cache-control": "no-store" },
          });
        },
        { upload: UPLOAD },
      )
  );
}

async function questionIn(request: Request, body: unknown): Promise<ListQuestion> {
  const form = await formOf(request, body instanceof Uint8Array ? body : new Uint8Array());
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

async function formOf(request: Request, body: Uint8Array): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  try {
    return await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
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
