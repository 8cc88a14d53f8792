// Doctor check of the audit trail: end of the chain, sealing, heads that were kept after a restore, and the collector.
import { join } from "node:path";
import { HEAD_FILE } from "../audit/heads.ts";
import { auditFigures, CHECKED_BLOCKS, faultAtEnd, unsealedSince } from "../audit/state.ts";
import type { Config } from "../config/schema.ts";
import { HOUR_MS, systemClock, toIso } from "../core/clock.ts";
import { keptHeads } from "../rules/proof/head-file.ts";
import { askedOf } from "./database-look.ts";
import type { Finding } from "./doctor-checks.ts";
import { runningServerPid } from "./running-server.ts";

/** A server seals entries within a minute, and signs the head within the hour. */
const SEALED_WITHIN_MS = HOUR_MS;
const LARGE_LAG_BLOCKS = 100;

export async function checkAudit(config: Config): Promise<Finding> {
  const check = "audit trail";
  const found = await askedOf(config, async (reader) => ({
    figures: await auditFigures(reader),
    fault: await faultAtEnd(reader),
    since: await unsealedSince(reader),
  }));
  if (found === null) return { check, state: "ok", message: "None yet." };
  const { figures, fault, since } = found;
  if (fault !== null) {
    const advice = 'Keep a copy of the database, and run "ringward audit verify" here and on a backup.';
    return { check, state: "FAIL", message: `${fault} ${advice}` };
  }
  const { lastNumber, pruned, lagBlocks } = figures;
  const doubts: string[] = [];
  const kept = await keptHeads(join(config.data.dir, HEAD_FILE));
  if (kept.length > 0) {
    doubts.push(`A signed head is not in the chain, so the database was restored or changed: ${kept.join(", ")}.`);
  }
  const isServed = runningServerPid(config) !== null;
  if (isServed && since !== null && systemClock.now() - since > SEALED_WITHIN_MS) {
    doubts.push("Entries wait for their seal: /readyz and the log say why.");
  }
  if (config.syslog.address !== "" && config.audit.syslog && (lagBlocks ?? 0) > LARGE_LAG_BLOCKS) {
    doubts.push(`The syslog collector lacks ${lagBlocks} blocks: /readyz and the log say why.`);
  }
  if (config.audit.keep_days > 0 && config.audit.export_to === "") {
    doubts.push("audit.keep_days removes nothing without a folder in audit.export_to.");
  }
  if (doubts.length > 0) return { check, state: "warn", message: doubts.join(" ") };
  const head = figures.headAt === null ? "No head is signed yet." : `Head of ${toIso(figures.headAt)}.`;
  const all = lastNumber === 0 ? "No entry is sealed yet." : `${lastNumber - pruned} sealed entries, ${pruned} pruned.`;
  return { check, state: "ok", message: `${all} The last ${CHECKED_BLOCKS} blocks verified. ${head}` };
}
