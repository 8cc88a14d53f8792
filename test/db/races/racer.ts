// One of several processes on one database: runs the work that each input line names, as often as it says, and prints
// the outcomes. Run with: bun racer.ts ADDRESS
import { AppError } from "../../../src/core/errors.ts";
import { linesOf } from "./lines.ts";
import type { Race } from "./work.ts";
import { WORKS, type WorkName } from "./works.ts";
import { openRaceWorld } from "./world.ts";

const world = await openRaceWorld(process.argv[2] ?? "");

async function tried(race: Race, i: number): Promise<string> {
  try {
    const answer = await WORKS[race.work as WorkName](world, race, i);
    return typeof answer === "string" || typeof answer === "number" ? String(answer) : "done";
  } catch (error) {
    if (!(error instanceof AppError)) return String(error);
    // On a very busy machine the lock wait can time out; then nothing was changed.
    return error.code === "UNAVAILABLE" ? tried(race, i) : error.code;
  }
}

async function run(race: Race): Promise<string[]> {
  const outcomes: string[] = [];
  let next = 0;
  const runOn = async (): Promise<void> => {
    for (let i = next++; i < race.times; i = next++) outcomes[i] = await tried(race, i);
  };
  await Promise.all(Array.from({ length: race.atOnce }, runOn));
  return outcomes;
}

console.log("ready");
for await (const line of linesOf(Bun.stdin.stream())) {
  const { repeats } = world.db.stats;
  const outcomes = await run(JSON.parse(line) as Race);
  const dialled = world.carrier.dialled.map(({ callId }) => callId);
  console.log(JSON.stringify({ outcomes, repeats: world.db.stats.repeats - repeats, dialled }));
}
await world.app.stop();
// A wipe that the others kept from its end would be tried again in a minute.
process.exit();
