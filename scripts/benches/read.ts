// GET /v1/calls/{id} against a bare server that reads one row by a prepared statement, asked in turns by the same 64 clients.
import type { Bench, Finding, How } from "./bench.ts";
import { costFindings, rateFinding } from "./http-findings.ts";
import { inTurns, startSides } from "./http-sides.ts";

const LEAST_OF_BARE = 0.5;

async function run({ quick }: How): Promise<Finding[]> {
  const sides = await startSides();
  const how = quick ? { rounds: 3, seconds: 0.5 } : { rounds: 7, seconds: 3 };
  const { read, bare } = await inTurns({ read: sides.read, bare: sides.bareRead }, how);
  await sides.stop();
  return [
    rateFinding("GET /v1/calls/{id}, 64 clients", read, bare, "one prepared read", LEAST_OF_BARE),
    ...costFindings("a read", read, bare),
  ];
}

export const read: Bench = {
  name: "read",
  about: "one call read over HTTP by 64 clients, beside a bare server with one prepared read",
  run,
};
