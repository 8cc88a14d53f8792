import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sql } from "kysely";
import { join } from "node:path";
import { AppError } from "../../src/core/errors.ts";
import { createLogger, silentLogger } from "../../src/core/logger.ts";
import { openWriter, type Connection } from "../../src/db/sqlite/connection.ts";
import { openReader } from "../../src/db/sqlite/open-reader.ts";
import { migrate } from "../../src/db/sqlite/migrate.ts";
import type { Tx } from "../../src/db/tables.ts";
import { TableChanges } from "../../src/db/sqlite/table-changes.ts";
import { createWriter, type Writer } from "../../src/db/sqlite/writer.ts";
import { createManualClock, settle, type ManualClock } from "../support/manual-clock.ts";
import { rejectionOf, tempFolder } from "../support/temp.ts";

let connection: Connection;
let reader: Connection;
let writer: Writer;
const logLines: string[] = [];

beforeEach(() => {
  const file = join(tempFolder(), "test.db");
  connection = openWriter(file);
  migrate(connection);
  reader = openReader(file);
  logLines.length = 0;
  writer = createWriter(
    connection,
    createLogger(createManualClock(), "debug", (line) => void logLines.push(line)),
  );
});

afterEach(async () => {
  await writer.drain();
  reader.close();
  connection.close();
});

const insert = (name: string) => async (tx: Tx) => {
  await tx.insertInto("heartbeats").values({ name, at: 1 }).execute();
  return name;
};

const counted = () => {
  const { commits, commands, waiting, repeats } = writer.stats;
  return [commits, commands, waiting, repeats];
};

/** What another connection sees on disk. */
const stored = () => reader.prepare("SELECT name FROM heartbeats ORDER BY rowid").pluck().all() as string[];

/** Violates a deferred foreign key, which only the commit detects. */
const poison = async (tx: Tx) => {
  connection.pragma("defer_foreign_keys = ON");
  await sql`
    INSERT INTO people (id, organisation_id, email, name, role, password_hash, created_at)
    VALUES ('per_1', 'org_none', 'a@b.example', 'A', 'owner', 'x', 1)
  `.execute(tx);
};

