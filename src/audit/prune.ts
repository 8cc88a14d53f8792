// Pruning of the audit chain: removes the oldest blocks with their entries, if verified exports have all of them. Each
// block goes in one transaction with a new signed stub, so a kill or a full disk leaves a whole chain.
import { allOrganisations } from "../accounts/organisation-store.ts";
import type { Audit } from "../accounts/audit.ts";
import type { Actor } from "../core/actor.ts";
import { othersFirst, type Clock } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import { proofKeys as storedKeys } from "../rules/proof/key-store.ts";
import type { ProofKeys } from "../rules/proof/proof-keys.ts";
import { endOf, idsOf } from "./chain.ts";
import * as store from "./chain-store.ts";
import { verifyExportFile } from "./export-file.ts";
import { signedHead, STUB_FORMAT } from "./head.ts";
import type { AuditBlock, AuditExport } from "./records.ts";

export const AUDIT_PRUNED = "audit.pruned";

export interface PruneDeps {
  db: Database;
  clock: Clock;
  audit: Pick<Audit, "record">;
  proofKeys: Pick<ProofKeys, "current">;
  /** The last block that every stream has delivered; null without a stream. */
  delivered: () => Promise<number | null>;
}

export interface PruneReport {
  entries: number;
  blocks: number;
}

/** Public keys of the appliance, in hex. */
export const keysOf = async (reader: Database["reader"]): Promise<Set<string>> =>
  new Set((await storedKeys(reader)).map(({ public_key }) => public_key));

/** Removes the blocks up to and including this one. Refuses if one of them is in no export that verifies now. */
export async function pruneUpTo(
  deps: PruneDeps,
  last: number,
  actor: Actor,
  progress: (entries: number) => void = () => {},
): Promise<PruneReport> {
  const { db, audit } = deps;
  const start = store.stubEnd(await store.stubOf(db.reader));
  const end = await store.blockAt(db.reader, last);
  if (last <= start.sequence || end === null) return { entries: 0, blocks: 0 };
  await assertDelivered(deps, last);
  await assertExported(db.reader, start.sequence, last);
  const detail = { from_entry: start.lastNumber + 1, to_entry: endOf(end).lastNumber };
  await db.write(async (tx) => {
    for (const { id: organisationId } of await allOrganisations(tx))
      await audit.record(tx, { organisationId, actor, action: AUDIT_PRUNED, detail });
  });
  const report = { entries: 0, blocks: 0 };
  for (let sequence = start.sequence; sequence < last;) {
    const block = await store.blockAt(db.reader, sequence + 1);
    if (block === null) throw new AppError("CONFLICT", `Block ${sequence + 1} of the audit trail is missing.`);
    await pruneOne(deps, block);
    report.entries += block.entry_count;
    report.blocks += 1;
    sequence = block.sequence;
    progress(report.entries);
    await othersFirst();
  }
  return report;
}

async function pruneOne({ db, clock, proofKeys }: PruneDeps, block: AuditBlock): Promise<void> {
  const end = endOf(block);
  const at = clock.now();
  const line = signedHead(STUB_FORMAT, end, at, await proofKeys.current());
  const stub = { sequence: end.sequence, last_number: end.lastNumber, hash: end.hash, at, line };
  await db.write((tx) => store.pruneBlock(tx, block, idsOf(block), stub), { lane: "audit chain" });
}

async function assertDelivered({ delivered }: PruneDeps, last: number): Promise<void> {
  const position = await delivered();
  if (position === null || position >= last) return;
  throw new AppError(
    "CONFLICT",
    `The syslog collector has the audit trail only up to block ${position}, and block ${last} was to be pruned. ` +
      "Wait until the collector is there again, or set audit.syslog to false.",
  );
}

async function assertExported(reader: Database["reader"], from: number, last: number): Promise<void> {
  const { covered, faults } = await verifiedCover(reader, from, last);
  if (covered >= last) return;
  throw new AppError(
    "CONFLICT",
    `Block ${covered + 1} of the audit trail is in no verified export, so nothing was pruned. ` +
      `Run "ringward audit export" first.${faults.map((fault) => ` ${fault}`).join("")}`,
  );
}

/**
 * The last block up to which exports have everything after `from`. Each is verified again, from its file, and compared
 * with the stored chain; `faults` tells of those that are lost or changed.
 */
export async function verifiedCover(
  reader: Database["reader"],
  from: number,
  last: number,
): Promise<{ covered: number; faults: string[] }> {
  const keys = await keysOf(reader);
  const faults: string[] = [];
  let covered = from;
  const candidates = (await store.exportsOf(reader)).toReversed();
  while (covered < last) {
    const next = candidates.findIndex((each) => each.first_block <= covered + 1 && each.last_block > covered);
    const [found] = next === -1 ? [] : candidates.splice(next, 1);
    if (!found) break;
    const fault = await faultOf(reader, found, keys);
    if (fault === null) covered = found.last_block;
    else faults.push(`${found.file}: ${fault}`);
  }
  return { covered, faults };
}

async function faultOf(reader: Database["reader"], row: AuditExport, keys: Set<string>): Promise<string | null> {
  try {
    const { after, end } = await verifyExportFile(row.file, keys);
    if (after.sequence >= row.first_block || end.sequence < row.last_block) return "It has other blocks than before.";
    // The hash of its last block covers all that it has.
    const stored = await store.blockAt(reader, end.sequence);
    return stored?.hash === end.hash ? null : "It is not of this audit trail.";
  } catch (error) {
    return messageOf(error);
  }
}
