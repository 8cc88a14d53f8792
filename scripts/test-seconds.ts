// Duration of each test file per engine: measured by `./scripts/test --all --write-seconds` and stored in
// test-seconds.json. The queue runs the longest first, and the everyday tier omits long files.
import { existsSync } from "node:fs";
import { join } from "node:path";
import measured from "./test-seconds.json" with { type: "json" };

export type Engine = "sqlite" | "postgres";
export type Seconds = Record<Engine, Record<string, number>>;

const MEASURED: Seconds = measured;
const ROOT = join(import.meta.dir, "..");

/** Undefined for a file that was not measured since it was created or moved. */
export const secondsOf = (file: string, engine: Engine = "sqlite"): number | undefined => MEASURED[engine][file];

/** Keeps the durations of files that were not run, and removes deleted files. */
export async function writeSeconds(found: Seconds): Promise<void> {
  const merged = (engine: Engine) =>
    Object.fromEntries(
      Object.entries({ ...MEASURED[engine], ...found[engine] })
        .filter(([file]) => existsSync(join(ROOT, file)))
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  const all: Seconds = { sqlite: merged("sqlite"), postgres: merged("postgres") };
  await Bun.write(join(import.meta.dir, "test-seconds.json"), `${JSON.stringify(all, null, 2)}\n`);
}
