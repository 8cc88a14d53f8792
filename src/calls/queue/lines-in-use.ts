// Lines and contacts in use: counted from the live calls, plus the calls dialled in this round.
import type { PhoneNumber } from "../../agents/records.ts";
import type { Call } from "../call/records.ts";
import type { LiveCall } from "./queue-store.ts";

export class LinesInUse {
  #all = 0;
  readonly #byOrganisation = new Map<string, number>();
  readonly #byNumber = new Map<string, number>();
  readonly #dialledByTrunk = new Map<string, number>();
  readonly #heldByTrunk = new Map<string, number>();
  readonly #contacts = new Set<string>();

  constructor(live: readonly LiveCall[]) {
    for (const call of live) this.#count(call, call.phone_number_id);
  }

  /** Counts a call dialled over this number, which the carrier does not know of yet. */
  addDialled(call: Pick<Call, "organisation_id" | "contact_number">, number: PhoneNumber): void {
    this.#count(call, number.id);
    increment(this.#dialledByTrunk, number.trunk_id ?? "");
  }

  all(): number {
    return this.#all;
  }

  ofOrganisation(organisationId: string): number {
    return this.#byOrganisation.get(organisationId) ?? 0;
  }

  ofNumber(numberId: string): number {
    return this.#byNumber.get(numberId) ?? 0;
  }

  /** Calls of this round on the trunk; its carrier still counts their lines as free. */
  unheardOfTrunk(trunkId: string | null): number {
    return this.#dialledByTrunk.get(trunkId ?? "") ?? 0;
  }

  /** A call of this round waits for the trunk's pace. */
  addHeld(number: PhoneNumber): void {
    increment(this.#heldByTrunk, number.trunk_id ?? "");
  }

  heldByTrunk(trunkId: string | null): number {
    return this.#heldByTrunk.get(trunkId ?? "") ?? 0;
  }

  hasContact(organisationId: string, contactNumber: string): boolean {
    return this.#contacts.has(contactKey(organisationId, contactNumber));
  }

  #count(call: Pick<Call, "organisation_id" | "contact_number">, numberId: string | null): void {
    this.#all += 1;
    increment(this.#byOrganisation, call.organisation_id);
    if (numberId !== null) increment(this.#byNumber, numberId);
    this.#contacts.add(contactKey(call.organisation_id, call.contact_number));
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Per organisation, because calls of other organisations must not be revealed. */
function contactKey(organisationId: string, contactNumber: string): string {
  return `${organisationId} ${contactNumber}`;
}
