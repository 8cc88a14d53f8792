// Wires the audit chain: sealing, heads, exports and pruning, and the stream to syslog.
import { join } from "node:path";
import { createArchive, type ArchiveDeps } from "../audit/archive.ts";
import { createAuditHeads, HEAD_FILE, type AuditHeadsDeps } from "../audit/heads.ts";
import { createAuditSealing, type SealingDeps } from "../audit/sealing.ts";
import { createAuditStream } from "../audit/stream.ts";
import type { Config } from "../config/schema.ts";
import { syslogOf } from "./syslog.ts";

export type AuditGround = SealingDeps &
  Omit<AuditHeadsDeps, "headFile"> &
  Omit<ArchiveDeps, "limits" | "delivered"> & { config: Config };

export function createAuditChain(ground: AuditGround) {
  const { data, audit } = ground.config;
  const auditStream = createAuditStream({ ...ground, syslog: audit.syslog ? syslogOf(ground.config) : null });
  const limits = { keepDays: audit.keep_days, maxRows: audit.max_rows, exportTo: audit.export_to };
  return {
    auditSealing: createAuditSealing(ground),
    auditHeads: createAuditHeads({ ...ground, headFile: join(data.dir, HEAD_FILE) }),
    auditStream,
    auditArchive: createArchive({ ...ground, limits, delivered: auditStream.delivered }),
  };
}
