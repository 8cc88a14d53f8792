// POST /v1/calls against servers that do nothing but the same durable work, asked in turns by the same 64 clients.
import type { Bench, Finding, How } from "./bench.ts";
import { costFindings, rateFinding } from "./http-findings.ts";
import { inTurns, startSides } from "./http-sides.ts";

const LEAST_OF_GROUP = 0.5;
const LEAST_TIMES_SINGLE = 3;

async function run({ quick }: How): Promise<Finding[]> {
  const sides = await startSides();
  const how = quick ? { rounds: 3, seconds: 1 } : { rounds: 7, seconds: 3 };
  const { create, group, single } = await inTurns(
    { create: sides.create, group: sides.bareGroup, single: sides.bareSingle },
    how,
  );
  await sides.stop();
  return [
    rateFinding(
      "POST /v1/calls, 64 clients",
      create,
      group,
      "two inserts, one commit for all that came",
      LEAST_OF_GROUP,
    ),
    rateFinding("the same", create, single, "two inserts, a commit each", LEAST_TIMES_SINGLE),
    ...costFindings("a create", create, group),
  ];
}

export const create: Bench = {
  name: "create",
  about: "calls created over HTTP by 64 clients, beside bare servers with the same durable inserts",
  run,
};
