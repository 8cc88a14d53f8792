// ringward apply: makes an organisation as a file says. The plan is printed first. The same file applied again changes
// nothing.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { allOrganisations } from "../accounts/organisation-store.ts";
import { createServices } from "../compose/services.ts";
import type { Config } from "../config/schema.ts";
import { systemClock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { silentLogger } from "../core/logger.ts";
import { isRestorePending } from "../db/archive/pending-restore.ts";
import { isServed, lookAtDatabase, openDatabase } from "../db/database.ts";
import { DatabaseError } from "../db/open-fault.ts";
import { assertRootKey } from "../db/key-check.ts";
import { loadSealingKey } from "../db/folder-keys.ts";
import type { ApplyFile } from "./apply/file-schema.ts";
import { PRUNABLE } from "./apply/file-schema.ts";
import { Ground } from "./apply/ground.ts";
import { applyPlan, leftWords, makePlan, openSteps, planRows, planView, pruneOf, type Plan } from "./apply/plan.ts";
import { faulty, readApplyFile } from "./apply/read-file.ts";
import { UsageError, type Arguments, type Command } from "./command.ts";
import { configOf, JSON_OPTION, placeOf } from "./context.ts";
import { print, printError, printJson, printTable } from "./output.ts";
import { besideServer } from "./running-server.ts";

export const apply: Command = {
  name: "apply",
  summary: "Make an organisation as a TOML or JSON file says: print the plan, then apply it.",
  positionals: ["FILE"],
  options: {
    "dry-run": { type: "boolean", help: "Print the plan; change nothing." },
    yes: { type: "boolean", help: "Apply without asking." },
    prune: {
      type: "string",
      value: "KINDS",
      help: `Remove objects that the file does not name, of these kinds, comma-separated: ${PRUNABLE.join(", ")}.`,
    },
    org: { type: "string", value: "ID", help: "The organisation, if the file gives it another name." },
    ...JSON_OPTION,
  },
  outlivesReader: true,
  async run(args) {
    // A reader that closes the pipe early must not end a run half way.
    process.stdout.on("error", () => {});
    const task = taskOf(args);
    const { plan } = await withGround(task, "look", (ground) => planned(task, ground));
    if (openSteps(plan).length === 0) return ended(task, plan, "Nothing to change.");
    if (args.flag("dry-run")) return ended(task, plan, "Nothing was changed (--dry-run).");
    if (!task.isJson) showPlan(plan);
    if (!args.flag("yes") && !(await isConfirmed(task))) {
      printError("Nothing was changed.");
      return 1;
    }
    const steps = await withGround(task, "change", async (ground) => {
      const again = await planned(task, ground);
      if (again.shown !== JSON.stringify(planView(plan)))
        throw new AppError("CONFLICT", "The appliance was changed in the meantime. Nothing was applied; run it again.");
      return applyPlan(again.plan, task.isJson ? () => {} : print);
    });
    if (task.isJson) printJson({ ...planView(plan), applied: steps });
    else print(`Done: ${steps} ${steps === 1 ? "step" : "steps"}.`);
    return 0;
  },
};

interface Task {
  path: string;
  file: ApplyFile;
  config: Config;
  args: Arguments;
  isJson: boolean;
}

function taskOf(args: Arguments): Task {
  const [path = ""] = args.positionals;
  const config = besideServer(configOf(args));
  const file = readApplyFile(path);
  const isJson = args.flag("json");
  if (isJson && !args.flag("yes") && !args.flag("dry-run")) throw new UsageError("--json needs --yes or --dry-run.");
  return { path, file, config, args, isJson };
}

async function planned({ path, args }: Task, ground: Ground): Promise<{ plan: Plan; shown: string }> {
  const plan = await makePlan(ground, args.text("org"));
  if (plan.faults.length > 0) throw faulty(path, plan.faults);
  return { plan, shown: JSON.stringify(planView(plan)) };
}

/**
 * `look`: what is not there yet is replaced by an empty database and a key in a temporary folder, which is removed
 * afterwards. `change`: creates the data folder and the database if they are missing.
 */
async function withGround<T>(task: Task, purpose: "look" | "change", work: (ground: Ground) => Promise<T>): Promise<T> {
  const { config } = task;
  const isThere = await hasDatabase(config);
  const hasFolder = existsSync(config.data.dir);
  if (isThere && hasFolder) return onDatabase(task, config, "command", work);
  if (purpose === "look") return onScratch(task, isThere, work);
  return onDatabase(task, config, (await isServed(placeOf(config))) ? "command" : "server", work);
}

async function hasDatabase(config: Config): Promise<boolean> {
  if (isRestorePending(config.data.dir)) return true;
  const look = await lookAtDatabase(placeOf(config));
  await look?.close();
  return look !== null && look.schema > 0;
}

/** `isThere`: a database on PostgreSQL, whose data folder is missing. */
async function onScratch<T>(task: Task, isThere: boolean, work: (ground: Ground) => Promise<T>): Promise<T> {
  const { data, database } = task.config;
  if (isThere) await assertUnused(task.config);
  const dir = mkdtempSync(join(tmpdir(), "ringward-plan-"));
  try {
    const config = { ...task.config, data: { ...data, dir }, database: isThere ? database : { ...database, url: "" } };
    return await onDatabase(task, config, isThere ? "command" : "server", work);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function assertUnused(config: Config): Promise<void> {
  const look = await lookAtDatabase(placeOf(config));
  try {
    if (look === null || (await allOrganisations(look.reader)).length === 0) return;
  } finally {
    await look?.close();
  }
  throw new DatabaseError(
    `The database is in use, but there is no folder ${config.data.dir}. Name its data folder with --data: it holds the key.`,
  );
}

async function onDatabase<T>(
  { file, path, args }: Task,
  config: Config,
  as: "command" | "server",
  work: (ground: Ground) => Promise<T>,
): Promise<T> {
  const db = await openDatabase(placeOf(config), { logger: silentLogger, as });
  try {
    const rootKey = await loadSealingKey(placeOf(config), db.reader);
    await assertRootKey(db.reader, rootKey);
    const services = createServices({ config, db, clock: systemClock, logger: silentLogger, rootKey });
    const prune = pruneOf(args.text("prune"), (kind) => file[kind] !== undefined);
    const folder = dirname(resolve(path));
    return await work(new Ground({ services, db, config, clock: systemClock, file, folder, prune }));
  } finally {
    await db.close();
  }
}

function showPlan(plan: Plan): void {
  printTable(["plan", "kind", "name", "fields"], planRows(plan));
  const left = leftWords(plan);
  if (left !== "") print(left);
  for (const warning of plan.warnings) printError(`Warning: ${warning}`);
}

function ended({ isJson }: Task, plan: Plan, words: string): number {
  if (isJson) printJson({ ...planView(plan), applied: 0 });
  else {
    showPlan(plan);
    print(words);
  }
  return 0;
}

async function isConfirmed({ path }: Task): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError("Confirm the plan with --yes, or run this on a terminal.");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(`Apply ${path}? Type yes: `)).trim() === "yes";
  } finally {
    terminal.close();
  }
}
