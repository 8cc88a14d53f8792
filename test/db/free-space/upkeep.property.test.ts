// For any sequence of writes, checkpoints and interruptions, by us or by others: after a successful wipe, no byte of an
// erased person is in the file, the WAL or its index, and all other rows are complete.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Connection } from "../../../src/db/sqlite/connection.ts";
import { settle } from "../../support/manual-clock.ts";
import { nameOf, put, remove, Stage, type Run } from "./stage.ts";

const PEOPLE = 400;

type Step =
  | { do: "write"; by: "us" | "command" | "shell"; first: number; count: number; stride: number; words: number }
  | { do: "delete"; by: "us" | "command" | "shell"; first: number; count: number; stride: number }
  | { do: "checkpoint"; by: "us" | "shell"; mode: "PASSIVE" | "RESTART" | "TRUNCATE" }
  | { do: "read" | "stop reading" | "restart" | "kill" | "wipe" };

const number = (max: number) => fc.integer({ min: 0, max });
const somebody = fc.record({
  by: fc.constantFrom("us", "us", "command", "shell" as const),
  first: number(PEOPLE - 1),
  count: fc.integer({ min: 1, max: 120 }),
  stride: fc.constantFrom(1, 7, 31, 113),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  // Some rows are longer than a page.
  {
    weight: 6,
    arbitrary: fc
      .tuple(somebody, fc.oneof(number(900), number(9_000)))
      .map(([who, words]) => ({ do: "write" as const, ...who, words })),
  },
  { weight: 3, arbitrary: somebody.map((who) => ({ do: "delete" as const, ...who })) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom("wipe" as const, "read", "stop reading", "restart", "kill")
      .map((what) => ({ do: what })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("checkpoint" as const),
      by: fc.constantFrom("us" as const, "shell"),
      mode: fc.constantFrom("PASSIVE" as const, "RESTART", "TRUNCATE"),
    }),
  },
);

class World {
  readonly #stage = new Stage();
  readonly #limits = { frames: 20, mostFrames: 40, dirtyPages: 3, mostDirtyPages: 6 };
  readonly #erased = new Set<number>();
  readonly #present = new Set<number>();
  readonly #killed: Run[] = [];
  #run: Run = this.#stage.begin(this.#limits);
  #command: Run = this.#stage.begin();
  #reader: Run | null = null;

  async take(next: Step): Promise<void> {
    if (next.do === "write" || next.do === "delete") {
      this.#change(next);
      // Work requested by a commit runs after its answers.
      await settle(1);
    } else if (next.do === "checkpoint") this.#checkpoint(next.by, next.mode);
    else if (next.do === "read") this.#read();
    else if (next.do === "stop reading") await this.#stopReading();
    else if (next.do === "wipe") await this.#wipe();
    else await this.#beginAnew(next.do === "kill");
  }

  #change(change: Step & { do: "write" | "delete" }): void {
    const ids = Array.from({ length: change.count }, (_, i) => (change.first + i * change.stride) % PEOPLE);
    this.#as(change.by, (connection) =>
      connection.transaction(() => {
        if (change.do === "delete") return remove(connection, ids);
        for (const [i, id] of ids.entries()) put(connection, id, (change.words * (i + 1)) % (change.words + 1));
      })(),
    );
    const [into, outOf] = change.do === "write" ? [this.#present, this.#erased] : [this.#erased, this.#present];
    for (const id of ids) {
      if (change.do === "write" || outOf.has(id)) into.add(id);
      outOf.delete(id);
    }
    if (change.by === "us") this.#run.upkeep.committed();
  }

  #as(by: "us" | "command" | "shell", use: (connection: Connection) => void): void {
    if (by === "shell") this.#stage.shell(use);
    else use(by === "us" ? this.#run.writer : this.#command.writer);
  }

  #checkpoint(by: "us" | "shell", mode: string): void {
    if (by === "us") void this.#run.upkeep.truncateWal();
    else this.#stage.shell((shell) => void shell.pragma(`wal_checkpoint(${mode})`));
  }

  #read(): void {
    if (this.#reader) return;
    this.#reader = this.#stage.begin();
    this.#reader.writer.exec("BEGIN");
    this.#reader.writer.prepare("SELECT count(*) FROM people").get();
  }

  async #stopReading(): Promise<void> {
    this.#reader?.writer.exec("COMMIT");
    if (this.#reader) this.#killed.push(this.#reader);
    this.#reader = null;
  }

  async #beginAnew(isKilled: boolean): Promise<void> {
    if (isKilled) {
      await this.#run.upkeep.stop(false);
      this.#killed.push(this.#run);
    } else await this.#run.close();
    this.#run = this.#stage.begin(this.#limits);
  }

  async #wipe(): Promise<boolean> {
    const isDone = await this.#run.upkeep.wipe();
    if (!isDone) return false;
    const left = this.#stage.peopleInBytes();
    expect([...this.#erased].filter((id) => left.has(id))).toEqual([]);
    return true;
  }

  async end(): Promise<void> {
    await this.#stopReading();
    expect(await this.#wipe()).toBeTrue();
    const names = this.#run.writer.prepare("SELECT name FROM people ORDER BY id").pluck().all();
    expect(names).toEqual([...this.#present].toSorted((a, b) => a - b).map(nameOf));
    expect(this.#run.writer.pragma("integrity_check", { simple: true })).toBe("ok");
  }

  async close(): Promise<void> {
    for (const run of [...this.#killed, this.#command, this.#run]) {
      await run.upkeep.stop(false);
      run.writer.close();
      await run.upkeep.close();
    }
  }
}

test("no byte of an erased row is left after a wipe", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const world = new World();
      try {
        for (const next of steps) await world.take(next);
        await world.end();
      } finally {
        await world.close();
      }
    }),
    { numRuns: 25, endOnFailure: true },
  );
});
