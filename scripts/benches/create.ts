// POST /v1/calls against servers that do nothing but the same durable work, asked in turns by the same 64 clients.
import type { Bench, Finding, How } from "./bench.ts";
import { count, ms, perSecond } from "./figures.ts";
import { inTurns, startSides } from "./http-sides.ts";

const LEAST_OF_GROUP = 0.5;
const LEAST_TIMES_SINGLE = 3;
const MOST_P99_MS = 25;

async function run({ quick }: How): Promise<Finding[]> {
  const sides = await startSides();
  const how = quick ? { rounds: 3, seconds: 1 } : { rounds: 7, seconds: 3 };
  const { create, group, single } = await inTurns(
    { create: sides.create, group: sides.bareGroup, single: sides.bareSingle },
    how,
  );
  await sides.stop();
  const ofGroup = create.perSecond / group.perSecond;
  const ofSingle = create.perSecond / single.perSecond;
  return [
    {
      measure: "POST /v1/calls, 64 clients",
      here: perSecond(create.perSecond),
      against: `${perSecond(group.perSecond)}: bare, two inserts, one commit for all that came`,
      ratio: ofGroup,
      goal: `≥ ${LEAST_OF_GROUP}`,
      holds: ofGroup >= LEAST_OF_GROUP,
    },
    {
      measure: "the same",
      here: perSecond(create.perSecond),
      against: `${perSecond(single.perSecond)}: bare, two inserts, a commit each`,
      ratio: ofSingle,
      goal: `≥ ${LEAST_TIMES_SINGLE}`,
      holds: ofSingle >= LEAST_TIMES_SINGLE,
    },
    {
      measure: "p99 of a create",
      here: ms(create.p99Ms),
      against: `${ms(group.p99Ms)} of the bare one`,
      ratio: create.p99Ms / group.p99Ms,
      goal: `≤ ${MOST_P99_MS} ms`,
      holds: create.p99Ms <= MOST_P99_MS,
    },
    {
      measure: "CPU of a create",
      here: `${count(create.cpuUs)} µs`,
      against: `${count(group.cpuUs)} µs of the bare one`,
      ratio: create.cpuUs / group.cpuUs,
      goal: null,
      holds: null,
    },
  ];
}

export const create: Bench = {
  name: "create",
  about: "calls created over HTTP by 64 clients, beside bare servers with the same durable inserts",
  run,
};
