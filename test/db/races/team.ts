// Several processes on one database that run the same work at the same moment.
import { join } from "node:path";
import { linesOf } from "./lines.ts";
import type { Race } from "./work.ts";
import type { WorkName } from "./works.ts";

export interface Told {
  /** By racer, in the order of the tries. */
  outcomes: string[][];
  /** Calls that any of them has dialled so far. */
  dialled: string[];
}

export interface Team {
  /** Commands that were retried after a serialization failure, in all races so far. */
  repeats(): number;
  race(wanted: { work: WorkName; organisationId: string } & Partial<Race>): Promise<Told>;
  stop(): Promise<void>;
}

interface ToldByOne {
  outcomes: string[];
  repeats: number;
  dialled: string[];
}

const TIMES = 20;

export async function startTeam(address: string, size: number): Promise<Team> {
  const racers = Array.from({ length: size }, () => {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "racer.ts"), address], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    return { child, lines: linesOf(child.stdout) };
  });
  const answer = async ({ lines }: (typeof racers)[number]): Promise<string> => {
    const { value } = await lines.next();
    if (value === undefined) throw new Error("A racer ended before it had answered.");
    return value;
  };
  await Promise.all(racers.map(answer));
  let repeats = 0;
  return {
    repeats: () => repeats,
    async race(wanted) {
      const whole = { subject: "", times: TIMES, atOnce: TIMES, ...wanted };
      for (const [racer, { child }] of racers.entries()) {
        await child.stdin.write(`${JSON.stringify({ ...whole, racer })}\n`);
        await child.stdin.flush();
      }
      const told = (await Promise.all(racers.map(answer))).map((line) => JSON.parse(line) as ToldByOne);
      for (const each of told) repeats += each.repeats;
      return {
        outcomes: told.map(({ outcomes }) => outcomes),
        dialled: told.flatMap(({ dialled }) => dialled),
      };
    },
    async stop() {
      for (const { child } of racers) await child.stdin.end();
      await Promise.all(racers.map(({ child }) => child.exited));
    },
  };
}

/** How often each outcome came. */
export function counted({ outcomes }: Told): Record<string, number> {
  const groups = Map.groupBy(outcomes.flat(), (each) => each);
  return Object.fromEntries([...groups].map(([outcome, all]) => [outcome, all.length]));
}
