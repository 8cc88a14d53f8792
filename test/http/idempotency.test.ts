import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { HOUR_MS } from "../../src/core/clock.ts";
import type { AppError } from "../../src/core/errors.ts";
import {
  createIdempotency,
  requestHashOf,
  type Idempotency,
  type IdempotentRequest,
} from "../../src/http/idempotency.ts";
import { createAccounts, type Accounts } from "../support/accounts.ts";
import { rejectionOf } from "../support/temp.ts";

let accounts: Accounts;
let idempotency: Idempotency;
let request: IdempotentRequest;
let acts: number;

beforeEach(async () => {
  accounts = await createAccounts();
  acts = 0;
  idempotency = createIdempotency({ db: accounts.db, clock: accounts.clock, keepHours: 24 });
  const { id } = await accounts.organisations.create({ name: "General", timeZone: "UTC" }, CLI_ACTOR);
  request = {
    organisationId: id,
    credentialId: "key_a",
    route: "POST /v1/calls",
    header: "once",
    requestHash: hashOf("{}"),
  };
});
afterEach(() => accounts.db.close());

function hashOf(body: string): () => string {
  return () => requestHashOf("", Buffer.from(body));
}

/** Does something countable, and stores the response in the same transaction. */
const run = (change: Partial<IdempotentRequest> = {}) => runOn(idempotency, change);

const runOn = (on: Idempotency, change: Partial<IdempotentRequest> = {}) =>
  on.run({ ...request, ...change }, (remember) => {
    acts += 1;
    const act = acts;
    return accounts.db.write(async (tx) => {
      await tx
        .insertInto("heartbeats")
        .values({ name: `act ${act}`, at: 1 })
        .execute();
      const reply = { status: 201, body: { act } };
      await remember(tx, reply, `call_${act}`);
      return reply;
    });
  });

const storedActs = () => accounts.db.reader.selectFrom("heartbeats").selectAll().execute();
const storedKeys = () => accounts.db.reader.selectFrom("idempotency_keys").selectAll().execute();

describe("the same request twice", () => {
  test("is done once and answered twice", async () => {
    expect(await run()).toEqual({ status: 201, body: { act: 1 }, replayed: false });
    expect(await run()).toEqual({ status: 201, body: { act: 1 }, replayed: true });
    expect(acts).toBe(1);
  });

  test("is replayed after a restart", async () => {
    await run();
    idempotency = createIdempotency({ db: accounts.db, clock: accounts.clock, keepHours: 24 });
    expect((await run()).replayed).toBeTrue();
  });

  test("without a key runs twice, and nothing is stored", async () => {
    await run({ header: null });
    expect(await run({ header: null })).toMatchObject({ body: { act: 2 }, replayed: false });
    expect(await storedKeys()).toEqual([]);
  });

  test("with or without quotes around the key is the same", async () => {
    await run({ header: "a b" });
    expect((await run({ header: '"a b"' })).replayed).toBeTrue();
  });
});

describe("the same key", () => {
  test("with another body is rejected, and nothing runs", async () => {
    await run();
    const refusal = await rejectionOf<AppError>(run({ requestHash: hashOf("{ }") }));
    expect(refusal.code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(acts).toBe(1);
  });

  test.each([
    ["credential", { credentialId: "key_b" }],
    ["route", { route: "POST /v1/hooks/:token" }],
  ])("of another %s is another key", async (_, change) => {
    await run();
    expect((await run(change)).replayed).toBeFalse();
    expect(acts).toBe(2);
  });

  test("of another organisation is another key", async () => {
    await run();
    const other = await accounts.organisations.create({ name: "Other", timeZone: "UTC" }, CLI_ACTOR);
    expect((await run({ organisationId: other.id })).replayed).toBeFalse();
  });

  test("cannot be forged by moving text between its parts", async () => {
    await run({ credentialId: 'a","b', route: "c" });
    expect((await run({ credentialId: "a", route: 'b","c' })).replayed).toBeFalse();
  });
});

describe("concurrent requests", () => {
  test("run once: the second is told to retry, and then gets the first answer", async () => {
    const [first, second] = await Promise.allSettled([run(), run()]);
    expect(first).toMatchObject({ status: "fulfilled", value: { replayed: false } });
    const refusal = (second as PromiseRejectedResult).reason as AppError;
    expect(refusal.code).toBe("IDEMPOTENCY_IN_PROGRESS");
    expect(refusal.retryAfterSeconds).toBe(1);
    expect(await run()).toMatchObject({ body: { act: 1 }, replayed: true });
    expect(acts).toBe(1);
  });

  test("twenty of them run once", async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => run()));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await storedActs()).toHaveLength(1);
  });

  test("with two keys both run", async () => {
    await Promise.all([run({ header: "a" }), run({ header: "b" })]);
    expect(acts).toBe(2);
  });
});

