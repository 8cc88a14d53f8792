// What is stored about the people of several calls and decides whether they may be called. The claim round reads it for
// all candidates of an organisation in a few statements, inside the transaction that dials.
import type { Executor } from "../../db/tables.ts";
import { ruleChangesOf } from "../../rules/book/change-store.ts";
import type { OrganisationChanges } from "../../rules/book/rule-book.ts";
import { consentsAmong, withRefusals, type KnownConsents } from "../../rules/consent/consent-store.ts";
import { refusalsAmong } from "../../rules/consent/refusal-store.ts";
import type { NumberHash } from "../../core/number-hash.ts";
import { refusedAmong } from "../../rules/registry/registry-store.ts";
import { listedAmong } from "../people/do-not-disturb-store.ts";
import { dialledAmong } from "./dialled-store.ts";

export interface KnownCallees {
  numbers: ReadonlySet<string>;
  doNotDisturb: ReadonlySet<string>;
  consents: KnownConsents;
  /** Refused by a registry for promotional calls. */
  refused: ReadonlySet<string>;
  /** What the organisation changed in the rules. */
  changes: OrganisationChanges;
  /** When a number was dialled in the last eight days. */
  dialsOf(number: string): readonly number[];
  /** Adds a dial of this transaction. Returns the hash of the number. */
  noteDial(number: string, at: number): string;
}

export async function knownCallees(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
  hashOf: NumberHash,
  now: number,
): Promise<KnownCallees> {
  const hashes = new Map(numbers.map((number) => [number, hashOf(organisationId, number)]));
  const [doNotDisturb, consents, refusals, refused, dials, changes] = await Promise.all([
    listedAmong(executor, organisationId, numbers),
    consentsAmong(executor, organisationId, numbers, now),
    refusalsAmong(executor, organisationId, hashes),
    refusedAmong(executor, organisationId, numbers),
    dialledAmong(executor, organisationId, [...hashes.values()], now),
    ruleChangesOf(executor, organisationId),
  ]);
  return {
    numbers: new Set(numbers),
    doNotDisturb,
    consents: withRefusals(consents, refusals),
    refused,
    changes,
    dialsOf: (number) => dials.get(hashes.get(number) ?? "") ?? [],
    noteDial(number, at) {
      const hash = hashes.get(number) ?? hashOf(organisationId, number);
      dials.set(hash, [...(dials.get(hash) ?? []), at]);
      return hash;
    },
  };
}
