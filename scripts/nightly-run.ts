// Runs parts one after the other, each with its own log, and continues after a failure.
import { mkdirSync, openSync, closeSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Part } from "./nightly-parts.ts";

export interface Outcome {
  name: string;
  result: "passed" | "measured" | "FAILED" | "NOT RUN";
  seconds: number;
  /** The last line of its log, which is the summary of most parts. */
  lastLine: string;
  log: string;
}

export interface Night {
  /** Working directory of the commands. */
  root: string;
  /** Folder of the logs. */
  folder: string;
  seed: number;
  /** Called after each part. */
  tell: (outcome: Outcome) => void;
}

export async function runParts(parts: readonly Part[], night: Night): Promise<Outcome[]> {
  mkdirSync(night.folder, { recursive: true });
  const outcomes: Outcome[] = [];
  for (const part of parts) {
    const isBuildFailed = outcomes.some(({ name, result }) => name === "build" && result === "FAILED");
    const outcome = part.needsBuild && isBuildFailed ? notRun(part, night) : await runPart(part, night);
    outcomes.push(outcome);
    night.tell(outcome);
  }
  return outcomes;
}

const logOf = ({ name }: Part, { folder }: Night) => join(folder, `${name}.log`);

/** Not run, because an outdated executable would prove nothing. */
const notRun = (part: Part, night: Night): Outcome => ({
  name: part.name,
  result: "NOT RUN",
  seconds: 0,
  lastLine: "the build failed",
  log: logOf(part, night),
});

async function runPart(part: Part, night: Night): Promise<Outcome> {
  const startedMs = performance.now();
  const log = logOf(part, night);
  const file = openSync(log, "w");
  const exitCode = await exitCodeOf(part, night, file);
  closeSync(file);
  const passed = part.isMeasurement ? "measured" : "passed";
  return {
    name: part.name,
    result: exitCode === 0 ? passed : "FAILED",
    seconds: Math.round((performance.now() - startedMs) / 1000),
    lastLine: typeof exitCode === "string" ? exitCode : lastLineOf(readFileSync(log, "utf8")),
    log,
  };
}

/** The exit code, or why the command could not be started. */
async function exitCodeOf({ command }: Part, { root, seed }: Night, log: number): Promise<number | string> {
  const words = command.map((word) => (word === "SEED" ? String(seed) : word));
  try {
    return await Bun.spawn(words, { cwd: root, stdin: "ignore", stdout: log, stderr: log }).exited;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const MOST_LETTERS = 120;

function lastLineOf(text: string): string {
  const lines = Bun.stripANSI(text).split(/[\r\n]+/);
  return (lines.findLast((line) => line.trim() !== "") ?? "").trim().slice(0, MOST_LETTERS);
}

export const isGood = (outcomes: readonly Outcome[]): boolean =>
  outcomes.every(({ result }) => result === "passed" || result === "measured");

export function reportOf(outcomes: readonly Outcome[], heading: string): string {
  const rows = outcomes.map(
    ({ name, result, seconds, lastLine, log }) =>
      `| ${name} | ${result} | ${seconds} | ${lastLine.replaceAll("|", "\\|")} | ${log} |`,
  );
  const count = (...results: Outcome["result"][]) => outcomes.filter(({ result }) => results.includes(result)).length;
  return [
    heading,
    "",
    "| part | result | seconds | last line | log |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    `${count("passed", "measured")} passed, ${count("FAILED", "NOT RUN")} failed`,
  ].join("\n");
}
