// Runs `bun test` over a set of files and counts what came of it.

export interface Tally {
  passed: number;
  failed: number;
  /** How many of them are tests, as opposed to checks such as lint. */
  tests: number;
}

/** For one test, on a machine that others keep busy. */
const TIMEOUT_MS = 180_000;

/** The last `12 pass` line of bun's summary. Its junit file is no substitute: it leaves out files that fail to load. */
function summaryCount(output: string, word: "pass" | "fail" | "skip" | "todo"): number {
  const lines = [...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, "gm"))];
  return Number(lines.at(-1)?.[1] ?? 0);
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
 * The same in two processes at once: tests that wait for other programs leave half of the machine idle. Each takes the
 * next few files when it is done with its last, so that neither ends long before the other.
 */
export async function runBunTestsInLanes(files: string[], env: Record<string, string>): Promise<Tally> {
  if (files.length === 0) console.log("There are no tests here yet.");
  const waiting = [...files];
  let total: Tally = { passed: 0, failed: 0, tests: 0 };
  const lane = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Fewer and fewer: starting a process costs half a second, and the last ones must end together.
      const { passed, failed, tests } = await runBunTests(waiting.splice(0, Math.ceil(waiting.length / 6)), env);
      total = { passed: total.passed + passed, failed: total.failed + failed, tests: total.tests + tests };
    }
  };
  await Promise.all([lane(), lane()]);
  return total;
}

async function runBunTests(files: string[], env: Record<string, string>): Promise<Tally> {
  const command = [process.execPath, "test", `--timeout=${TIMEOUT_MS}`, ...files.map((file) => `./${file}`)];
  const child = Bun.spawn(command, { env: { ...process.env, ...env }, stdout: "inherit", stderr: "pipe" });
  const [output, exitCode] = await Promise.all([passedOn(child.stderr), child.exited]);

  const passed = summaryCount(output, "pass");
  let failed = summaryCount(output, "fail");
  // A crash, or a complaint that bun counts as no test's failure, shows in the exit code alone.
  if (exitCode !== 0 && failed === 0) failed = 1;
  const skipped = summaryCount(output, "skip") + summaryCount(output, "todo");
  if (skipped > 0 && process.env["CI"] === "true") {
    console.log(`${skipped} skipped: with CI=true each counts as failed.`);
    failed += skipped;
  }
  return { passed, failed, tests: passed + failed };
}
