// An audit trail with its chain on a real database: entries, erasures, export, pruning, verification.
import { join } from "node:path";
import { createArchive, type ArchiveDeps } from "../../src/audit/archive.ts";
import { keysOf } from "../../src/audit/prune.ts";
import { createAuditHeads, HEAD_FILE } from "../../src/audit/heads.ts";
import { createAuditSealing } from "../../src/audit/sealing.ts";
import { writeExportFile } from "../../src/audit/export-file.ts";
import { verifyDatabase } from "../../src/audit/verify-database.ts";
import { CONTACT_READ, replaceContactSubject, SUBJECT_REPLACED } from "../../src/accounts/audit-subject-store.ts";
import type { AuditNote } from "../../src/accounts/audit.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../../src/core/actor.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createSecretBox } from "../../src/core/secret-box.ts";
import { createProofKeys } from "../../src/rules/proof/proof-keys.ts";
import { createAccounts } from "./accounts.ts";
import { tempFolder } from "./temp.ts";

export async function createAudited(options: Partial<Pick<ArchiveDeps, "limits" | "delivered">> = {}) {
  const accounts = await createAccounts();
  const { db, clock, ids, audit, organisations } = accounts;
  const { id: organisationId } = await organisations.create({ name: "General", timeZone: "UTC" }, CLI_ACTOR);
  const folder = tempFolder();
  const proofKeys = createProofKeys({
    db,
    clock,
    ids,
    logger: silentLogger,
    secrets: createSecretBox(new Uint8Array(32)),
  });
  const ground = { db, clock, ids, audit, proofKeys, logger: silentLogger };
  const sealing = createAuditSealing(ground);
  const heads = createAuditHeads({ ...ground, headFile: join(folder, HEAD_FILE) });
  const { limits = { keepDays: 0, maxRows: 0, exportTo: "" }, delivered = async () => null } = options;
  const archive = createArchive({ ...ground, limits, delivered });
  const note = (given: Partial<AuditNote> = {}): AuditNote => ({
    organisationId,
    actor: CLI_ACTOR,
    action: "call.read",
    subjectId: "call_1",
    ...given,
  });
  let exports = 0;
  const audited = {
    ...accounts,
    organisationId,
    folder,
    proofKeys,
    sealing,
    heads,
    archive,
    /** Entries of separate commands. */
    async write(count: number, given: Partial<AuditNote> = {}): Promise<void> {
      for (let i = 0; i < count; i++) await db.write((tx) => audit.record(tx, note(given)));
    },
    /** Entries of one command. */
    together: (count: number, given: Partial<AuditNote> = {}) =>
      db.write((tx) =>
        audit.recordAll(
          tx,
          Array.from({ length: count }, () => ({ note: note(given), at: clock.now() })),
        ),
      ),
    readContact: (contactId: string) => audited.write(1, { action: CONTACT_READ, subjectId: contactId }),
    /** As erased-contacts.ts does it. */
    erase: (contactId: string) =>
      db.write(async (tx) => {
        const subjectId = ids.next("gone");
        const entries = await replaceContactSubject(tx, contactId, subjectId);
        if (entries === 0) return;
        const detail = { entries };
        await audit.record(tx, note({ actor: SYSTEM_ACTOR, action: SUBJECT_REPLACED, subjectId, detail }));
      }),
    verify: async () => verifyDatabase({ reader: db.reader, keys: await keysOf(db.reader) }),
    /** The message of the fault; null if the chain is whole. */
    fault: () =>
      audited.verify().then(
        () => null,
        (error: unknown) => (error as Error).message,
      ),
    /** A verified file with everything that is sealed and not pruned; null without an entry. */
    async exportAll(): Promise<string | null> {
      const exported = await archive.exported(clock.now() + 1);
      if (!exported) return null;
      const file = join(folder, `export-${(exports += 1)}.jsonl`);
      await writeExportFile(file, exported.parts);
      await archive.confirm(file);
      return file;
    },
    pruneBefore: async (time: number) => archive.prune(await archive.lastBlockBefore(time), CLI_ACTOR),
    async close(): Promise<void> {
      await sealing.stop();
      await db.close();
    },
  };
  return audited;
}

export type Audited = Awaited<ReturnType<typeof createAudited>>;
