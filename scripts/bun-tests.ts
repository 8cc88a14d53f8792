// Runs `bun test` over some files, and counts what passed, failed and was skipped.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  /** How many of them are tests, as opposed to checks such as lint. */
  tests: number;
  /** What failed, by name. */
  failures: string[];
  /** What was skipped, with the reason. */
  skips: Skip[];
}

export interface Skip {
  file: string;
  tests: number;
  reason: string;
}

/** For one test, on a machine that others keep busy. */
const TIMEOUT_MS = 180_000;

export const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0, tests: 0, failures: [], skips: [] };

export function sumOf(a: Tally, b: Tally): Tally {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    tests: a.tests + b.tests,
    failures: [...a.failures, ...b.failures],
    skips: [...a.skips, ...b.skips],
  };
}

/** The last `12 pass` line of bun's summary. Its junit file is no substitute: it leaves out files that fail to load. */
function summaryCount(output: string, word: "pass" | "fail" | "skip" | "todo"): number {
  const lines = [...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, "gm"))];
  return Number(lines.at(-1)?.[1] ?? 0);
}

/** Of what a failed test said: a log that keeps the end alone must tell why. */
const MOST_WORDS = 30;

const FILE_LINE = /^(test\/\S+\.test\.ts):$/;

/** `test/calls/create.test.ts: a call is made`, for each one that failed, and below it what it said. */
export function failedTests(output: string): string[] {
  let file = "";
  let said: string[] = [];
  const failed: string[] = [];
  for (const line of Bun.stripANSI(output).split("\n")) {
    file = FILE_LINE.exec(line)?.[1] ?? file;
    // At its end bun names them all once more.
    if (/^\d+ tests? failed:$/.test(line)) break;
    const name = /^(?:\(fail\)|✗) (.*?)(?: \[[\d.]+m?s\])?$/.exec(line)?.[1];
    if (name !== undefined) failed.push([`${file}: ${name}`, ...said.slice(-MOST_WORDS)].join("\n"));
    if (name !== undefined || /^(?:\(pass\)|✓) |^test\/\S+\.test\.ts:$/.test(line)) said = [];
    else if (line.trim() !== "") said.push(`      ${line}`);
  }
  return failed;
}

/** Skipped tests by file, with the reasons that skipsFor of test/support/skips.ts told there. */
export function skippedTests(output: string): Skip[] {
  const found = new Map<string, { tests: number; reasons: Set<string> }>();
  let file = "";
  for (const line of Bun.stripANSI(output).split("\n")) {
    file = FILE_LINE.exec(line)?.[1] ?? file;
    if (/^\d+ tests? skipped:$/.test(line)) break;
    const reason = /^SKIPS: (.*)$/.exec(line)?.[1];
    const isSkip = /^(?:\((?:skip|todo)\)|[»✎]) /.test(line);
    if (reason === undefined && !isSkip) continue;
    const at = found.get(file) ?? { tests: 0, reasons: new Set() };
    found.set(file, at);
    if (reason === undefined) at.tests++;
    else at.reasons.add(reason);
  }
  return [...found]
    .filter(([, { tests }]) => tests > 0)
    .map(([name, { tests, reasons }]) => ({
      file: name,
      tests,
      reason: [...reasons].join("; ") || "the test gives no reason",
    }));
}

/** Passed on by whole lines, so that two runs side by side do not tear each other's apart. */
async function passedOn(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let shown = 0;
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf("\n") + 1;
    process.stderr.write(text.slice(shown, end));
    shown = end;
  }
  process.stderr.write(text.slice(shown));
  return text;
}

/** For everything that the tests of one process write: it goes with the process, however that ends. */
function openTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ringward-tests-"));
  // Some tests run the executable as another user.
  chmodSync(folder, 0o755);
  return folder;
}

/** Their telephones and people talk in real time: on a full machine the others, who can wait, let them go first. */
const GO_FIRST = ["nice", "-n", "-10"];

export interface TestRun {
  env: Record<string, string>;
  /** Before the others, where the machine is busy. */
  isUrgent: boolean;
}

export interface TestsRun extends Tally {
  /** By file. */
  seconds: Record<string, number>;
}

export async function runBunTests(files: string[], { env, isUrgent }: TestRun): Promise<TestsRun> {
  const mayGoFirst = isUrgent && process.getuid?.() === 0;
  const folder = openTempFolder();
  const timings = `${folder}.json`;
  const command = [
    process.execPath,
    "test",
    `--timeout=${TIMEOUT_MS}`,
    `--timings=${timings}`,
    "--update-timings",
    ...files.map((file) => `./${file}`),
  ];
  const child = Bun.spawn(mayGoFirst ? [...GO_FIRST, ...command] : command, {
    env: { ...process.env, ...env, TMPDIR: folder },
    stdout: "inherit",
    stderr: "pipe",
  });
  const [output, exitCode] = await Promise.all([passedOn(child.stderr), child.exited]);
  const seconds = await secondsIn(timings);
  for (const path of [folder, timings]) rmSync(path, { recursive: true, force: true });

  const passed = summaryCount(output, "pass");
  const failures = failedTests(output);
  let failed = summaryCount(output, "fail");
  // A crash, or a complaint that bun counts as no test's failure, shows in the exit code alone.
  if (exitCode !== 0 && failed === 0) failed = 1;
  if (failed > failures.length) failures.push(`outside of a test, exit code ${exitCode}: ${files.join(", ")}`);
  const skipped = summaryCount(output, "skip") + summaryCount(output, "todo");
  return { passed, failed, skipped, tests: passed + failed, failures, skips: skippedTests(output), seconds };
}

/** What bun measured: `{ "files": { "test/architecture.test.ts": 535 } }`, in milliseconds. */
async function secondsIn(timings: string): Promise<Record<string, number>> {
  const file = Bun.file(timings);
  // A process that was killed writes none.
  if (!(await file.exists())) return {};
  const { files } = (await file.json()) as { files: Record<string, number> };
  return Object.fromEntries(Object.entries(files).map(([name, ms]) => [name, Math.ceil(ms / 100) / 10]));
}

/** How many tests are in a file that cannot run here: it is loaded, and a name is asked for that no test has. */
export async function countTests(file: string): Promise<number> {
  const child = Bun.spawn([process.execPath, "test", "-t", "^no test has this name$", `./${file}`], {
    stdout: "ignore",
    stderr: "pipe",
  });
  const output = await new Response(child.stderr).text();
  // A file that cannot even be loaded here counts as one.
  return Number(/\(skipping (\d+) tests?\)/.exec(output)?.[1] ?? 1);
}
