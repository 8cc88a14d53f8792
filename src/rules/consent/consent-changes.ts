// Changes of consents inside a transaction: the row, its history, the audit entry and the event.
import type { Audit } from "../../accounts/audit.ts";
import { SYSTEM_ACTOR, type Actor } from "../../core/actor.ts";
import { toIso, toIsoOrNull, type Clock } from "../../core/clock.ts";
import type { Ids } from "../../core/ids.ts";
import type { Tx } from "../../db/tables.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { Subscriber } from "../../events/outbox-store.ts";
import type { ConsentEvent } from "../../payloads/consent-event.ts";
import type { ConsentSource } from "../../payloads/consent.ts";
import type { Purpose } from "../../payloads/lawful.ts";
import type { NumberHash } from "../../core/number-hash.ts";
import { assertAfterWithdrawal, isNewGrant, type Grant } from "./checked-grant.ts";
import { forgetRefusal, refusalsAmong, type Refusals } from "./refusal-store.ts";
import { changesOf, consentsOf, keepChanges, saveConsents } from "./record-store.ts";
import type { Consent, ConsentChange } from "./records.ts";

export interface ConsentChangesDeps {
  clock: Clock;
  ids: Ids;
  audit: Audit;
  outbox: Outbox;
  /** See refusal-store.ts. */
  numberHash: NumberHash;
}

/** Where a consent or a withdrawal comes from. */
export interface Origin {
  source: ConsentSource;
  actor: Actor;
  callId: string | null;
  reference: string | null;
}

export interface Person {
  organisationId: string;
  number: string;
}

export class ConsentChanges {
  constructor(private readonly deps: ConsentChangesDeps) {}

  /** Returns the consent as it is now. The same grant again changes nothing. */
  async grant(tx: Tx, organisationId: string, grant: Grant, origin: Origin): Promise<Consent> {
    const now = this.deps.clock.now();
    const present = await this.#ofPurpose(tx, { organisationId, number: grant.number }, grant.purpose);
    if (!isNewGrant(present, grant, now, origin.source) && present) return present;
    const refusals = await this.refusalsOf(tx, organisationId, [grant.number]);
    this.assertAfterRefusal(refusals, grant, origin.source);
    const { consent, change } = this.granted(organisationId, grant, origin, present);
    await saveConsents(tx, [consent]);
    await keepChanges(tx, [change]);
    await this.forgetRefusals(tx, [consent], refusals);
    await this.#audit(tx, "consent.granted", consent, origin);
    await this.publishGrants(tx, organisationId, [consent]);
    return consent;
  }

  /** Of people who were erased. */
  async refusalsOf(tx: Tx, organisationId: string, numbers: readonly string[]): Promise<Refusals> {
    const hashes = numbers.map((number): [string, string] => [number, this.deps.numberHash(organisationId, number)]);
    return refusalsAmong(tx, organisationId, new Map(hashes));
  }

  assertAfterRefusal(refusals: Refusals, grant: Grant, source: ConsentSource): void {
    const refusedAt = refusals.get(grant.number)?.get(grant.purpose);
    if (refusedAt !== undefined) assertAfterWithdrawal(refusedAt, grant, source);
  }

  /** These were granted since. */
  async forgetRefusals(tx: Tx, granted: readonly Consent[], refusals: Refusals): Promise<void> {
    for (const { organisation_id, contact_number, purpose } of granted) {
      if (!refusals.get(contact_number)?.has(purpose)) continue;
      const number_hash = this.deps.numberHash(organisation_id, contact_number);
      await forgetRefusal(tx, { organisation_id, number_hash, purpose });
    }
  }

