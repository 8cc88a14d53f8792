// Do-not-disturb list of an organisation.
import type { Actor } from "../../core/actor.ts";
import type { Audit } from "../../accounts/audit.ts";
import type { ReadNotes } from "../../accounts/read-notes.ts";
import { toIso, toIsoOrNull, type Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Ids } from "../../core/ids.ts";
import { assertDiallable } from "../../core/phone.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/tables.ts";
import { sourceOf } from "../../rules/consent/checked-grant.ts";
import type { ConsentChanges, Origin, Person } from "../../rules/consent/consent-changes.ts";
import {
  addDoNotDisturb,
  countDoNotDisturb,
  doNotDisturbAmong,
  isDoNotDisturb,
  listDoNotDisturb,
  pageOfDoNotDisturb,
  removeDoNotDisturb,
  type ListQuestion,
} from "./do-not-disturb-store.ts";
import {
  doNotDisturbChangesOf,
  keepDoNotDisturbChange,
  type DoNotDisturbChange,
} from "./do-not-disturb-change-store.ts";

export interface DoNotDisturbDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  readNotes: ReadNotes;
  /** A listed number has no consent: all its consents are withdrawn with the entry. */
  consentChanges: Pick<ConsentChanges, "withdrawAll">;
}

export function createDoNotDisturbService(deps: DoNotDisturbDeps) {
  const { db, clock, audit, readNotes, consentChanges } = deps;

  async function pageOf(question: ListQuestion) {
    const rows = await pageOfDoNotDisturb(db.heavy, question);
    return rows.map(({ number, created_at, source, call_id }) => ({
      number,
      added_at: toIso(created_at),
      source,
      call_id,
    }));
  }

  /** Idempotent. Returns whether the number was new, and the withdrawn consents. */
  async function enter(tx: Tx, { organisationId, number }: Person, origin: Origin) {
    const isNew = await addDoNotDisturb(tx, organisationId, number, clock.now(), origin);
    if (isNew) await keepDoNotDisturbChange(tx, changeOf(deps, "added", { organisationId, number }, origin));
    return { isNew, withdrawn: await consentChanges.withdrawAll(tx, { organisationId, number }, origin, isNew) };
  }

  const by = (actor: Actor): Origin => ({ source: sourceOf(actor), actor, callId: null, reference: null });

  return {
    async add(organisationId: string, number: string, actor: Actor): Promise<void> {
      assertDiallable(number, "number");
      await db.write(async (tx) => {
        await enter(tx, { organisationId, number }, by(actor));
        await audit.record(tx, { organisationId, actor, action: "do_not_disturb.added" });
      });
    },
    /** Adds a number in a transaction of another change, such as the callee's request in a call. Idempotent. */
    async addWithin(tx: Tx, person: Person, origin: Origin) {
      const { organisationId } = person;
      const { isNew, withdrawn } = await enter(tx, person, origin);
      const { actor, callId } = origin;
      const detail = callId === null ? {} : { call_id: callId };
      if (isNew) await audit.record(tx, { organisationId, actor, action: "do_not_disturb.added", detail });
      return withdrawn;
    },
    /** Adds many numbers with one audit entry. Returns how many were new. */
    async addMany(organisationId: string, numbers: readonly string[], actor: Actor): Promise<number> {
      for (const number of numbers) assertDiallable(number, "number");
      const origin = numbers.length === 1 ? by(actor) : { ...by(actor), source: "list" as const };
      return db.write(async (tx) => {
        let added = 0;
        for (const number of numbers) if ((await enter(tx, { organisationId, number }, origin)).isNew) added++;
        await audit.record(tx, { organisationId, actor, action: "do_not_disturb.imported", detail: { added } });
        return added;
      });
    },
    async remove(organisationId: string, number: string, actor: Actor): Promise<void> {
      await db.write(async (tx) => {
        const removed = await removeDoNotDisturb(tx, organisationId, number);
        if (!removed) throw new AppError("NOT_FOUND", "The number is not on the list.");
        await keepDoNotDisturbChange(tx, changeOf(deps, "removed", { organisationId, number }, by(actor)));
        await audit.record(tx, { organisationId, actor, action: "do_not_disturb.removed" });
      });
    },
    /** For a page that already shows the number. */
    has: (organisationId: string, number: string) => isDoNotDisturb(db.reader, organisationId, number),
    /** When the number came onto the list and was taken off, newest first. For a page that already shows the number. */
    changesOf: (organisationId: string, number: string) => doNotDisturbChangesOf(db.reader, organisationId, number),
    async page(question: ListQuestion, actor: Actor) {
      const page = await pageOf(question);
      const { organisationId } = question;
      await readNotes.note({ organisationId, actor, action: "do_not_disturb.read", detail: { count: page.length } });
      return page;
    },
    lookUp: createLookUp(deps),
    /** The whole list in pages, with one audit entry, recorded before the first page is returned. */
    async *pages(organisationId: string, perPage: number, actor: Actor) {
      await readNotes.note({ organisationId, actor, action: "do_not_disturb.exported" });
      let after: string | undefined;
      for (;;) {
        const page = await pageOf({ organisationId, after, limit: perPage });
        yield page;
        if (page.length < perPage) return;
        after = page.at(-1)?.number;
      }
    },
    count: (organisationId: string) => countDoNotDisturb(db.heavy, organisationId),
    async list(organisationId: string, actor: Actor) {
      const numbers = await listDoNotDisturb(db.reader, organisationId);
      await readNotes.note({ organisationId, actor, action: "do_not_disturb.read", detail: { count: numbers.length } });
      return numbers;
    },
  };
}

function changeOf(
  { clock, ids }: DoNotDisturbDeps,
  change: DoNotDisturbChange["change"],
  { organisationId, number }: Person,
  { source, callId, reference, actor }: Origin,
): DoNotDisturbChange {
  return {
    id: ids.next("dnc"),
    organisation_id: organisationId,
    number,
    change,
    at: clock.now(),
    source,
    call_id: callId,
    reference,
    actor_kind: actor.kind,
    actor_id: actor.id,
  };
}

export type DoNotDisturbService = ReturnType<typeof createDoNotDisturbService>;

function createLookUp({ db, readNotes }: Pick<DoNotDisturbDeps, "db" | "readNotes">) {
  /** Each of these numbers, listed or not. Audited like a page of the list. */
  return async (organisationId: string, numbers: readonly string[], actor: Actor) => {
    const asked = [...new Set(numbers)];
    for (const number of asked) assertDiallable(number, "numbers");
    const listed = await doNotDisturbAmong(db.reader, organisationId, asked);
    await readNotes.note({ organisationId, actor, action: "do_not_disturb.read", detail: { count: asked.length } });
    return asked.map((number) => {
      const { at = null, source = null, callId = null } = listed.get(number) ?? {};
      return { number, listed: at !== null, added_at: toIsoOrNull(at), source, call_id: callId };
    });
  };
}
