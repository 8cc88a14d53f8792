// One complete run, from the permission checks to the final table.
import { runBounds } from "./bounds.ts";
import { compareExhibits, lookAtExhibits } from "./exhibits.ts";
import { runLanes, type LaneLimits } from "./lanes.ts";
import { runLimits } from "./limits.ts";
import { runRights } from "./rights.ts";
import type { Fault, Session } from "./session.ts";
import { runSlowBodies } from "./slow-bodies.ts";
import { tallyTable } from "./tally.ts";
import { runTogether } from "./together.ts";
import { runWalls } from "./walls.ts";

export async function runFuzz(session: Session, seed: number, limits: LaneLimits): Promise<void> {
  const { world } = session;
  const before = await lookAtExhibits(world);
  await Promise.all([
    runSlowBodies(session, seed),
    runRights(session, seed)
      .then(() => runWalls(session, seed))
      .then(() => runBounds(session, seed))
      .then(() => runTogether(session, seed))
      .then(() => runLimits(session, seed)),
    runLanes(session, seed, limits),
  ]);
  compareExhibits(session, before, await lookAtExhibits(world));
}

export function report(session: Session, seed: number): string[] {
  const { tally, faults, world } = session;
  const never = tally.neverDone(world.operations);
  return [
    ...tallyTable(tally, world.operations),
    "",
    `${tally.requests.toLocaleString("en")} requests, seed ${seed}`,
    `operations that were never answered with 2xx: ${never.join(" ") || "none"}`,
    `faults: ${faults.length === 0 ? "none" : faults.length}`,
    ...faults.flatMap((fault) => ["", ...faultLines(fault)]),
  ];
}

function faultLines({ check, operation, words, kind, times, curl }: Fault): string[] {
  const sent = kind === "" ? "" : ` [${kind}, ${times}×]`;
  return [`${operation}: ${check}: ${words}${sent}`, ...(curl === "" ? [] : [`  ${curl}`])];
}
