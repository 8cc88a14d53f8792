// State of the stored chain, for the doctor: whether its end verifies, what waits, and what the published head names.
import type { Executor } from "../../db/tables.ts";
import type { HeadRecord } from "./head.ts";
import { proofKeys } from "./key-store.ts";
import { chainSize, oldestUnsealed, proofAt, storedFrom } from "./proof-store.ts";
import type { StoredProof } from "./records.ts";
import { ProofChecker, ProofFault, readHead } from "./verify.ts";

/** Records at the end that are verified: a fraction of a second. `ringward proof verify` takes the whole chain. */
export const CHECKED_RECORDS = 500;

export interface ChainState {
  /** Number of the last record; 0 without one. */
  last: number;
  /** What is wrong with the stored records; null if nothing was found. */
  fault: string | null;
  /** Ended calls without a sealed proof, and the end of the first of them. */
  unsealed: { count: number; since: number | null };
}

export async function chainState(reader: Executor): Promise<ChainState> {
  const { count, last } = await chainSize(reader);
  const unsealed = await oldestUnsealed(reader);
  if (last === 0) return { last, fault: null, unsealed };
  if (count !== last) {
    return { last, fault: `The last record is ${last}, but ${count} are stored: records are missing.`, unsealed };
  }
  const rows = await storedFrom(reader, Math.max(1, last - CHECKED_RECORDS + 1));
  return { last, fault: await faultIn(reader, rows), unsealed };
}

async function faultIn(reader: Executor, rows: readonly StoredProof[]): Promise<string | null> {
  const checker = new ProofChecker({ keys: await publicKeysOf(reader) });
  for (const row of rows) {
    try {
      const { call, chain, organisation } = checker.add(row.line);
      const isItself =
        chain.sequence === row.sequence &&
        organisation.sequence === row.own_sequence &&
        organisation.id === row.organisation_id &&
        call === row.call_id &&
        row.line.startsWith(`{"hash":"${row.hash}"`);
      if (!isItself) return `Record ${row.sequence} is stored in the place of another.`;
    } catch (error) {
      if (!(error instanceof ProofFault)) throw error;
      return `Record ${row.sequence} is not valid. ${error.message}`;
    }
  }
  return null;
}

const publicKeysOf = async (reader: Executor) => new Set((await proofKeys(reader)).map(({ public_key }) => public_key));

export interface PublishedHead {
  head: HeadRecord;
  /** Whether the stored chain has the record that the head names. */
  isInChain: boolean;
  /** When the first record after it was sealed; null if there is none. */
  nextSealedAt: number | null;
}

/** What a published head of the appliance says about the stored chain. Throws ProofFault. */
export async function publishedHead(reader: Executor, line: string): Promise<PublishedHead> {
  const head = readHead(line, await publicKeysOf(reader));
  if (head.organisation !== null) throw new ProofFault("It is the head of an organisation, not of the appliance.");
  const [named, next] = [await proofAt(reader, head.sequence), await proofAt(reader, head.sequence + 1)];
  return { head, isInChain: named?.hash === head.last, nextSealedAt: next?.sealed_at ?? null };
}
