// Runs `bun test` on some files, and counts passed, failed and skipped tests.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  /** How many of them are tests, as opposed to checks such as lint. */
  tests: number;
  /** Names of failed tests. */
  failures: string[];
  /** Skipped tests with the reason. */
  skips: Skip[];
}

export interface Skip {
  file: string;
  tests: number;
  reason: string;
}

/** Per test, on a busy machine. */
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

/**
 * The last `12 pass` line of bun's summary. The junit file is no substitute, because it omits files that fail to load.
 */
function summaryCount(output: string, word: "pass" | "fail" | "skip" | "todo"): number {
  const lines = [...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, "gm"))];
  return Number(lines.at(-1)?.[1] ?? 0);
}

/** Lines kept of a failed test's output, so a log that keeps only its end shows the cause. */
const MOST_WORDS = 30;

const FILE_LINE = /^(test\/\S+\.test\.ts):$/;

/** `test/calls/create.test.ts: a call is made` for each failed test, followed by its output. */
export function failedTests(output: string): string[] {
  let file = "";
  let said: string[] = [];
  const failed: string[] = [];
  for (const line of Bun.stripANSI(output).split("\n")) {
    file = FILE_LINE.exec(line)?.[1] ?? file;
    // At the end bun lists all failures again.
    if (/^\d+ tests? failed:$/.test(line)) break;
    const name = /^(?:\(fail\)|✗) (.*?)(?: \[[\d.]+m?s\])?$/.exec(line)?.[1];
    if (name !== undefined) failed.push([`${file}: ${name}`, ...said.slice(-MOST_WORDS)].join("\n"));
    if (name !== undefined || /^(?:\(pass\)|✓) |^test\/\S+\.test\.ts:$/.test(line)) said = [];
    else if (line.trim() !== "") said.push(`      ${line}`);
  }
  return failed;
}

/** Skipped tests by file, with the reasons printed by skipsFor of test/support/skips.ts. */
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

/** Forwards whole lines, so two parallel runs do not interleave within a line. */
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

/** Temporary folder of all tests in one process; removed when the process ends, in any way. */
function openTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ringward-tests-"));
  // Some tests run the executable as another user.
  chmodSync(folder, 0o755);
  return folder;
}

/** Higher priority for tests whose phones and people talk in real time; other tests can wait. */
const GO_FIRST = ["nice", "-n", "-10"];

export interface TestRun {
  env: Record<string, string>;
  /** Runs before the others on a busy machine. */
  isUrgent: boolean;
}

export interface TestsRun extends Tally {
  /** Keyed by file. */
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
  // A crash, or an error that bun assigns to no test, shows only in the exit code.
  if (exitCode !== 0 && failed === 0) failed = 1;
  if (failed > failures.length) failures.push(`outside of a test, exit code ${exitCode}: ${files.join(", ")}`);
  const skipped = summaryCount(output, "skip") + summaryCount(output, "todo");
  return { passed, failed, skipped, tests: passed + failed, failures, skips: skippedTests(output), seconds };
}

/** bun's measurements in milliseconds: `{ "files": { "test/architecture.test.ts": 535 } }`. */
async function secondsIn(timings: string): Promise<Record<string, number>> {
  const file = Bun.file(timings);
  // A killed process writes no file.
  if (!(await file.exists())) return {};
  const { files } = (await file.json()) as { files: Record<string, number> };
  return Object.fromEntries(Object.entries(files).map(([name, ms]) => [name, Math.ceil(ms / 100) / 10]));
}

/** Number of tests in a file that cannot run here: loads it with a name filter that matches no test. */
export async function countTests(file: string): Promise<number> {
  const child = Bun.spawn([process.execPath, "test", "-t", "^no test has this name$", `./${file}`], {
    stdout: "ignore",
    stderr: "pipe",
  });
  const output = await new Response(child.stderr).text();
  // A file that cannot be loaded here counts as one test.
  return Number(/\(skipping (\d+) tests?\)/.exec(output)?.[1] ?? 1);
}
