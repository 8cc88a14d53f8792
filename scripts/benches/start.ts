// Time from process start to the first response of /healthz: on an empty folder, on an existing one, and with a million
// scheduled calls, against a baseline server compiled the same way. Measured in turns, so all see the same machine
// load.
import { DAY_MS } from "../../src/core/clock.ts";
import { tempFolder } from "../../test/support/binary.ts";
import { bareServer } from "./bare-server.ts";
import type { Bench, Finding } from "./bench.ts";
import { count, median, ms, quantile } from "./figures.ts";
import { addCalls, emptyHospital } from "./many-calls.ts";
import { startBare, startRingward, type ServerProcess } from "./server-process.ts";

const MOST_EMPTY_MS = 200;
const MOST_FULL_MS = 1_000;

async function run({ quick }: { quick: boolean }): Promise<Finding[]> {
  const calls = quick ? 50_000 : 1_000_000;
  const bare = await bareServer();
  const full = await emptyHospital();
  addCalls(full, {
    calls,
    dueAt: (i) => Date.now() + DAY_MS + ((i * 7_919) % 300) * DAY_MS,
    numberOf: (i) => `+9198${10_000_000 + i}`,
  });
  const known = tempFolder();
  const kinds = {
    bare: () => startBare(bare, known),
    known: () => startRingward(known),
    empty: () => startRingward(tempFolder()),
    full: () => startRingward(full),
  };
  await startAndStop(kinds.known);
  const times = { bare: [] as number[], known: [] as number[], empty: [] as number[], full: [] as number[] };
  for (let round = 0; round < (quick ? 3 : 15); round++) {
    for (const kind of ["bare", "known", "empty", "full"] as const) times[kind].push(await startAndStop(kinds[kind]));
  }
  const bareMs = median(times.bare);
  const found = (measure: string, all: number[], most: number): Finding => ({
    measure: `start to /healthz, ${measure}`,
    here: `${ms(median(all))} (p90 ${ms(quantile(all, 0.9))})`,
    against: `${ms(bareMs)} of a bare compiled server`,
    ratio: median(all) / bareMs,
    goal: `≤ ${count(most)} ms`,
    holds: median(all) <= most,
  });
  return [
    found("the first on an empty folder", times.empty, MOST_EMPTY_MS),
    found("again", times.known, MOST_EMPTY_MS),
    found(`with ${count(calls)} scheduled calls`, times.full, MOST_FULL_MS),
  ];
}

async function startAndStop(start: () => Promise<ServerProcess>): Promise<number> {
  const server = await start();
  await server.stop();
  return server.startedMs;
}

export const start: Bench = {
  name: "start",
  about: "from the start of the process to the first answer, empty and with a million calls, beside a bare server",
  run,
};