  /** The rows of a grant, not yet stored. */
  granted(organisationId: string, grant: Grant, origin: Origin, present: Consent | undefined) {
    const now = this.deps.clock.now();
    const consent: Consent = {
      ...this.#newRow({ organisationId, number: grant.number }, grant.purpose, origin, present),
      basis: grant.basis,
      // Another system's clock may be ahead of ours; the consent holds from now on.
      granted_at: Math.min(grant.grantedAt ?? now, now),
      until: grant.until,
      withdrawn_at: null,
    };
    return { consent, change: this.#change(consent, "granted", origin) };
  }

  async publishGrants(tx: Tx, organisationId: string, consents: readonly Consent[]): Promise<void> {
    const subscribers = await this.deps.outbox.subscribersOf(tx, organisationId);
    for (const row of consents) {
      const at = toIso(row.granted_at ?? row.updated_at);
      await this.#publish(tx, { organisationId, number: row.contact_number }, "consent.granted", subscribers, {
        ...eventOf(row, row),
        basis: row.basis,
        at,
        until: toIsoOrNull(row.until),
      });
    }
  }

  /** For one purpose. A person who has never agreed can refuse as well. Idempotent. */
  async withdraw(tx: Tx, person: Person, purpose: Purpose, origin: Origin): Promise<Consent[]> {
    const present = await this.#ofPurpose(tx, person, purpose);
    const row = present ?? {
      ...this.#newRow(person, purpose, origin, undefined),
      basis: null,
      granted_at: null,
      until: null,
      withdrawn_at: null,
    };
    return this.withdrawRows(tx, person, [row], origin, false);
  }

  /**
   * The number has been put on the do-not-disturb list: withdraws all its consents. `isNewlyListed`: the wish is
   * published even if there was no consent.
   */
  async withdrawAll(tx: Tx, person: Person, origin: Origin, isNewlyListed: boolean): Promise<Consent[]> {
    const rows = await consentsOf(tx, person.organisationId, [person.number]);
    const withdrawn = await this.withdrawRows(tx, person, rows, origin, true);
    if (withdrawn.length > 0 || !isNewlyListed) return withdrawn;
    const subscribers = await this.deps.outbox.subscribersOf(tx, person.organisationId);
    await this.#publish(tx, person, "consent.withdrawn", subscribers, {
      ...eventOf(null, { source: origin.source, call_id: origin.callId, reference: origin.reference }),
      contact_number: person.number,
      at: toIso(this.deps.clock.now()),
      everything: true,
    });
    return withdrawn;
  }

  /** Returns the rows that were not withdrawn before. */
  async withdrawRows(
    tx: Tx,
    person: Person,
    rows: readonly Consent[],
    origin: Origin,
    everything: boolean,
  ): Promise<Consent[]> {
    const open = rows.filter(({ withdrawn_at }) => withdrawn_at === null);
    if (open.length === 0) return [];
    const now = this.deps.clock.now();
    const withdrawn = open.map((row) => ({ ...row, withdrawn_at: now, updated_at: now }));
    await saveConsents(tx, withdrawn);
    const changes = withdrawn.map((row) => this.#change(row, "withdrawn", origin));
    await keepChanges(tx, changes);
    const subscribers = await this.deps.outbox.subscribersOf(tx, person.organisationId);
    for (const [index, row] of withdrawn.entries()) {
      await this.#audit(tx, "consent.withdrawn", row, origin);
      const said = { source: origin.source, call_id: origin.callId, reference: origin.reference };
      const data = { ...eventOf(row, changes[index] ?? said), at: toIso(now), everything };
      await this.#publish(tx, person, "consent.withdrawn", subscribers, data);
    }
    return withdrawn;
  }

  /**
   * Stores the callee's answer in a call. Idempotent: the end of the call repeats what was stored during it. What was
   * changed by another way since then stays.
   */
  async answer(
    tx: Tx,
    { callId, ...person }: Person & { callId: string },
    { purpose, isGiven }: { purpose: Purpose; isGiven: boolean },
  ): Promise<void> {
    const present = await this.#ofPurpose(tx, person, purpose);
    const [last, ...earlier] = present ? await changesOf(tx, present.id) : [];
    const isOfCall = (change: ConsentChange) => change.call_id === callId;
    const wanted = isGiven ? "granted" : "withdrawn";
    if (last && (isOfCall(last) ? last.change === wanted : earlier.some(isOfCall))) return;
    const origin: Origin = { source: "call", actor: SYSTEM_ACTOR, callId, reference: null };
    const grant = { number: person.number, purpose, basis: "verbal", grantedAt: null, until: null } as const;
    if (isGiven) await this.grant(tx, person.organisationId, { ...grant, reference: null }, origin);
    else await this.withdraw(tx, person, purpose, origin);
  }

  async #ofPurpose(tx: Tx, { organisationId, number }: Person, purpose: Purpose): Promise<Consent | undefined> {
    return (await consentsOf(tx, organisationId, [number])).find((row) => row.purpose === purpose);
  }

  #newRow({ organisationId, number }: Person, purpose: Purpose, origin: Origin, present: Consent | undefined) {
    const { clock, ids } = this.deps;
    return {
      id: present?.id ?? ids.next("cns"),
      organisation_id: organisationId,
      contact_number: number,
      purpose,
      source: origin.source,
      call_id: origin.callId,
      reference: origin.reference,
      actor_kind: origin.actor.kind,
      actor_id: origin.actor.id,
      created_at: present?.created_at ?? clock.now(),
      updated_at: clock.now(),
    };
  }

  #change(row: Consent, change: ConsentChange["change"], origin: Origin): ConsentChange {
    const isGrant = change === "granted";
    return {
      id: this.deps.ids.next("cnc"),
      consent_id: row.id,
      change,
      at: row.updated_at,
      basis: isGrant ? row.basis : null,
      source: origin.source,
      call_id: origin.callId,
      reference: origin.reference,
      granted_at: isGrant ? row.granted_at : null,
      until: isGrant ? row.until : null,
      actor_kind: origin.actor.kind,
      actor_id: origin.actor.id,
    };
  }

  async #audit(tx: Tx, action: string, { id, organisation_id, purpose }: Consent, origin: Origin): Promise<void> {
    const { source, actor, callId } = origin;
    const detail = { purpose, source, ...(callId === null ? {} : { call_id: callId }) };
    await this.deps.audit.record(tx, { organisationId: organisation_id, actor, action, subjectId: id, detail });
  }

  async #publish(
    tx: Tx,
    { organisationId, number }: Person,
    type: "consent.granted" | "consent.withdrawn",
    subscribers: readonly Subscriber[],
    data: ConsentEvent,
  ): Promise<void> {
    const about = data.consent_id === null ? {} : { orderKey: data.consent_id };
    // Not an event of the call: like the consent, it stays when the call is erased.
    const event = { organisationId, type, data, contactNumber: number, ...about };
    await this.deps.outbox.publish(tx, event, subscribers);
  }
}

type Said = Pick<ConsentChange, "source" | "reference" | "call_id">;

const eventOf = (row: Consent | null, { source, reference, call_id }: Said) => ({
  consent_id: row?.id ?? null,
  contact_number: row?.contact_number ?? "",
  purpose: row?.purpose ?? null,
  basis: null,
  source,
  reference,
  call_id,
  until: null,
  everything: false,
});
