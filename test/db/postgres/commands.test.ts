// Commands on PostgreSQL: serializable, retried after a serialization failure, and explicit about unknown outcomes.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { AppError } from "../../../src/core/errors.ts";
import type { Database, Tx } from "../../../src/db/database.ts";
import { nestedDatabase } from "../../../src/db/nested.ts";
import { preparedWrite } from "../../../src/db/prepared.ts";
import { OutcomeUnknown } from "../../../src/db/outcome-unknown.ts";
import { newPostgresUrl, openAt } from "../../support/postgres.ts";
import { rejectionOf } from "../../support/temp.ts";

let db: Database;

beforeAll(async () => {
  db = await openAt(await newPostgresUrl());
  await db.write(async (tx) => {
    await sql`CREATE TABLE trial (id bigint PRIMARY KEY, n bigint NOT NULL, word text COLLATE "C")`.execute(tx);
  });
});
afterAll(() => db.close());

const one = async (executor: Tx | Database["reader"], id: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`SELECT n FROM trial WHERE id = ${id}`.execute(executor);
  return rows[0]?.n ?? -1;
};
const set = (tx: Tx, id: number, n: number) =>
  sql`INSERT INTO trial (id, n) VALUES (${id}, ${n}) ON CONFLICT (id) DO UPDATE SET n = excluded.n`.execute(tx);

