// Runs the benchmark parts one after the other, each in a separate process, and prints their findings. Exits 1 if a
// goal is missed or a part failed; parts that lack a program are skipped and reported.
import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BINARY } from "../test/support/binary.ts";
import { machineWords } from "./benches/machine.ts";
import { LEFT_OUT_OF_QUICK, ONLY_IF_NAMED, PARTS } from "./benches/parts.ts";
import { asMarkdown, asTable, figuresTable, type PartFound } from "./benches/report.ts";
import type { Told } from "./benches/run-part.ts";
import { readFigures, writeFigures } from "./figures-page.ts";

const ROOT = join(import.meta.dir, "..");

const HELP = `./scripts/bench [PART …] [--quick] [--markdown] [-- options of the part]
  all parts, or those named, each against a bare limit or a smaller size in the same run
  --quick      short forms, in less than two minutes; without ${LEFT_OUT_OF_QUICK.join(", ")} unless they are named
  --markdown   the table as it stands in the handbook
  --write      also writes the table into src/handbook/figures.json and the handbook, where these parts have one
  --list       the parts, with a line on each
The executable is built first where it is missing or older than its sources (RINGWARD_BINARY names another one).
Exits with 1 where a goal does not hold or a part fails.`;

/** Sources of the executable. */
const SOURCES = ["src/**", "migrations/*", "config/*", "package.json", "bun.lock", "scripts/build.ts"];

function asked() {
  const [, , ...given] = process.argv;
  const own = given.indexOf("--");
  const { values, positionals } = parseArgs({
    args: own === -1 ? given : given.slice(0, own),
    options: {
      quick: { type: "boolean", default: false },
      markdown: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !(name in PARTS));
  if (unknown.length > 0) {
    throw new Error(`There is no part ${unknown.join(", ")}. There are: ${Object.keys(PARTS).join(", ")}.`);
  }
  const args = own === -1 ? [] : given.slice(own + 1);
  if (args.length > 0 && positionals.length !== 1) throw new Error("Options after -- are those of one part: name it.");
  const leftOut = [...ONLY_IF_NAMED, ...(values.quick ? LEFT_OUT_OF_QUICK : [])];
  const all = Object.keys(PARTS).filter((name) => !leftOut.includes(name));
  return { ...values, args, names: positionals.length > 0 ? positionals : all };
}

const timeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Rebuilds an outdated executable, because its figures would be of another version. */
async function build(names: readonly string[]): Promise<void> {
  if (process.env["RINGWARD_BINARY"]) return;
  const parts = await Promise.all(names.map(async (name) => PARTS[name]?.()));
  if (parts.every((part) => part?.withoutExecutable)) return;
  const builtAt = timeOf(BINARY);
  const isNewer = (glob: string) => [...new Bun.Glob(glob).scanSync(ROOT)].some((file) => timeOf(file) > builtAt);
  if (builtAt > 0 && !SOURCES.some(isNewer)) return;
  console.error("building the executable");
  const run = Bun.spawnSync([process.execPath, "scripts/build.ts", "--full"], { cwd: ROOT, stdout: 2, stderr: 2 });
  if (!run.success) throw new Error("The build failed.");
}

async function runPart(name: string, quick: boolean, args: readonly string[]): Promise<PartFound> {
  const startedMs = performance.now();
  const heard: Told[] = [];
  const own = args.length > 0 ? ["--", ...args] : [];
  // Progress goes to stderr, so stdout has only the table.
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "benches/run-part.ts"), name, ...(quick ? ["--quick"] : []), ...own],
    { cwd: ROOT, stdin: "ignore", stdout: 2, stderr: 2, ipc: (message: Told) => void heard.push(message) },
  );
  await child.exited;
  const [told = { kind: "failed", reason: "it ended without a word" } as const] = heard;
  const seconds = (performance.now() - startedMs) / 1_000;
  console.error(
    `${name}: ${told.kind === "found" ? "done" : `${told.kind}: ${told.reason}`} (${seconds.toFixed(1)} s)`,
  );
  return { name, told };
}

/** The name in figures.json of the table of these parts, as shown in the handbook. */
async function figuresOf(command: string): Promise<string> {
  const found = Object.entries(await readFigures()).find(([, figures]) => figures.command === command);
  if (!found) throw new Error(`src/handbook/figures.json has no figures of "${command}".`);
  return found[0];
}

async function main(): Promise<number> {
  const { names, quick, markdown, write, list, help, args } = asked();
  if (help) return (console.log(HELP), 0);
  if (list) {
    for (const [name, load] of Object.entries(PARTS)) console.log(`${name.padEnd(15)}${(await load()).about}`);
    return 0;
  }
  // Checked before the run, which takes 40 minutes.
  const command = ["./scripts/bench", ...names, ...(args.length > 0 ? ["--", ...args] : [])].join(" ");
  const figures = write ? await figuresOf(command) : null;
  const date = new Date().toISOString().slice(0, 10);
  await build(names);
  const heading = machineWords(quick);
  const found: PartFound[] = [];
  for (const name of names) found.push(await runPart(name, quick, args));
  console.log(markdown ? asMarkdown(heading, found) : asTable(heading, found));
  if (figures !== null)
    await writeFigures({ [figures]: { command, date, machine: heading, table: figuresTable(found) } });
  const isFailed = ({ told }: PartFound) =>
    told.kind === "failed" || (told.kind === "found" && told.findings.some(({ holds }) => holds === false));
  return found.some(isFailed) ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
