// Runs SIPp, an independent SIP stack, with the scenarios beside this file. Debian package: sip-tester.
import { test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../../../support/temp.ts";
import { audioPorts, freeSipPort, reservedPort } from "../../../support/free-ports.ts";
import { until } from "../../../support/until.ts";
import { skipsFor } from "../../../support/skips.ts";

const SCENARIOS = import.meta.dir;
/** Whatever becomes of the test, no SIPp outlives it by more. */
const LONGEST_RUN_SECONDS = 120;

export interface Sipp {
  readonly port: number;
  /** Resolves once every expected message came; throws with what SIPp wrote where it did not. */
  finished(): Promise<void>;
  stop(): void;
}

export interface SippOptions {
  /** Where SIPp calls to; without it SIPp waits to be called. */
  target?: string;
  port?: number;
  address?: string;
  transport?: "udp" | "tcp";
  /** How many calls. */
  calls?: number;
  /** Put in for `@name@` in the scenario: SIPp's own keywords cannot stand in a first line. */
  words?: Record<string, string>;
  args?: string[];
}

/** Skipped where SIPp is missing; scripts/test brings it, and counts it as failed in CI where it cannot. */
export const testWithSipp = test.skipIf(skipsFor(Bun.which("sipp") === null, "needs sipp"));

export async function startSipp(scenario: string, options: SippOptions = {}): Promise<Sipp> {
  const { target, address = "127.0.0.1", transport = "udp", calls = 1, words = {}, args = [] } = options;
  const port = options.port ?? freeSipPort();
  const folder = tempFolder();
  const scenarioFile = join(folder, `${scenario}.xml`);
  const text = readFileSync(join(SCENARIOS, `${scenario}.xml`), "utf8");
  writeFileSync(
    scenarioFile,
    text.replaceAll(/@(\w+)@/g, (_, name: string) => words[name]!),
  );
  const settings = {
    "-sf": scenarioFile,
    "-i": address,
    "-p": String(port),
    // Its own choices are the same in every SIPp of the machine.
    "-cp": String(reservedPort()),
    // SIPp takes four: audio and video, each with its reports.
    "-mp": String(audioPorts(4).from),
    "-m": String(calls),
    "-t": transport === "tcp" ? "t1" : "u1",
    "-error_file": join(folder, "errors"),
    "-message_file": join(folder, "messages"),
    "-timeout": `${LONGEST_RUN_SECONDS}s`,
  };
  const flags = ["-nostdin", "-trace_err", "-trace_msg", "-skip_rlimit", "-timeout_error"];
  const command = [
    "sipp",
    ...(target === undefined ? [] : [target]),
    ...Object.entries(settings).flat(),
    ...flags,
    ...args,
  ];
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "ignore", stdin: "ignore", cwd: folder });
  const isReady = () => target !== undefined || isListening(port, transport);
  await until(() => isReady() || child.exitCode !== null, { what: () => `SIPp does not listen for ${scenario}.` });
  if (child.exitCode !== null) throw new Error(`SIPp ended with ${child.exitCode}:\n${textOf(folder, "errors")}`);
  return {
    port,
    async finished() {
      const code = await child.exited;
      if (code === 0) return;
      throw new Error(
        `SIPp ended with ${code} in ${scenario}:\n${textOf(folder, "errors")}${textOf(folder, "messages")}`,
      );
    },
    stop: () => child.kill(),
  };
}

function textOf(folder: string, file: string): string {
  try {
    return readFileSync(join(folder, file), "utf8").slice(-3_000);
  } catch {
    return "";
  }
}

/** Asked of the kernel, since a packet would be taken for a call. */
function isListening(port: number, transport: "udp" | "tcp"): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  return readFileSync(`/proc/net/${transport}`, "utf8").includes(`:${hex} 00000000:0000`);
}