describe("a command", () => {
  test("that reads and writes the same rows as others loses nothing, and is retried", async () => {
    await db.write((tx) => set(tx, 1, 0));
    const repeated = db.stats.repeats;
    await Promise.all(Array.from({ length: 60 }, () => db.write(async (tx) => set(tx, 1, (await one(tx, 1)) + 1))));
    expect(await one(db.reader, 1)).toBe(60);
    expect(db.stats.repeats).toBeGreaterThan(repeated);
    expect(db.stats.waiting).toBe(0);
  });

  test("is settled when all sequential queries of its caller are", async () => {
    const heard = await db.write(async (tx) => {
      let answers = 0;
      const asking = (async () => {
        for (; answers < 5; answers++) await one(tx, 1);
      })();
      await nestedDatabase(tx, db).settled();
      const heardOf = answers;
      await asking;
      return heardOf;
    });
    expect(heard).toBe(5);
  });

  test("does not see half of another: each reads what the other writes", async () => {
    await db.write(async (tx) => {
      await set(tx, 10, 0);
      await set(tx, 11, 0);
    });
    // Of two that check for the other's absence, one must find it.
    const claim = (own: number, other: number) =>
      db.write(async (tx) => {
        if ((await one(tx, other)) === 1) return false;
        await set(tx, own, 1);
        return true;
      });
    for (let round = 0; round < 10; round++) {
      expect((await Promise.all([claim(10, 11), claim(11, 10)])).filter(Boolean)).toHaveLength(1);
      await db.write(async (tx) => {
        await set(tx, 10, 0);
        await set(tx, 11, 0);
      });
    }
  });

  test("that swallows a serialization failure is retried anyway", async () => {
    await db.write((tx) => set(tx, 20, 0));
    let swallowed = 0;
    const careless = () =>
      db.write(async (tx) => {
        try {
          await set(tx, 20, (await one(tx, 20)) + 1);
        } catch {
          swallowed += 1;
        }
      });
    await Promise.all(Array.from({ length: 20 }, careless));
    expect(await one(db.reader, 20)).toBe(20);
    expect(swallowed).toBeGreaterThan(0);
  });

  test("that swallows its own error does not count as stored", async () => {
    const wrong = db.write(async (tx) => {
      await set(tx, 30, 1);
      await sql`SELECT nonsense FROM trial`.execute(tx).catch(() => {});
    });
    expect((await rejectionOf(wrong)).message).toMatch(/ignored the failure/);
    expect(await one(db.reader, 30)).toBe(-1);
  });

  test("that violates a key by itself fails after three tries", async () => {
    let tries = 0;
    const twice = db.write(async (tx) => {
      tries += 1;
      await sql`INSERT INTO trial (id, n) VALUES (40, 1), (40, 2)`.execute(tx);
    });
    expect((await rejectionOf(twice)).message).toMatch(/duplicate key/);
    expect(tries).toBe(3);
  });

  test("that is rejected changes nothing, and is not retried", async () => {
    let tries = 0;
    const refused = db.write(async (tx) => {
      tries += 1;
      await set(tx, 50, 1);
      throw new AppError("CONFLICT", "No.");
    });
    expect(await rejectionOf<AppError>(refused)).toMatchObject({ code: "CONFLICT" });
    expect([tries, await one(db.reader, 50)]).toEqual([1, -1]);
  });

  test("cannot be used after it has ended", async () => {
    let kept: Tx | undefined;
    await db.write(async (tx) => {
      kept = tx;
    });
    if (!kept) throw new Error("There was no transaction.");
    expect((await rejectionOf(one(kept, 1))).message).toMatch(/after its command had ended/);
  });

  test("is one serializable transaction from its first statement on, also after one that could not be sent", async () => {
    const state = sql<{ level: string; started: string }>`SELECT current_setting('transaction_isolation') AS level,
      pg_current_xact_id()::text AS started`;
    const found = await db.write(async (tx) => {
      await sql`SELECT ${undefined}::text`.execute(tx).catch(() => {});
      return [await state.execute(tx), await state.execute(tx)].flatMap(({ rows }) => rows);
    });
    expect(found.map(({ level }) => level)).toEqual(["serializable", "serializable"]);
    expect(found[0]?.started).toBe(found[1]?.started ?? "");
  });

  test("without queries needs no transaction", async () => {
    const nothing = await db.write(async () => "nothing");
    expect(nothing).toBe("nothing");
  });

  test("may be the first to violate a key on its connection, and its statements work afterwards", async () => {
    const insert = (tx: Tx) => sql`INSERT INTO trial (id, n) VALUES (${45}, ${1})`.execute(tx);
    await db.write(insert);
    expect((await rejectionOf(db.write(insert))).message).toMatch(/duplicate key/);
    await db.write((tx) => sql`DELETE FROM trial WHERE id = ${45}`.execute(tx));
    await Promise.all(Array.from({ length: 20 }, () => db.write(insert).catch(() => {})));
    expect(await one(db.reader, 45)).toBe(1);
  });

  /** In the query builder's terms. */
  const insert = (tx: Tx, id: number, n: number) =>
    sql`insert into "trial" ("id", "n") values (${id}, ${n})`.execute(tx);

  test("that inserts reads what it inserted, and is atomic", async () => {
    const read = await db.write(async (tx) => {
      const { numAffectedRows } = await insert(tx, 90, 1);
      await insert(tx, 91, 2);
      const found = [await one(tx, 90), await one(tx, 91)];
      for (let id = 100; id < 200; id++) await insert(tx, id, id);
      return [numAffectedRows, ...found];
    });
    expect(read).toEqual([1n, 1, 2]);
    const { rows } = await sql`SELECT count(*) AS n FROM trial WHERE id BETWEEN 100 AND 199`.execute(db.reader);
    expect(rows).toEqual([{ n: 100 }]);
    let tries = 0;
    const broken = db.write(async (tx) => {
      tries += 1;
      await insert(tx, 92, 1);
      await insert(tx, 90, 1);
    });
    expect((await rejectionOf(broken)).message).toMatch(/duplicate key/);
    expect([tries, await one(db.reader, 92)]).toEqual([3, -1]);
    await db.write((tx) => insert(tx, 92, 3));
    expect(await one(db.reader, 92)).toBe(3);
  });

  test("inside another is rolled back alone, including pending inserts", async () => {
    await db.write(async (tx) => {
      const nested = nestedDatabase(tx, db);
      await nested.write((inner) => insert(inner, 93, 1));
      await rejectionOf(nested.write((inner) => insert(inner, 90, 1)));
      const refused = nested.write(async (inner) => {
        await insert(inner, 90, 1);
        throw new AppError("CONFLICT", "No.");
      });
      expect((await rejectionOf(refused)).message).toBe("No.");
      await nested.write((inner) => insert(inner, 94, 2));
    });
    expect([await one(db.reader, 93), await one(db.reader, 94)]).toEqual([1, 2]);
  });

  test("may run several queries at once", async () => {
    const found = await db.write(async (tx) => Promise.all([1, 10, 11].map((id) => one(tx, id))));
    expect(found).toEqual([60, 0, 0]);
  });

  test("whose connection breaks before the commit changed nothing, and reports it", async () => {
    const broken = db.write(async (tx) => {
      await set(tx, 60, 1);
      await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(tx);
    });
    const refusal = await rejectionOf<AppError>(broken);
    expect(refusal).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 2 });
    expect(refusal.message).toMatch(/Nothing was changed/);
    expect(await one(db.reader, 60)).toBe(-1);
  });

  test("whose connection breaks after its last query changed nothing, and reports it", async () => {
    const broken = db.write(async (tx) => {
      await set(tx, 65, 1);
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx);
      await sql`SELECT pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(db.reader);
      // Until the notification arrives.
      await db.reader.selectFrom("heartbeats").select("name").execute();
    });
    expect(await rejectionOf<AppError>(broken)).toMatchObject({ code: "UNAVAILABLE" });
    expect(await one(db.reader, 65)).toBe(-1);
  });

  test("whose connection breaks during the commit has an unknown outcome", async () => {
    await db.write(async (tx) => {
      await sql`CREATE FUNCTION end_me() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'`.execute(
        tx,
      );
      await sql`CREATE CONSTRAINT TRIGGER ended AFTER INSERT ON trial DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.id = 70) EXECUTE FUNCTION end_me()`.execute(
        tx,
      );
    });
    const refusal = await rejectionOf<AppError>(db.write((tx) => set(tx, 70, 1)));
    expect(refusal).toBeInstanceOf(OutcomeUnknown);
    expect(refusal).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 2 });
    expect(refusal.message).toMatch(/not known whether this was stored/);
  });

  test("waits for its turn if there are many", async () => {
    const ids = Array.from({ length: 200 }, (_, i) => 1_000 + i);
    await Promise.all(ids.map((id) => db.write((tx) => set(tx, id, id))));
    const { rows } = await sql<{
      n: number;
      sum: number;
    }>`SELECT count(*) AS n, sum(n) AS sum FROM trial WHERE id >= 1000`.execute(db.reader);
    expect(rows).toEqual([{ n: 200, sum: ids.reduce((sum, id) => sum + id, 0) }]);
  });
});

