// Contact routes. A phone number never appears in a URL: the search text is sent in the body, and a person's page is
// identified by an opaque id.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { ContactNotes } from "../../calls/people/contact-notes.ts";
import type { DoNotDisturbService } from "../../calls/people/do-not-disturb.ts";
import { nameText } from "../../core/names.ts";
import { oneOf } from "../../core/schema.ts";
import { CONSENT_BASES } from "../../payloads/consent.ts";
import { PURPOSES } from "../../payloads/lawful.ts";
import { LONGEST_REFERENCE } from "../../rules/consent/model.ts";
import type { ConsentService } from "../../rules/consent/service.ts";
import type { Erasure } from "../../calls/life/erasure.ts";
import type { Renaming } from "../../rights/renaming.ts";
import { createContactPage, type ContactPageDeps } from "../contact-page.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface ContactRouteDeps extends ContactPageDeps {
  guard: SessionGuard;
  contactNotes: ContactNotes;
  erasure: Erasure;
  doNotDisturb: DoNotDisturbService;
  consents: ConsentService;
  renaming: Renaming;
}

const NewConsent = Type.Object({
  purpose: oneOf(PURPOSES),
  basis: oneOf(CONSENT_BASES),
  granted_on: Type.Optional(Type.String({ maxLength: 10 })),
  until: Type.Optional(Type.String({ maxLength: 10 })),
  reference: Type.Optional(nameText(LONGEST_REFERENCE)),
});
/** As the page shows them, so that somebody who changed meanwhile is refused. */
const ShownPerson = Type.Object({
  names: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 250 }),
  identifiers: Type.Array(
    Type.Object({ system: Type.String({ maxLength: 500 }), value: Type.String({ maxLength: 500 }) }),
    { maxItems: 250 },
  ),
});
const contactId = Type.Object({ contact_id: Type.String({ maxLength: 64 }) });

export function contactRoutes(deps: ContactRouteDeps) {
  const { guard, contacts, contactNotes, consents, doNotDisturb, erasure, renaming } = deps;
  const pageOf = createContactPage(deps);
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
        pageOf(organisationId, await contacts.numberOf(organisationId, params.contact_id), actor),
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
      "/dashboard/api/contacts/:contact_id/consents",
      async ({ session: { organisationId }, actor, params, body }) => {
        const number = await contacts.numberOf(organisationId, params.contact_id);
        const { purpose, basis, granted_on: grantedOn = null, until: untilDay = null, reference = null } = body;
        await consents.record(organisationId, { number, purpose, basis, grantedOn, untilDay, reference }, actor);
        return { ok: true };
      },
      { role: "staff", params: contactId, body: NewConsent },
    )
    .post(
      "/dashboard/api/contacts/:contact_id/consents/withdraw",
      async ({ session: { organisationId }, actor, params, body }) => {
        const contact_number = await contacts.numberOf(organisationId, params.contact_id);
        await consents.withdrawFor(organisationId, { contact_number, ...body }, actor);
        return { ok: true };
      },
      { role: "staff", params: contactId, body: Type.Object({ purpose: Type.Optional(oneOf(PURPOSES)) }) },
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
      "/dashboard/api/contacts/:contact_id/rename",
      async ({ session: { organisationId }, actor, params, body: { person, name } }) => {
        const number = await contacts.numberOf(organisationId, params.contact_id);
        return renaming.rename(organisationId, number, person, name, actor);
      },
      { role: "staff", params: contactId, body: Type.Object({ person: ShownPerson, name: nameText(200) }) },
    )
    .post(
      "/dashboard/api/contacts/:contact_id/merge",
      async ({ session: { organisationId }, actor, params, body: { person, into } }) => {
        const number = await contacts.numberOf(organisationId, params.contact_id);
        return renaming.merge(organisationId, number, person, into, actor);
      },
      { role: "staff", params: contactId, body: Type.Object({ person: ShownPerson, into: ShownPerson }) },
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
