// Contact routes. A phone number never appears in a URL: the search text is sent in the body, and a person's page is
// identified by an opaque id.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { DoNotDisturbService } from "../../calls/people/do-not-disturb.ts";
import type { Erasure } from "../../calls/life/erasure.ts";
import { createContactPage, type ContactPageDeps } from "../contact-page.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface ContactRouteDeps extends ContactPageDeps {
  guard: SessionGuard;
  erasure: Erasure;
  doNotDisturb: DoNotDisturbService;
}

const contactId = Type.Object({ contact_id: Type.String({ maxLength: 64 }) });

export function contactRoutes(deps: ContactRouteDeps) {
  const { guard, contactNotes, doNotDisturb, erasure } = deps;
  const contacts = createContactPage(deps);
  return new Elysia({ name: "dashboard-contacts" })
    .use(guard)
    .post(
      "/dashboard/api/contacts/search",
      ({ session, actor, body }) => contacts.search(session.organisationId, body.text, actor),
      { role: "viewer", body: Type.Object({ text: Type.String({ maxLength: 100 }) }) },
    )
    .get(
      "/dashboard/api/contacts/:contact_id",
      async ({ session: { organisationId }, actor, params }) =>
        contacts.one(organisationId, await contacts.numberOf(organisationId, params.contact_id), actor),
      { role: "viewer", params: contactId },
    )
    .put(
      "/dashboard/api/contacts/:contact_id/do-not-disturb",
      async ({ session: { organisationId }, actor, params, body }) => {
        const number = await contacts.numberOf(organisationId, params.contact_id);
        if (body.on) await doNotDisturb.add(organisationId, number, actor);
        else await doNotDisturb.remove(organisationId, number, actor);
        return { ok: true };
      },
      { role: "staff", params: contactId, body: Type.Object({ on: Type.Boolean() }) },
    )
    .post(
      "/dashboard/api/contacts/:contact_id/notes",
      async ({ session: { organisationId, personId }, actor, params, body }) => {
        const number = await contacts.numberOf(organisationId, params.contact_id);
        await contactNotes.add(organisationId, number, body.text, personId, actor);
        return { ok: true };
      },
      {
        role: "staff",
        params: contactId,
        body: Type.Object({ text: Type.String({ minLength: 1, maxLength: 2_000 }) }),
      },
    )
    .delete(
      "/dashboard/api/contacts/:contact_id/notes/:note_id",
      async ({ session: { organisationId, role }, actor, params }) => {
        const number = await contacts.numberOf(organisationId, params.contact_id);
        await contactNotes.remove(organisationId, number, params.note_id, role === "owner", actor);
        return { ok: true };
      },
      {
        role: "staff",
        params: Type.Object({ ...contactId.properties, note_id: Type.String({ maxLength: 64 }) }),
      },
    )
    .post(
      "/dashboard/api/contacts/:contact_id/erase",
      async ({ session: { organisationId }, actor, params }) => {
        const number = await contacts.numberOf(organisationId, params.contact_id);
        return { calls: await erasure.eraseContact(organisationId, number, actor) };
      },
      { role: "owner", params: contactId },
    );
}
