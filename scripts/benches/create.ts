// POST /v1/calls for many people with distinct bodies, against baseline servers that do only the same durable work. The
// same clients load them in turns.
import type { Bench, Finding, How } from "./bench.ts";
import { costFindings, rateFinding } from "./http-findings.ts";
import { CLIENTS, inTurns, startSides } from "./http-sides.ts";
import { withSlowDisk } from "./slow-disk.ts";

const LEAST_OF_GROUP = 0.5;
const LEAST_TIMES_SINGLE = 3;

/** Extra fsync latency in the second half. */
const SLOW_FSYNC_MS = 1;

async function run({ quick }: How): Promise<Finding[]> {
  const found = await findings(`POST /v1/calls, ${CLIENTS} clients`, quick);
  if (quick) return found;
  const slowDisk = withSlowDisk(SLOW_FSYNC_MS);
  if (!slowDisk) {
    console.error("A slower disk is left out: there is no strace here, or it may not trace.");
    return found;
  }
  return [...found, ...(await findings(`POST /v1/calls, an fsync ${SLOW_FSYNC_MS} ms longer`, quick, slowDisk))];
}

async function findings(measure: string, quick: boolean, wrapper?: string[]): Promise<Finding[]> {
  const sides = await startSides(wrapper && { wrapper });
  const how = quick ? { rounds: 4, seconds: 1 } : { rounds: 7, seconds: 3 };
  const { create, once, group, single } = await inTurns(
    { create: sides.create, once: sides.createOnce, group: sides.bareGroup, single: sides.bareSingle },
    how,
  );
  await sides.stop();
  const timesSingle = rateFinding("the same", create, single, "two inserts, a commit each", LEAST_TIMES_SINGLE);
  // With an fsync this cheap, even the baseline could not reach the goal.
  const isOutOfReach = group.perSecond / single.perSecond < LEAST_TIMES_SINGLE;
  return [
    rateFinding(measure, create, group, "two inserts, one commit for all that came", LEAST_OF_GROUP),
    isOutOfReach
      ? { ...timesSingle, goal: `${timesSingle.goal}, out of the bare one's reach`, holds: null }
      : timesSingle,
    ...costFindings("a create", create, group),
    {
      ...rateFinding("the same with an Idempotency-Key each", once, group, "without keys", LEAST_OF_GROUP),
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
