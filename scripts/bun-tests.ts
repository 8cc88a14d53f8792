// Runs `bun test` over a set of files, several at once, and counts what came of it.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLong, isWaiting } from "./test-plan.ts";

export interface Tally {
  passed: number;
  failed: number;
  /** How many of them are tests, as opposed to checks such as lint. */
  tests: number;
  /** What failed, by name. */
  failures: string[];
}

/** For one test, on a machine that others keep busy. */
const TIMEOUT_MS = 180_000;

export const NOTHING: Tally = { passed: 0, failed: 0, tests: 0, failures: [] };

export function sumOf(a: Tally, b: Tally): Tally {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    tests: a.tests + b.tests,
    failures: [...a.failures, ...b.failures],
  };
}

/** The last `12 pass` line of bun's summary. Its junit file is no substitute: it leaves out files that fail to load. */
function summaryCount(output: string, word: "pass" | "fail" | "skip" | "todo"): number {
  const lines = [...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, "gm"))];
  return Number(lines.at(-1)?.[1] ?? 0);
}

/** Of what a failed test said: a log that keeps the end alone must tell why. */
const MOST_WORDS = 30;

/** `test/calls/a.test.ts: a call is made`, for each one that failed, and below it what it said. */
export function failedTests(output: string): string[] {
  let file = "";
  let said: string[] = [];
  const failed: string[] = [];
  for (const line of Bun.stripANSI(output).split("\n")) {
    file = /^(test\/\S+\.test\.ts):$/.exec(line)?.[1] ?? file;
    // At its end bun names them all once more.
    if (/^\d+ tests? failed:$/.test(line)) break;
    const name = /^(?:\(fail\)|✗) (.*?)(?: \[[\d.]+m?s\])?$/.exec(line)?.[1];
    if (name !== undefined) failed.push([`${file}: ${name}`, ...said.slice(-MOST_WORDS)].join("\n"));
    if (name !== undefined || /^(?:\(pass\)|✓) |^test\/\S+\.test\.ts:$/.test(line)) said = [];
    else if (line.trim() !== "") said.push(`      ${line}`);
  }
  return failed;
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

/**
 * In three processes at once: two begin with the long tests, and the third with those that mostly wait. Each takes the next few
 * files when it is done with its last, whatever is left, so that none ends long before the others.
 */
export async function runBunTestsInLanes(files: string[], env: Record<string, string>): Promise<Tally> {
  if (files.length === 0) console.log("There are no tests here yet.");
  const waiting = files.filter(isWaiting);
  const long = files.filter((file) => isLong(file) && !isWaiting(file));
  const rest = files.filter((file) => !isLong(file) && !isWaiting(file));
  let total = NOTHING;
  const nextOf = (...queues: string[][]): string[] => {
    const queue = queues.find(({ length }) => length > 0) ?? [];
    // Fewer and fewer: starting a process costs half a second, and the last ones must end together.
    return queue.splice(0, queue === rest ? Math.ceil(rest.length / 9) : 1);
  };
  const lane = async (take: () => string[]): Promise<void> => {
    for (let taken = take(); taken.length > 0; taken = take()) {
      // Awaited first: the other lanes add to the total meanwhile.
      const tally = await runBunTests(taken, env);
      total = sumOf(total, tally);
    }
  };
  const busy = () => nextOf(long, rest, waiting);
  const patient = () => nextOf(waiting, long, rest);
  await Promise.all([lane(busy), lane(busy), lane(patient)]);
  return total;
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

async function runBunTests(files: string[], env: Record<string, string>): Promise<Tally> {
  const mayGoFirst = process.getuid?.() === 0 && files.some(isWaiting);
  const command = [process.execPath, "test", `--timeout=${TIMEOUT_MS}`, ...files.map((file) => `./${file}`)];
  const folder = openTempFolder();
  const child = Bun.spawn(mayGoFirst ? [...GO_FIRST, ...command] : command, {
    env: { ...process.env, ...env, TMPDIR: folder },
    stdout: "inherit",
    stderr: "pipe",
  });
  const [output, exitCode] = await Promise.all([passedOn(child.stderr), child.exited]);
  rmSync(folder, { recursive: true, force: true });

  const passed = summaryCount(output, "pass");
  const failures = failedTests(output);
  let failed = summaryCount(output, "fail");
  // A crash, or a complaint that bun counts as no test's failure, shows in the exit code alone.
  if (exitCode !== 0 && failed === 0) failed = 1;
  if (failed > failures.length) failures.push(`outside of a test, exit code ${exitCode}: ${files.join(", ")}`);
  const skipped = summaryCount(output, "skip") + summaryCount(output, "todo");
  if (skipped > 0 && process.env["CI"] === "true") {
    failures.push(`${skipped} skipped, which with CI=true count as failed: ${files.join(", ")}`);
    failed += skipped;
  }
  return { passed, failed, tests: passed + failed, failures };
}