describe("the reader", () => {
  test("cannot write", async () => {
    const refusal = await rejectionOf<AppError>(sql`DELETE FROM trial`.execute(db.reader));
    expect(refusal.cause).toMatchObject({ state: "25006" });
    expect(await one(db.reader, 1)).toBe(60);
  });

  test("rejects values that would arrive changed", async () => {
    for (const value of [undefined, true])
      expect(await rejectionOf(sql`SELECT ${value}::text`.execute(db.reader))).toBeInstanceOf(Error);
  });

  test("is settled when no query is running", async () => {
    const answers: number[] = [];
    void sql`SELECT pg_sleep(0.05)`.execute(db.reader).then(() => answers.push(1));
    void db.write((tx) => set(tx, 80, 1)).then(() => answers.push(2));
    await db.settled();
    expect(new Set(answers)).toEqual(new Set([1, 2]));
  });
});

describe("statements without a result", () => {
  interface Beat {
    name: string;
    at: number;
  }
  const move = preparedWrite<Beat>(1)((executor, { name, at }) =>
    executor.updateTable("heartbeats").set({ at }).where("name", "=", name),
  );
  const forget = preparedWrite<Pick<Beat, "name">>()((executor, { name }) =>
    executor.deleteFrom("heartbeats").where("name", "=", name),
  );
  const beat = (tx: Tx, name: string) => tx.insertInto("heartbeats").values({ name, at: 1 }).execute();
  const named = (executor: Tx | Database["reader"], name: string) =>
    executor.selectFrom("heartbeats").select("at").where("name", "=", name).execute();

  test("run in order, before the next query", async () => {
    const seen = await db.write(async (tx) => {
      await beat(tx, "in order");
      await move(tx, { name: "in order", at: 2 });
      const moved = await named(tx, "in order");
      await forget(tx, { name: "in order" });
      await beat(tx, "in order");
      return moved;
    });
    expect(seen).toEqual([{ at: 2 }]);
    expect(await named(db.reader, "in order")).toEqual([{ at: 1 }]);
  });

  test("run with the commit if no query follows", async () => {
    await db.write((tx) => beat(tx, "with the commit"));
    await db.write((tx) => move(tx, { name: "with the commit", at: 3 }));
    expect(await named(db.reader, "with the commit")).toEqual([{ at: 3 }]);
  });

  test("that must change a row, but do not, fail the command before its commit", async () => {
    let tries = 0;
    const wrong = db.write(async (tx) => {
      tries += 1;
      await beat(tx, "undone");
      await move(tx, { name: "nowhere", at: 3 });
    });
    expect(await rejectionOf<AppError>(wrong)).toMatchObject({ code: "UNAVAILABLE" });
    expect(tries).toBeGreaterThan(1);
    expect(await named(db.reader, "undone")).toEqual([]);
  });

  test("may exceed the size of one message", async () => {
    await db.write(async (tx) => {
      for (let i = 0; i < 200; i++) await beat(tx, `many ${i}`);
      for (let i = 0; i < 200; i++) await move(tx, { name: `many ${i}`, at: i });
    });
    for (const i of [0, 99, 199]) expect(await named(db.reader, `many ${i}`)).toEqual([{ at: i }]);
  });

  test("are undone by rolling back to a savepoint", async () => {
    await db.write(async (tx) => {
      await beat(tx, "kept");
      const nested = nestedDatabase(tx, db);
      await rejectionOf(
        nested.write(async (within) => {
          await forget(within, { name: "kept" });
          throw new Error("No.");
        }),
      );
    });
    expect(await named(db.reader, "kept")).toEqual([{ at: 1 }]);
  });
});

test("concurrent queries get their own results, and fail together", async () => {
  const [two, word] = await db.write(async (tx) =>
    Promise.all([sql<{ n: number }>`SELECT 2 AS n`.execute(tx), sql<{ m: string }>`SELECT 'one' AS m`.execute(tx)]),
  );
  expect([two.rows, word.rows]).toEqual([[{ n: 2 }], [{ m: "one" }]]);
  const asked = db.write(async (tx) => {
    const all = [sql`SELECT 1`, sql`SELECT nonsense FROM trial`, sql`SELECT 3`].map((query) => query.execute(tx));
    return (await Promise.allSettled(all)).map(({ status }) => status);
  });
  expect((await rejectionOf(asked)).message).toMatch(/ignored the failure/);
});
