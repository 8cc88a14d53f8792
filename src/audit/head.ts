// Head of the audit chain: a signed statement of its last block, to keep where the appliance's owner cannot change it.
// A stub is the same for the last pruned block.
import { toIso } from "../core/clock.ts";
import { signedLine, type Signer } from "../rules/proof/signature.ts";
import { ProofFault, readSigned } from "../rules/proof/verify.ts";
import type { ChainEnd } from "./chain.ts";
import { AuditFault } from "./checker.ts";

export const HEAD_FORMAT = "ringward-audit-head-1";
export const STUB_FORMAT = "ringward-audit-stub-1";
type Format = typeof HEAD_FORMAT | typeof STUB_FORMAT;

export interface AuditHead {
  at: string;
  /** Number of the last entry. */
  entries: number;
  format: Format;
  /** Public key, in hex. */
  key: string;
  /** Hash of the last block. */
  last: string;
  /** Of the last block. */
  sequence: number;
}

/** Keys are in alphabetical order; see signedLine. */
export function signedHead(format: Format, end: ChainEnd, at: number, signer: Signer): string {
  const head: AuditHead = {
    at: toIso(at),
    entries: end.lastNumber,
    format,
    key: signer.key,
    last: end.hash,
    sequence: end.sequence,
  };
  return signedLine("head", head, signer).line;
}

/** If `keys` is null, any key is accepted. Throws AuditFault. */
export function readAuditHead(line: string, format: Format, keys: ReadonlySet<string> | null): AuditHead {
  try {
    const head = readSigned<AuditHead>(line, "head", format, keys);
    const { sequence, entries, last } = head;
    const isValid = [sequence, entries].every((each) => Number.isSafeInteger(each) && each >= 1);
    if (isValid && typeof last === "string") return head;
  } catch (error) {
    if (error instanceof ProofFault) throw new AuditFault(error.message);
    throw error;
  }
  throw new AuditFault("The head names no entry.");
}
