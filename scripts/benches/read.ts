// GET /v1/calls/{id} against a bare server that reads one row by a prepared statement, asked in turns by the same 64 clients.
import type { Bench, Finding, How } from "./bench.ts";
import { count, ms, perSecond } from "./figures.ts";
import { inTurns, startSides } from "./http-sides.ts";

const LEAST_OF_BARE = 0.5;
const MOST_P99_MS = 25;

async function run({ quick }: How): Promise<Finding[]> {
  const sides = await startSides();
  const how = quick ? { rounds: 3, seconds: 1 } : { rounds: 7, seconds: 3 };
  const { read, bare } = await inTurns({ read: sides.read, bare: sides.bareRead }, how);
  await sides.stop();
  const ratio = read.perSecond / bare.perSecond;
  return [
    {
      measure: "GET /v1/calls/{id}, 64 clients",
      here: perSecond(read.perSecond),
      against: `${perSecond(bare.perSecond)}: bare, one prepared read`,
      ratio,
      goal: `≥ ${LEAST_OF_BARE}`,
      holds: ratio >= LEAST_OF_BARE,
    },
    {
      measure: "p99 of a read",
      here: ms(read.p99Ms),
      against: `${ms(bare.p99Ms)} of the bare one`,
      ratio: read.p99Ms / bare.p99Ms,
      goal: `≤ ${MOST_P99_MS} ms`,
      holds: read.p99Ms <= MOST_P99_MS,
    },
    {
      measure: "CPU of a read",
      here: `${count(read.cpuUs)} µs`,
      against: `${count(bare.cpuUs)} µs of the bare one`,
      ratio: read.cpuUs / bare.cpuUs,
      goal: null,
      holds: null,
    },
  ];
}

export const read: Bench = {
  name: "read",
  about: "one call read over HTTP by 64 clients, beside a bare server with one prepared read",
  run,
};
