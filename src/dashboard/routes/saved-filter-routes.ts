// Saved filters of the call list, per person.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { SavedFilters } from "../saved-filters.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface SavedFilterRouteDeps {
  guard: SessionGuard;
  savedFilters: SavedFilters;
}

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
/** The search text is not saved: it would outlive the erasure of the person it names. */
const filters = Type.Object(
  {
    status: text(20),
    agent_id: text(64),
    outcome: text(64),
    campaign_id: text(64),
    from: text(10),
    to: text(10),
    planned: text(10),
    planned_from: text(10),
    planned_to: text(10),
  },
  { additionalProperties: false },
);

export function savedFilterRoutes({ guard, savedFilters }: SavedFilterRouteDeps) {
  return new Elysia({ name: "dashboard-saved-filters" })
    .use(guard)
    .get("/dashboard/api/call-filters", ({ session }) => savedFilters.list(session), { role: "viewer" })
    .post(
      "/dashboard/api/call-filters",
      async ({ session, body }) => ({ id: await savedFilters.save(session, body.name.trim(), body.filters) }),
      { role: "viewer", body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 60 }), filters }) },
    )
    .delete(
      "/dashboard/api/call-filters/:id",
      async ({ session, params }) => {
        await savedFilters.remove(session, params.id);
        return { ok: true };
      },
      { role: "viewer", params: Type.Object({ id: Type.String({ maxLength: 64 }) }) },
    );
}
