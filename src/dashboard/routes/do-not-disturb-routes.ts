// The do-not-disturb list: search, add, import, remove, export.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Actor } from "../../core/actor.ts";
import type { DoNotDisturbService } from "../../calls/people/do-not-disturb.ts";
import { csvLine } from "../../core/csv-line.ts";
import { csvResponse } from "../../http/csv.ts";
import { searchText } from "../call-page.ts";
import { importNumbers } from "../number-import.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface DoNotDisturbRouteDeps {
  guard: SessionGuard;
  doNotDisturb: DoNotDisturbService;
}

const text = (maxLength: number) => Type.String({ maxLength });
const PER_PAGE = 50;
const PER_EXPORTED_PAGE = 2_000;

export function doNotDisturbRoutes({ guard, doNotDisturb }: DoNotDisturbRouteDeps) {
  async function* exported(organisationId: string, actor: Actor): AsyncGenerator<string, void> {
    // Sent with the first page, which follows after the audit entry is written.
    let head = csvLine(["number", "added_at", "source", "call_id"]);
    for await (const page of doNotDisturb.pages(organisationId, PER_EXPORTED_PAGE, actor)) {
      yield (
        head +
          page.map(({ number, added_at, source, call_id }) => csvLine([number, added_at, source, call_id])).join("")
      );
      head = "";
    }
  }

  return new Elysia({ name: "dashboard-do-not-disturb" })
    .use(guard)
    .get(
      "/dashboard/api/do-not-disturb",
      async ({ session: { organisationId }, actor, query }) => {
        const digits = searchText(query.search ?? "").replaceAll(/\D/g, "");
        const search = digits === "" ? undefined : digits;
        const question = { organisationId, search, after: query.cursor, limit: PER_PAGE + 1 };
        const rows = await doNotDisturb.page(question, actor);
        const page = rows.slice(0, PER_PAGE);
        return {
          data: page,
          next_cursor: rows.length > PER_PAGE ? (page.at(-1)?.number ?? null) : null,
          total: await doNotDisturb.count(organisationId),
        };
      },
      { role: "viewer", query: Type.Object({ search: Type.Optional(text(40)), cursor: Type.Optional(text(40)) }) },
    )
    .get(
      "/dashboard/api/do-not-disturb/export",
      ({ session, actor }) => csvResponse("do-not-disturb.csv", exported(session.organisationId, actor)),
      { role: "viewer" },
    )
    .post(
      "/dashboard/api/do-not-disturb",
      ({ session, actor, body }) => importNumbers(doNotDisturb, session.organisationId, body.numbers, actor),
      { role: "staff", body: Type.Object({ numbers: Type.Array(text(40), { minItems: 1, maxItems: 1_000 }) }) },
    )
    .delete(
      "/dashboard/api/do-not-disturb/:number",
      async ({ session, actor, params }) => {
        await doNotDisturb.remove(session.organisationId, params.number, actor);
        return { ok: true };
      },
      { role: "staff", params: Type.Object({ number: text(20) }) },
    );
}