describe("commands that arrive together", () => {
  test("share one commit", async () => {
    const names = Array.from({ length: 50 }, (_, i) => `n${i}`);
    expect(await Promise.all(names.map((name) => writer.write(insert(name))))).toEqual(names);
    expect(counted()).toEqual([1, 50, 0, 0]);
    expect(stored().toSorted()).toEqual(names.toSorted());
  });

  test("run one at a time, in the order they arrived", async () => {
    const steps: string[] = [];
    const command = (name: string) => async () => {
      steps.push(`${name} begins`);
      await settle(2);
      steps.push(`${name} ends`);
    };
    await Promise.all(["a", "b", "c"].map((name) => writer.write(command(name))));
    expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  test("in large numbers are split into batches, still in order", async () => {
    const order: number[] = [];
    await Promise.all(Array.from({ length: 600 }, (_, i) => writer.write(async () => void order.push(i))));
    expect(order).toEqual(Array.from({ length: 600 }, (_, i) => i));
    expect(writer.stats.commits).toBe(3);
  });

  test("during a batch wait for the next", async () => {
    const first = writer.write(async (tx) => {
      void late.push(writer.write(insert("late")));
      await settle(3);
      return insert("first")(tx);
    });
    const late: Promise<string>[] = [];
    await first;
    expect(stored()).toEqual(["first"]);
    await Promise.all(late);
    expect(stored()).toEqual(["first", "late"]);
    expect(writer.stats.commits).toBe(2);
  });
});

describe("an answer", () => {
  test("is sent only after the commit: another connection sees the row by then, and not before", async () => {
    let seenInside: string[] = [];
    await writer.write(async (tx) => {
      await insert("a")(tx);
      seenInside = stored();
    });
    expect(seenInside).toEqual([]);
    expect(stored()).toEqual(["a"]);
  });

  test("to the first of a batch waits for the last", async () => {
    const steps: string[] = [];
    const first = writer.write(insert("a")).then(() => steps.push("a answered"));
    const second = writer.write(async (tx) => {
      await settle();
      steps.push("b runs");
      await insert("b")(tx);
    });
    await Promise.all([first, second]);
    expect(steps).toEqual(["b runs", "a answered"]);
  });

  test("to a command that throws is its error, also only after the commit", async () => {
    const boom = new Error("boom");
    const failing = writer.write(() => Promise.reject(boom));
    await writer.write(insert("b"));
    expect(await rejectionOf(failing)).toBe(boom);
  });
});

describe("a command that throws", () => {
  test("is rolled back alone, whatever precedes and follows it", async () => {
    const results = await Promise.allSettled([
      writer.write(insert("a")),
      writer.write(async (tx) => {
        await insert("half")(tx);
        throw new AppError("CONFLICT", "no");
      }),
      writer.write(insert("c")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(stored()).toEqual(["a", "c"]);
    expect(writer.stats.commits).toBe(1);
  });

  test("after it wrote makes the others of its batch run again; one that wrote nothing costs nothing", async () => {
    const runs: string[] = [];
    const noted = (name: string, isWriting: boolean, isFailing: boolean) => async (tx: Tx) => {
      runs.push(name);
      if (isWriting) await insert(name)(tx);
      if (isFailing) throw new AppError("CONFLICT", "no");
    };
    const all = (...commands: ReturnType<typeof noted>[]) =>
      Promise.allSettled(commands.map((run) => writer.write(run)));
    await all(noted("a", true, false), noted("b", false, true), noted("c", true, false));
    expect(runs.splice(0)).toEqual(["a", "b", "c"]);
    expect(counted()).toEqual([1, 3, 0, 0]);

    const results = await all(noted("d", true, false), noted("e", true, true), noted("f", true, false));
    expect(runs).toEqual(["d", "e", "d", "e", "f"]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(stored()).toEqual(["a", "c", "d", "f"]);
    expect(counted()).toEqual([2, 6, 0, 3]);
  });

  test("and throws again in the repeated batch is answered with its last error", async () => {
    const thrown: Error[] = [];
    const failing = rejectionOf(
      writer.write(async (tx) => {
        await insert("half")(tx);
        thrown.push(new Error(`try ${thrown.length + 1}`));
        throw thrown.at(-1)!;
      }),
    );
    const before = rejectionOf(writer.write(() => Promise.reject(new Error("another's"))));
    await writer.write(insert("a"));
    expect(await failing).toBe(thrown[1]!);
    expect((await before).message).toBe("another's");
    expect(stored()).toEqual(["a"]);
  });

  test("notifies the table caches of the other commands once they are on disk", async () => {
    const changes = new TableChanges(() => 0);
    const telling = createWriter(connection, silentLogger, undefined, changes);
    const stamp = () => changes.stampOf(["heartbeats"]);
    const seen: number[] = [];
    const before = stamp();
    await Promise.allSettled([
      telling.write(insert("a")),
      telling.write(async (tx) => {
        await insert("half")(tx);
        seen.push(stamp());
        throw new Error("no");
      }),
    ]);
    expect(seen).toEqual([before, before]);
    expect(stamp()).not.toBe(before);
  });

  test("synchronously behaves the same", async () => {
    const failing = writer.write(() => {
      throw new Error("at once");
    });
    const good = writer.write(insert("a"));
    expect((await rejectionOf(failing)).message).toBe("at once");
    expect(await good).toBe("a");
  });

  test("by violating a constraint does not affect the others", async () => {
    const results = await Promise.allSettled([
      writer.write(insert("a")),
      writer.write(insert("a")),
      writer.write(insert("b")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(stored()).toEqual(["a", "b"]);
  });
});

describe("a commit that fails", () => {
  test("rejects every command in it and stores nothing", async () => {
    const results = await Promise.allSettled([
      writer.write(insert("a")),
      writer.write(poison),
      writer.write(insert("b")),
    ]);
    for (const result of results) {
      expect(result.status).toBe("rejected");
      const reason = (result as PromiseRejectedResult).reason as AppError;
      expect(reason.code).toBe("UNAVAILABLE");
      expect(reason.retryAfterSeconds).toBe(1);
    }
    expect(stored()).toEqual([]);
    expect(counted()).toEqual([0, 0, 0, 0]);
    expect(logLines).toHaveLength(1);
  });

  test("does not stop the next commit", async () => {
    await rejectionOf(writer.write(poison));
    expect(await writer.write(insert("a"))).toBe("a");
    expect(stored()).toEqual(["a"]);
  });

  test("because the disk is full reports it, and the writer works again when there is space", async () => {
    connection.pragma(`max_page_count = ${connection.pragma("page_count", { simple: true }) as number}`);
    await rejectionOf(writer.write(insert("x".repeat(100_000))));
    expect(stored()).toEqual([]);
    connection.pragma("max_page_count = 1000000");
    await writer.write(insert("small"));
    expect(stored()).toEqual(["small"]);
  });

  test("because the disk is full in the middle of a batch keeps nothing of the rejected commands", async () => {
    connection.pragma(`max_page_count = ${connection.pragma("page_count", { simple: true }) as number}`);
    const names = ["a", "x".repeat(100_000), "c"];
    const results = await Promise.allSettled(names.map((name) => writer.write(insert(name))));
    expect(results[1]?.status).toBe("rejected");
    expect(stored()).toEqual(names.filter((_, i) => results[i]?.status === "fulfilled"));
    connection.pragma("max_page_count = 1000000");
    await writer.write(insert("later"));
    expect(stored().at(-1)).toBe("later");
  });

  test("because the database is closed rejects with UNAVAILABLE", async () => {
    const closed = openWriter(join(tempFolder(), "closed.db"));
    closed.close();
    const dead = createWriter(closed, silentLogger);
    expect((await rejectionOf<AppError>(dead.write(insert("a")))).code).toBe("UNAVAILABLE");
  });
});

describe("an error outside every command", () => {
  const fails = () => {
    throw new Error("it cannot");
  };

  test("after a commit keeps what is stored and acknowledged, and the next command runs", async () => {
    const log = createLogger(createManualClock(), "debug", (line) => void logLines.push(line));
    const failing = createWriter(connection, log, createManualClock(), undefined, fails);
    await failing.write(insert("first"));
    await failing.write(insert("second"));
    await failing.drain();
    expect(stored()).toEqual(["first", "second"]);
    expect(logLines.filter((line) => line.includes("The work after a commit failed."))).toHaveLength(2);
  });

  test("in a rollback rejects waiting commands until it succeeds, and then the next command runs", async () => {
    const exec = connection.exec.bind(connection);
    connection.exec = (text) => (text === "ROLLBACK" ? fails() : exec(text));
    expect(await rejectionOf(writer.write(poison))).toMatchObject({ code: "UNAVAILABLE" });
    connection.exec = exec;
    expect(await rejectionOf(writer.write(insert("too early")))).toMatchObject({ code: "UNAVAILABLE" });
    await writer.write(insert("next"));
    expect(stored()).toEqual(["next"]);
  });
});

describe("a transaction used after its command", () => {
  const kept: Tx[] = [];
  const keep = async (tx: Tx) => void kept.push(tx);
  beforeEach(() => void (kept.length = 0));

  test("throws while nothing runs", async () => {
    await writer.write(keep);
    expect((await rejectionOf(insert("stray")(kept[0]!))).message).toContain("after its command had ended");
  });

  test("throws while another command runs, and is not stored with it", async () => {
    let stray: Promise<unknown> = Promise.resolve();
    await Promise.all([
      writer.write(keep),
      writer.write(async (tx) => {
        stray = rejectionOf(insert("stray")(kept[0]!));
        await stray;
        await insert("own")(tx);
      }),
    ]);
    expect(((await stray) as Error).message).toContain("after its command had ended");
    expect(stored()).toEqual(["own"]);
  });

  test("with a query that was not awaited loses that query, not the work of another", async () => {
    let stray: Promise<unknown> = Promise.resolve();
    await Promise.all([
      writer.write(async (tx) => {
        stray = settle(1).then(() => rejectionOf(insert("stray")(tx)));
      }),
      writer.write(async (tx) => {
        await settle(4);
        await insert("b")(tx);
      }),
    ]);
    expect(((await stray) as Error).message).toContain("after its command had ended");
    expect(stored()).toEqual(["b"]);
  });
});

describe("drain", () => {
  test("resolves when every submitted command is on disk or rejected", async () => {
    const answers: string[] = [];
    void writer.write(insert("a")).then((name) => answers.push(name));
    writer.write(() => Promise.reject(new Error("no"))).catch(() => answers.push("refused"));
    for (let i = 0; i < 300; i++) void writer.write(insert(`n${i}`));
    await writer.drain();
    expect(stored()).toHaveLength(301);
    expect(answers).toEqual(["a", "refused"]);
    expect(writer.stats.waiting).toBe(0);
  });

  test("of an idle writer resolves at once", async () => {
    await writer.drain();
    expect(counted()).toEqual([0, 0, 0, 0]);
  });
});

test("above 20,000 waiting commands the caller is told to retry", async () => {
  const waiting = Array.from({ length: 20_000 }, () => writer.write(async () => 1));
  const refusal = await rejectionOf<AppError>(writer.write(insert("one too many")));
  expect(refusal.code).toBe("UNAVAILABLE");
  expect(refusal.retryAfterSeconds).toBe(1);
  await Promise.all(waiting);
  expect(await writer.write(insert("later"))).toBe("later");
});

test("for any mix of commands, exactly the successful ones are stored, and each sees those before it", async () => {
  const command = fc.record({
    outcome: fc.constantFrom("store", "throw before", "throw after", "break a rule"),
    pause: fc.nat(2),
    joinBatch: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 30 }), async (commands) => {
      connection.exec("DELETE FROM heartbeats");
      const expected = commands.flatMap(({ outcome }, i) => (outcome === "store" ? [i] : []));
      const answers: Promise<unknown>[] = [];
      for (const [i, { outcome, pause, joinBatch }] of commands.entries()) {
        const answer = writer.write(async (tx) => {
          const seen = await tx.selectFrom("heartbeats").select("name").execute();
          if (pause > 0) await settle(pause);
          if (outcome === "throw before") throw new Error("before");
          await insert(`n${i}`)(tx);
          if (outcome === "throw after") throw new Error("after");
          if (outcome === "break a rule") await insert(`n${i}`)(tx);
          expect(seen).toHaveLength(expected.filter((each) => each < i).length);
        });
        answers.push(
          answer.then(
            () => i,
            () => null,
          ),
        );
        if (!joinBatch) await answer.catch(() => {});
      }
      const succeeded = (await Promise.all(answers)).filter((i) => i !== null);
      expect(succeeded).toEqual(expected);
      expect(stored()).toEqual(expected.map((i) => `n${i}`));
    }),
    { numRuns: 40 },
  );
});

describe("while another program holds the database", () => {
  let clock: ManualClock;
  let foreign: Connection;
  let patient: Writer;

  beforeEach(() => {
    clock = createManualClock();
    patient = createWriter(
      connection,
      createLogger(clock, "debug", (line) => void logLines.push(line)),
      clock,
    );
    foreign = openWriter(connection.name);
    foreign.exec("BEGIN IMMEDIATE");
  });
  afterEach(() => foreign.close());

  test("reads continue, writes wait without blocking the thread, and complete when the lock is released", async () => {
    const waiting = patient.write(insert("late"));
    await clock.advance(2_000);
    expect(stored()).toEqual([]);
    expect(patient.stats.waiting).toBe(1);
    foreign.exec("ROLLBACK");
    await clock.advance(10);
    expect(await waiting).toBe("late");
    expect(logLines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      "Another program has locked the database; writes are waiting.",
      "The database can be written again.",
    ]);
  });

  test("a command waits at most five seconds from its own beginning", async () => {
    const first = rejectionOf<AppError>(patient.write(insert("first")));
    await clock.advance(3_000);
    const second = patient.write(insert("second"));
    await clock.advance(2_000);
    expect(await first).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 1 });
    expect(patient.stats.waiting).toBe(1);
    foreign.exec("ROLLBACK");
    await clock.advance(10);
    expect(await second).toBe("second");
    expect(stored()).toEqual(["second"]);
  });

  test("a CLI command that writes for a moment is not logged", async () => {
    const waiting = patient.write(insert("soon"));
    await clock.advance(500);
    foreign.exec("ROLLBACK");
    await clock.advance(10);
    await waiting;
    expect(logLines).toEqual([]);
  });
});
