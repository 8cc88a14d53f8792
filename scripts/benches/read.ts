// GET /v1/calls/{id} of many calls, against a baseline server that reads one row with a prepared statement. The same
// clients load them in turns.
import type { Bench, Finding, How } from "./bench.ts";
import { count } from "./figures.ts";
import { costFindings, rateFinding } from "./http-findings.ts";
import { CLIENTS, DIFFERENT_CALLS, inTurns, startSides, type SideLoad, type SidesOptions } from "./http-sides.ts";

const LEAST_OF_BARE = 0.6;

async function run({ quick }: How): Promise<Finding[]> {
  const how = quick ? { rounds: 3, seconds: 1 } : { rounds: 7, seconds: 3 };
  const { read, bare, one } = await loads(how);
  const different = `GET /v1/calls/{id}, ${count(DIFFERENT_CALLS)} calls, ${CLIENTS} clients`;
  const found = [
    rateFinding(different, read, bare, "one prepared read", LEAST_OF_BARE),
    ...costFindings("a read", read, bare),
    withoutGoal("one call again and again", one, bare),
  ];
  if (quick) return found;
  const logged = await loads(how, { isLogged: true });
  return [...found, withoutGoal("many calls, each with a line in the log", logged.read, logged.bare)];
}

async function loads(how: { rounds: number; seconds: number }, options: SidesOptions = {}) {
  const sides = await startSides(options);
  const [read, bare] = [await sides.read(), await sides.bareRead()];
  const found = await inTurns({ read, bare, one: { ...read, requests: read.requests.slice(0, 1) } }, how);
  await sides.stop();
  return found;
}

function withoutGoal(measure: string, here: SideLoad, bare: SideLoad): Finding {
  const finding = rateFinding(measure, here, bare, "one prepared read", LEAST_OF_BARE);
  return { ...finding, here: `${finding.here}, ${count(here.cpuUs)} µs of CPU each`, goal: null, holds: null };
}

export const read: Bench = {
  name: "read",
  about: "8,000 different calls read over HTTP by 64 clients, beside a bare server with one prepared read",
  run,
};
