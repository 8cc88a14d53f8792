// A person's page: what is known of a contact, with rows of the call list and the names of colleagues.
import type { Actor } from "../core/actor.ts";
import { namesOfPeople } from "../accounts/person-store.ts";
import type { DoNotDisturbService } from "../calls/people/do-not-disturb.ts";
import { toIso } from "../core/clock.ts";
import type { Database } from "../db/database.ts";
import type { Contacts } from "../rights/contacts.ts";
import { callListRow } from "./call-page.ts";

export type { FoundContact } from "../rights/contacts.ts";

export interface ContactPageDeps {
  db: Database;
  contacts: Contacts;
  doNotDisturb: Pick<DoNotDisturbService, "changesOf">;
}

export function createContactPage({ db, contacts, doNotDisturb }: ContactPageDeps) {
  return async (organisationId: string, number: string, actor: Actor) => {
    const { calls, consents, notes, ...person } = await contacts.one(organisationId, number, actor);
    const recorders = consents.flatMap(({ history }) => history.flatMap(({ recorded_by: { id } }) => id ?? []));
    const listings = await doNotDisturb.changesOf(organisationId, number);
    const listers = listings.flatMap(({ actor_id }) => actor_id ?? []);
    const authors = await namesOfPeople(db.heavy, [
      ...new Set([...notes.map(({ person_id }) => person_id), ...recorders, ...listers]),
    ]);
    // The call may be of another branch.
    const unnamed = actor.reach && { call_id: null };
    return {
      ...person,
      calls: calls.map(callListRow),
      do_not_disturb_history: listings.map((change) => ({
        ...listingView(change, authors),
        ...unnamed,
      })),
      consents: consents.map(({ history, ...consent }) => ({
        ...consent,
        ...unnamed,
        history: history.map((change) => ({
          ...change,
          ...unnamed,
          by: authors.get(change.recorded_by.id ?? "") ?? null,
        })),
      })),
      notes: notes.map(({ person_id, ...note }) => ({ ...note, person_id, by: authors.get(person_id) ?? "" })),
    };
  };
}

type Listing = Awaited<ReturnType<DoNotDisturbService["changesOf"]>>[number];

function listingView(row: Listing, authors: ReadonlyMap<string, string>) {
  const { change, at, source, call_id, reference, actor_id } = row;
  const by = authors.get(actor_id ?? "") ?? null;
  return { change, at: toIso(at), source, call_id, reference, by, basis: null, granted_at: null };
}

export type ContactPageData = Awaited<ReturnType<ReturnType<typeof createContactPage>>>;
