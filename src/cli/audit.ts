// ringward audit export | verify | prune | head
import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { AuditFault } from "../audit/checker.ts";
import { verifyExportFile } from "../audit/export-file.ts";
import type { ExportedPart } from "../audit/export.ts";
import { HEAD_FORMAT, readAuditHead } from "../audit/head.ts";
import { keysOf } from "../audit/prune.ts";
import { verifyDatabase } from "../audit/verify-database.ts";
import { CLI_ACTOR } from "../core/actor.ts";
import { monotonicMs, systemClock } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import { parseIsoTime } from "../core/iso-time.ts";
import { currentKey } from "../rules/proof/key-store.ts";
import { signerOf } from "../rules/proof/proof-keys.ts";
import type { Arguments, Command } from "./command.ts";
import { withServices, type CommandContext } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { assertNew, writeNew } from "./new-file.ts";
import { print, printError } from "./output.ts";

const LARGEST_FILE_BYTES = 100_000;
const EVERY_MS = 5_000;

/** One line to stderr every few seconds. */
function progressOf(what: string): (entries: number) => void {
  let saidAtMs = monotonicMs();
  return (entries) => {
    if (monotonicMs() - saidAtMs < EVERY_MS) return;
    saidAtMs = monotonicMs();
    printError(`${what}: ${entries} entries`);
  };
}

/** A command makes no new signing key: its secret key may not be the server's. */
async function assertSigner({ db, services }: CommandContext): Promise<void> {
  const key = await currentKey(db.reader);
  if (key === null || signerOf(key, services.secrets) !== null) return;
  const message = "The secret key does not open the key that signs the audit trail. Use the secret key of the server.";
  throw new AppError("CONFLICT", message);
}

/** Reads that are noted in batches come to their places first. */
async function sealed({ services }: CommandContext): Promise<void> {
  await services.auditBatches.inPlace();
  await services.auditSealing.sealAll();
}

const timeOf = (args: Arguments, option: string): number | undefined => {
  const text = args.text(option);
  return text === undefined ? undefined : parseIsoTime(`--${option}`, text);
};

export const auditExport: Command = {
  name: "audit export",
  summary:
    "Export the audit trail of all organisations as JSON Lines with its hashes and a signed head, and verify it.",
  options: {
    to: { type: "string", value: "FILE", help: "A new file. What it has may be pruned later.", required: true },
    until: { type: "string", value: "TIME", help: "Only entries before this time (ISO 8601 with offset)." },
  },
  run: (args) =>
    withServices(args, async (context) => {
      const { auditArchive } = context.services;
      const file = resolve(args.text("to") ?? "");
      assertNew(file);
      await assertSigner(context);
      await sealed(context);
      const exported = await auditArchive.exported(timeOf(args, "until") ?? systemClock.now() + 1);
      if (exported === null) throw new AppError("NOT_FOUND", "There is no entry before this time.");
      return told(async () => {
        await writeNew(file, textsOf(exported.parts));
        const { entries, end } = await auditArchive.confirm(file);
        print(`${file}: ${entries} entries, up to entry ${end.lastNumber} in block ${end.sequence}, verified.`);
      });
    }),
};

async function* textsOf(parts: AsyncIterable<ExportedPart>): AsyncGenerator<string, void> {
  const step = progressOf("Exporting");
  for await (const { text, entries } of parts) {
    yield text;
    step(entries);
  }
}

/** Prints a fault of the trail; it is a result, and no failure of the command. */
async function told(work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof AuditFault)) throw error;
    printError(`Not valid: ${error.message}`);
    return EXIT.failed;
  }
}

export const auditVerify: Command = {
  name: "audit verify",
  summary:
    "Verify the audit trail of the database, or an exported FILE without the appliance. Names the first bad entry.",
  positionals: ["[FILE]"],
  options: {
    key: {
      type: "string",
      value: "FILE",
      help: "Public keys of the appliance, from ringward proof key. For a FILE; without it, any key is accepted.",
    },
    head: { type: "string", value: "FILE", help: "A head that was kept elsewhere; the database must have its block." },
  },
  run(args) {
    const [file] = args.positionals;
    return told(() => (file === undefined ? verifyStored(args) : verifyFile(args, file)));
  },
};

async function verifyStored(args: Arguments): Promise<void> {
  await withServices(args, async (context) => {
    const { db, services } = context;
    await services.auditBatches.inPlace();
    const keys = await keysOf(db.reader);
    const headFile = args.text("head");
    const head = headFile === undefined ? null : readAuditHead(readText(headFile).trimEnd(), HEAD_FORMAT, keys);
    const found = await verifyDatabase({ reader: db.heavy, keys, head, progress: progressOf("Verifying") });
    const parts = [`${found.entries} entries in ${found.blocks} blocks`];
    if (found.pruned > 0) parts.push(`${found.pruned} entries were pruned before`);
    if (found.unsealed > 0) parts.push(`${found.unsealed} entries wait for their seal`);
    print(`Valid: ${parts.join(", ")}.`);
    return EXIT.done;
  });
}

async function verifyFile(args: Arguments, file: string): Promise<void> {
  const keyFile = args.text("key");
  if (!existsSync(file)) throw new AppError("VALIDATION_ERROR", `${file} does not exist.`);
  const keys = keyFile === undefined ? null : new Set(readText(keyFile).match(/\b[0-9a-f]{64}\b/g) ?? []);
  if (keys?.size === 0) throw new AppError("VALIDATION_ERROR", `${keyFile} has no public key.`);
  const { entries, after, head } = await verifyExportFile(file, keys, progressOf("Verifying"));
  print(`Valid: ${entries} entries, ${after.lastNumber + 1} to ${head.entries}, signed ${head.at}.`);
  if (!keys) print(`Signed with ${head.key}. Compare it with the appliance's key.`);
}

/** Keys and heads are small. */
function readText(file: string): string {
  try {
    if (statSync(file).size <= LARGEST_FILE_BYTES) return readFileSync(file, "utf8");
  } catch (error) {
    throw new AppError("VALIDATION_ERROR", `${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  throw new AppError("VALIDATION_ERROR", `${file} is too large to be a file of keys or a head.`);
}

export const auditPrune: Command = {
  name: "audit prune",
  summary: "Remove audit entries that an export has: the file is verified again first, and a signed stub stays.",
  options: {
    before: { type: "string", value: "TIME", help: "Only entries before this time.", required: true },
  },
  run: (args) =>
    withServices(args, async (context) => {
      await assertSigner(context);
      const { auditArchive } = context.services;
      const last = await auditArchive.lastBlockBefore(timeOf(args, "before") ?? 0);
      const { entries, blocks } = await auditArchive.prune(last, CLI_ACTOR, progressOf("Pruning"));
      print(
        entries === 0
          ? "There is nothing to prune before this time."
          : `${entries} entries in ${blocks} blocks pruned.`,
      );
      return EXIT.done;
    }),
};

export const auditHead: Command = {
  name: "audit head",
  summary: "Sign and print the head of the audit trail, to keep it elsewhere.",
  run: (args) =>
    withServices(args, async (context) => {
      await assertSigner(context);
      await sealed(context);
      const head = await context.services.auditHeads.sign();
      if (head === null) throw new AppError("NOT_FOUND", "There is no audit entry yet.");
      print(head);
      return EXIT.done;
    }),
};
