// Offline verification of proofs: canonical form, hash, signature, and the chains.
import { sha256Hex } from "../../core/hmac.ts";
import { canonicalJson } from "./canonical.ts";
import { HEAD_FORMAT, type HeadRecord } from "./head.ts";
import { NO_HASH, PROOF_FORMAT, type ChainPlace, type ProofRecord } from "./record.ts";
import { isSignedBy } from "./signature.ts";

export interface VerifyOptions {
  /** Public keys of the appliance, in hex. Null: any key, so the origin is not checked. */
  keys: ReadonlySet<string> | null;
  /** A published head. The proofs must then be whole up to it. */
  head?: HeadRecord | null;
}

export class ProofFault extends Error {}

interface Link extends ChainPlace {
  hash: string;
}

/** Verifies lines one by one, in their order. Throws ProofFault at the first fault. */
export class ProofChecker {
  readonly keysSeen = new Set<string>();
  count = 0;
  /** Missing records of other organisations, between the first and the last one. */
  gaps = 0;
  #last: Link | null = null;
  /** By organisation. */
  readonly #own = new Map<string, Link>();
  #isHeadSeen = false;

  constructor(private readonly options: VerifyOptions) {}

  /** One proof, without the line break. */
  add(line: string): ProofRecord {
    const record = readSigned<ProofRecord>(line, "record", PROOF_FORMAT, this.options.keys);
    const hash = sha256Hex(canonicalJson(record));
    const chain = placeOf(record.chain, "chain");
    const own = placeOf(record.organisation, "organisation");
    const { id } = record.organisation;
    if (typeof id !== "string") throw new ProofFault("Its place in the organisation is not valid.");
    this.#followAppliance({ ...chain, hash });
    this.#followOwn(id, { ...own, hash });
    this.keysSeen.add(record.key);
    this.count += 1;
    this.#compareHead(id, hash, chain.sequence, own.sequence);
    return record;
  }

  /** After the last line. */
  end(): void {
    const { head } = this.options;
    if (this.count === 0) throw new ProofFault("There is no proof in it.");
    if (head && !this.#isHeadSeen) {
      throw new ProofFault(
        `Record ${head.sequence}, which the head names, is missing: records were cut off at the end.`,
      );
    }
  }

  #followAppliance(link: Link): void {
    const last = this.#last;
    this.#last = link;
    if (!last) return;
    if (link.sequence <= last.sequence) {
      throw new ProofFault(`Record ${link.sequence} follows record ${last.sequence}: out of order or twice.`);
    }
    const missing = link.sequence - last.sequence - 1;
    if (missing === 0 && link.previous !== last.hash) {
      throw new ProofFault(`Record ${link.sequence} does not continue record ${last.sequence}.`);
    }
    if (missing > 0 && this.options.head?.organisation === null) {
      throw new ProofFault(`Records between ${last.sequence} and ${link.sequence} are missing.`);
    }
    this.gaps += missing;
  }

  #followOwn(organisationId: string, link: Link): void {
    const last = this.#own.get(organisationId);
    this.#own.set(organisationId, link);
    if (!last) return;
    if (link.sequence !== last.sequence + 1) {
      throw new ProofFault(
        `Record ${link.sequence} of organisation ${organisationId} follows its record ${last.sequence}: ` +
          "records between them are missing.",
      );
    }
    if (link.previous !== last.hash) {
      throw new ProofFault(
        `Record ${link.sequence} of organisation ${organisationId} does not continue the one before.`,
      );
    }
  }

  #compareHead(organisationId: string, hash: string, sequence: number, ownSequence: number): void {
    const { head } = this.options;
    if (!head || (head.organisation !== null && head.organisation !== organisationId)) return;
    if ((head.organisation === null ? sequence : ownSequence) !== head.sequence) return;
    if (hash !== head.last) throw new ProofFault(`Record ${head.sequence} is not the one that the head names.`);
    this.#isHeadSeen = true;
  }
}

/** A head file. Throws ProofFault. */
export function readHead(line: string, keys: ReadonlySet<string> | null): HeadRecord {
  const head = readSigned<HeadRecord>(line, "head", HEAD_FORMAT, keys);
  const { organisation, sequence, last } = head;
  const isOfAny = organisation === null || typeof organisation === "string";
  if (!isOfAny || !isSequence(sequence) || typeof last !== "string") throw new ProofFault("The head names no record.");
  return head;
}

const isSequence = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;

/** A signed line of this format. Throws ProofFault. `keys`: null accepts any key. */
export function readSigned<T extends { format: string; key: string }>(
  line: string,
  name: "head" | "record",
  format: string,
  keys: ReadonlySet<string> | null,
): T {
  const envelope = readCanonical(line);
  if (Object.keys(envelope).join() !== `hash,${name},signature`)
    throw new ProofFault(`It is not a ${name} with hash and signature.`);
  const { hash, signature } = envelope as { hash: unknown; signature: unknown };
  const value = envelope[name] as Partial<T> | null;
  if (typeof value !== "object" || value?.format !== format) throw new ProofFault(`Its format is not ${format}.`);
  const text = canonicalJson(value);
  if (hash !== sha256Hex(text)) throw new ProofFault("Its content does not match its hash.");
  const { key } = value;
  if (typeof key !== "string" || typeof signature !== "string" || !isSignedBy(key, text, signature)) {
    throw new ProofFault("Its signature is not valid.");
  }
  if (keys && !keys.has(key)) throw new ProofFault(`It is signed with ${key}, which is not a key of the appliance.`);
  return value as T;
}

function readCanonical(line: string): Record<string, unknown> {
  let value: unknown;
  let again: string;
  try {
    value = JSON.parse(line);
    again = canonicalJson(value);
  } catch {
    throw new ProofFault("It is not canonical JSON.");
  }
  if (again !== line || typeof value !== "object" || value === null) throw new ProofFault("It is not canonical JSON.");
  return value as Record<string, unknown>;
}

/** A signed record of this format always has a valid place; a signer that broke the rules is found here. */
function placeOf(place: Partial<ChainPlace> | null | undefined, what: string): ChainPlace {
  const { previous, sequence } = place ?? {};
  const isFirst = sequence === 1;
  if (
    typeof previous !== "string" ||
    sequence === undefined ||
    !isSequence(sequence) ||
    isFirst !== (previous === NO_HASH)
  ) {
    throw new ProofFault(`Its place in the ${what} is not valid.`);
  }
  return { previous, sequence };
}
