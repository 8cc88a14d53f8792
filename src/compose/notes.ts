// Notes for /readyz: why the appliance is not ready, or what an operator should know, by subject.
import type { Config } from "../config/schema.ts";
import { unenforcedOverSip } from "../config/unenforced.ts";
import { encryptionNote } from "../db/encryption-state.ts";
import type { KeptBackups } from "../db/kept-backups/kept-backups.ts";
import type { HealthDeps } from "../http/health.ts";
import type { createTrustedClock } from "../scheduler/trusted-clock.ts";
import type { Calling } from "./calls.ts";
import type { Services } from "./services.ts";

interface Noted {
  /** Null if there is nothing to report. */
  note(): string | null;
}

export interface NotesDeps {
  config: Config;
  services: Pick<Services, "sealing" | "proofHeads" | "auditSealing" | "auditHeads" | "auditStream" | "auditArchive">;
  trustedClock: Pick<ReturnType<typeof createTrustedClock>, "notes">;
  keptBackups: Pick<KeptBackups, "notes">;
  calling: Pick<Calling, "speaking">;
  log: Noted | undefined;
  lineage: Noted;
  certificates: Noted;
}

export function notesOf(deps: NotesDeps): HealthDeps["notes"] {
  const { config, services, trustedClock, keptBackups, calling, log, lineage, certificates } = deps;
  const encryption = encryptionNote({ ...config, dataDir: config.data.dir });
  return () => ({
    ...trustedClock.notes(),
    ...keptBackups.notes(),
    ...noted({ log, database: lineage, certificate: certificates }),
    ...noted({ proofs: services.sealing, proof_heads: services.proofHeads }),
    ...noted(auditNotes(services)),
    ...calling.speaking.notes(),
    rules: unenforcedOverSip(config),
    encryption,
  });
}

const auditNotes = ({ auditSealing, auditHeads, auditStream, auditArchive }: NotesDeps["services"]) => ({
  audit_sealing: auditSealing,
  audit_heads: auditHeads,
  audit_syslog: auditStream,
  audit_limits: auditArchive,
});

const noted = (subjects: Record<string, Noted | undefined>): Record<string, string | null> =>
  Object.fromEntries(Object.entries(subjects).map(([name, subject]) => [name, subject?.note() ?? null]));