describe("two independent processes", () => {
  let other: Idempotency;
  beforeEach(() => void (other = createIdempotency({ db: accounts.db, clock: accounts.clock, keepHours: 24 })));

  test("run it once, and the later one returns the first answer", async () => {
    for (let round = 1; round <= 20; round++) {
      const header = `round ${round}`;
      const answers = await Promise.all([runOn(idempotency, { header }), runOn(other, { header })]);
      expect(answers.filter(({ replayed }) => replayed)).toHaveLength(1);
      expect(answers[0].body).toEqual(answers[1].body);
      expect(await storedActs()).toHaveLength(round);
    }
  });

  test("reject the same key with another body, and run nothing for it", async () => {
    const answers = await Promise.allSettled([
      runOn(idempotency),
      runOn(other, { requestHash: hashOf('{"other":1}') }),
    ]);
    // The database decides which one was first.
    const done = answers.filter((answer) => answer.status === "fulfilled");
    const refused = answers.filter((answer) => answer.status === "rejected");
    expect(done.map(({ value }) => value.replayed)).toEqual([false]);
    expect(refused.map(({ reason }) => (reason as AppError).code)).toEqual(["IDEMPOTENCY_KEY_REUSED"]);
    expect(await storedActs()).toHaveLength(1);
  });

  test("run it again, once, after the first answer has expired", async () => {
    await run();
    await accounts.clock.advance(24 * HOUR_MS);
    const answers = await Promise.all([runOn(idempotency), runOn(other)]);
    expect(answers.filter(({ replayed }) => replayed)).toHaveLength(1);
    expect(await storedActs()).toHaveLength(2);
    expect(await storedKeys()).toHaveLength(1);
  });
});

describe("a failed command", () => {
  test("is not stored, and the next attempt runs it again", async () => {
    const boom = new Error("boom");
    const failing = idempotency.run(request, (remember) =>
      accounts.db.write(async (tx) => {
        await tx.insertInto("heartbeats").values({ name: "half", at: 1 }).execute();
        await remember(tx, { status: 201, body: {} }, null);
        throw boom;
      }),
    );
    expect(await rejectionOf(failing)).toBe(boom);
    expect(await storedKeys()).toEqual([]);
    expect(await storedActs()).toEqual([]);
    expect((await run()).replayed).toBeFalse();
  });
});

describe("a stored response", () => {
  test("is kept for 24 hours to the millisecond; then the request runs again and is stored again", async () => {
    await run();
    await accounts.clock.advance(24 * HOUR_MS - 1);
    expect((await run()).replayed).toBeTrue();
    await accounts.clock.advance(1);
    expect(await run()).toMatchObject({ body: { act: 2 }, replayed: false });
    expect(await run()).toMatchObject({ body: { act: 2 }, replayed: true });
  });

  test("is deleted when it expires, and no other is", async () => {
    await run({ header: "old" });
    await accounts.clock.advance(HOUR_MS);
    await run({ header: "new" });
    await accounts.clock.advance(23 * HOUR_MS);
    await idempotency.forgetExpired(accounts.clock.now());
    expect((await storedKeys()).map(({ subject_id }) => subject_id)).toEqual(["call_2"]);
  });

  test("contains neither the key nor the request body", async () => {
    await run({ header: "visit-of-Kamala", requestHash: hashOf('{"n":"Kamala"}') });
    expect(JSON.stringify(await storedKeys())).not.toContain("Kamala");
  });
});

describe("a key", () => {
  test.each(["", '""', "a\tb", "naïve", "x".repeat(256), "a\u0000"])("of %p is refused", async (header) => {
    const refusal = await rejectionOf<AppError>(run({ header }));
    expect(refusal.code).toBe("VALIDATION_ERROR");
    expect(refusal.details[0]?.field).toBe("Idempotency-Key");
    expect(acts).toBe(0);
  });

  test.each(["x", "x".repeat(255), `"${"x".repeat(255)}"`, '"', "~ !"])("of %p is taken", async (header) => {
    expect((await run({ header })).replayed).toBeFalse();
  });
});
