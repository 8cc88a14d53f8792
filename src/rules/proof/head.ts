// Head of a chain: a signed statement of its last hash, to publish where the appliance's owner cannot change it later.
// It shows that records were not removed at the end, and that the chain was not written anew.
import { toIso } from "../../core/clock.ts";

export const HEAD_FORMAT = "ringward-proof-head-1";

export interface HeadRecord {
  at: string;
  format: typeof HEAD_FORMAT;
  /** Public key, in hex. */
  key: string;
  /** Hash of the last record. */
  last: string;
  /** Null for the chain of the whole appliance. */
  organisation: string | null;
  sequence: number;
}

export function headOf(
  key: string,
  chain: { organisationId: string | null; last: string; sequence: number },
  now: number,
): HeadRecord {
  return {
    at: toIso(now),
    format: HEAD_FORMAT,
    key,
    last: chain.last,
    organisation: chain.organisationId,
    sequence: chain.sequence,
  };
}
