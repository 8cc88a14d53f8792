// Doctor check of the proofs of calls: signing key, end of the chain, sealing, and the head that was published.
import { readFileSync, statSync } from "node:fs";
import type { Config } from "../config/schema.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, systemClock, toIso } from "../core/clock.ts";
import { createSecretBox } from "../core/secret-box.ts";
import { placeOf } from "./context.ts";
import { presentSealingKey } from "../db/folder-keys.ts";
import { RootKeyError } from "../db/root-key.ts";
import type { Executor } from "../db/tables.ts";
import { CHECKED_RECORDS, chainState, publishedHead, type ChainState } from "../rules/proof/chain-state.ts";
import { currentKey } from "../rules/proof/key-store.ts";
import { signerOf } from "../rules/proof/proof-keys.ts";
import { proofAt } from "../rules/proof/proof-store.ts";
import { ProofFault } from "../rules/proof/verify.ts";
import { askedOf } from "./database-look.ts";
import type { Finding } from "./doctor-checks.ts";
import { runningServerPid } from "./running-server.ts";

/** A server seals a proof within seconds. */
const SEALED_WITHIN_MS = 5 * MINUTE_MS;
/** The head is written once a day, by an hourly job. */
const PUBLISHED_WITHIN_MS = DAY_MS + 2 * HOUR_MS;
const LARGEST_HEAD_BYTES = 10_000;

export async function checkProofs(config: Config): Promise<Finding> {
  const check = "proofs";
  const found = await askedOf(config, async (reader) => ({
    state: await chainState(reader),
    key: await keyFault(config, reader),
    head: await headDoubt(config, reader),
  }));
  if (found === null) return { check, state: "ok", message: "None yet." };
  const { state, key, head } = found;
  const faults = [state.fault && `${state.fault} ${BROKEN_WORDS}`, key].filter((text) => text !== null);
  if (faults.length > 0) return { check, state: "FAIL", message: faults.join(" ") };
  const doubts = [sealingDoubt(config, state), head].filter((text) => text !== null);
  if (doubts.length > 0) return { check, state: "warn", message: doubts.join(" ") };
  return { check, state: "ok", message: [chainWords(state), publicationWords(config)].join(" ") };
}

const BROKEN_WORDS =
  'Keep a copy of the database, and look for the change with "ringward proof export" and "ringward proof verify", here and on a backup.';

function chainWords({ last, unsealed }: ChainState): string {
  const waiting = unsealed.count === 0 ? "" : ` ${unsealed.count} wait for their signature.`;
  if (last === 0) return `None yet.${waiting}`;
  const checked = last <= CHECKED_RECORDS ? "all verified" : `the last ${CHECKED_RECORDS} verified`;
  return `${last} in the chain, ${checked}.${waiting}`;
}

const publicationWords = ({ proofs }: Config): string =>
  proofs.head_file === ""
    ? "Their head is not written to a file (proofs.head_file)."
    : `Their head is in ${proofs.head_file}: copy it elsewhere.`;

/** The mode of the root key's file is part of the check "secret key". */
async function keyFault(config: Config, reader: Executor): Promise<string | null> {
  const key = await currentKey(reader);
  if (key === null) return null;
  try {
    const rootKey = presentSealingKey(placeOf(config));
    if (rootKey !== null && signerOf(key, createSecretBox(rootKey)) !== null) return null;
  } catch (error) {
    if (!(error instanceof RootKeyError)) throw error;
  }
  return (
    "The secret key does not open the key that signs proofs. Put the right one back: with another one that is accepted, " +
    "a new signing key replaces it for good."
  );
}

function sealingDoubt(config: Config, { unsealed: { count, since } }: ChainState): string | null {
  if (since === null || systemClock.now() - since < SEALED_WITHIN_MS || runningServerPid(config) === null) return null;
  return `${count} ended ${count === 1 ? "call waits" : "calls wait"} for a signature since ${toIso(since)}: /readyz and the log say why.`;
}

async function headDoubt({ proofs: { head_file: file } }: Config, reader: Executor): Promise<string | null> {
  const first = await proofAt(reader, 1);
  if (file === "" || !first) return null;
  const isLate = (sealedAt: number) => systemClock.now() - sealedAt > PUBLISHED_WITHIN_MS;
  const line = headIn(file);
  if (line === null) {
    return isLate(first.sealed_at) ? `${file} has no head: see the log, and whether the server may write there.` : null;
  }
  try {
    const { head, isInChain, nextSealedAt } = await publishedHead(reader, line);
    if (!isInChain) {
      return (
        `The head in ${file} names record ${head.sequence}, which is not in the chain: the database was restored or ` +
        "changed since. Keep that head."
      );
    }
    if (nextSealedAt === null || !isLate(nextSealedAt)) return null;
    return `The head in ${file} is of ${head.at}, and later records are not covered: see the log.`;
  } catch (error) {
    if (error instanceof ProofFault) return `${file} is not a head of this appliance. ${error.message}`;
    throw error;
  }
}

function headIn(file: string): string | null {
  try {
    return statSync(file).size > LARGEST_HEAD_BYTES ? "" : readFileSync(file, "utf8").trimEnd();
  } catch {
    return null;
  }
}
