// Erasure is complete: after the 200 no byte of the person is left in any file of the data folder.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../../../src/core/actor.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/core/clock.ts";
import { createHospital, outcome, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";
import { until } from "../../support/until.ts";
import { fileOf } from "../../support/temp.ts";

let hospital: Hospital;
let endpointId: string;
beforeEach(async () => {
  hospital = await createHospital({
    logged: true,
    agent: { retry_attempts: 1, retry_minutes: 5, retry_outcomes: ["voicemail", "busy"] },
  });
  endpointId = await hospital.subscribe();
  await hospital.app.start();
});
afterEach(() => hospital.close());

interface Person {
  name: string;
  number: string;
  email: string;
  word: string;
  secret: string;
}

/** Letters outside ASCII, so that escaped forms differ from plain ones. */
const person = (i: number): Person => ({
  name: `Mīrā Ayyar-${i}x${i}`,
  number: `+9197654${String(30_000 + i)}`,
  email: `mira.${i}@perſon.example`,
  word: `knee–surgery–${i}q`,
  secret: `Straße ${i} “blue”`,
});

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** JSON with every letter outside ASCII as a \\u escape, in upper and lower case. */
function escaped(text: string): string[] {
  const inner = JSON.stringify(text).slice(1, -1);
  const hex = inner.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [
    text,
    inner,
    hex,
    hex.replace(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`),
    encodeURIComponent(text),
  ];
}

/** The person's words found in each file, in any encoding. */
function tracesOf({ name, number, email, word, secret }: Person): string[] {
  const needles = [name, number, number.slice(1), email, word, secret].flatMap(escaped);
  return filesOf(hospital.dataDir).flatMap((path) => {
    const bytes = readFileSync(path);
    const utf16 = needles.map((needle) => Buffer.from(needle, "utf16le"));
    return [...needles, ...utf16]
      .filter((needle) => bytes.includes(needle))
      .map((needle) => `${path}: ${String(needle)}`);
  });
}

async function talkWith(who: Person, headers: Record<string, string> = {}): Promise<string> {
  const answer = await hospital.post(
    {
      user_number: who.number,
      user_name: who.name,
      user_email: who.email,
      additional_info: { address: who.secret, visit: "Monday" },
    },
    { headers },
  );
  const id: string = answer.json.data["call_id"]!;
  await hospital.clock.advance(15_000);
  hospital.carrier.keepLeg(id, JSON.stringify({ remoteAddress: `<sip:${who.number}@pbx.example>` }));
  hospital.carrier.talk(id, {
    recorded: true,
    transcript: [
      { speaker: "agent", text: `Hello ${who.name}.`, timestamp: 0 },
      { speaker: "user", text: `It is about my ${who.word}. ${"And more. ".repeat(400)}`, timestamp: 3 },
    ],
    analytics: {
      summary: `${who.name} asked about ${who.word}.`,
      sentiment: "neutral",
      next_steps: `Write to ${who.email}.`,
      disposition: "session_ended",
    },
    extractedDetails: { operation: who.word },
  });
  await settle();
  return id;
}

/** As delivery writes them: a receiver's response may repeat the request. */
async function noteAttempts(callId: string, who: Person): Promise<void> {
  const events = await hospital.eventsOf(callId);
  await hospital.db.write(async (tx) => {
    for (const { id } of events) {
      const delivery = await tx
        .selectFrom("deliveries")
        .select("id")
        .where("event_id", "=", id)
        .executeTakeFirstOrThrow();
      await tx
        .insertInto("delivery_attempts")
        .values({
          delivery_id: delivery.id,
          at: 1,
          duration_ms: 5,
          status: 500,
          outcome: "refused",
          detail: "Answered 500.",
          response: `Bad ${who.name} ${who.number}`,
        })
        .execute();
    }
  });
}

const erase = (id: string) => hospital.request("DELETE", `/v1/calls/${id}`);

describe("DELETE", () => {
  test("leaves no byte of the person immediately after the 200, and all other data intact", async () => {
    const people = Array.from({ length: 12 }, (_, i) => person(i));
    const ids: string[] = [];
    for (const who of people) {
      const id = await talkWith(who, { "idempotency-key": `visit of ${who.number}` });
      await noteAttempts(id, who);
      await hospital.view(id);
      ids.push(id);
    }
    const [who, id] = [people[5]!, ids[5]!];
    expect(tracesOf(who).length).toBeGreaterThan(5);

    const { status, json } = await erase(id);
    expect([status, json]).toEqual([200, { data: { call_id: id, deleted: true } }] as never);
    expect(tracesOf(who)).toEqual([]);
    for (const [i, other] of people.entries()) {
      if (i !== 5) expect((await hospital.view(ids[i]!)).contact_name).toBe(other.name);
    }
  });

  test("holds for each of many, deleted in any order, while calls continue", async () => {
    const people = Array.from({ length: 10 }, (_, i) => person(i));
    const ids: string[] = [];
    for (const who of people) ids.push(await talkWith(who));
    for (const i of [3, 9, 0, 5, 7]) {
      const extra = person(100 + i);
      const [answer] = await Promise.all([erase(ids[i]!), talkWith(extra)]);
      expect(answer.status).toBe(200);
      expect(tracesOf(people[i]!)).toEqual([]);
    }
  });

  test("of fifty at once reads the file at most twice, and each is answered when its own bytes are gone", async () => {
    const people = Array.from({ length: 50 }, (_, i) => person(i));
    const ids: string[] = [];
    for (const who of people) ids.push(await talkWith(who));
    const before = hospital.db.stats.wipes;
    const left = await Promise.all(
      ids.map(async (id, i) => {
        const { status } = await erase(id);
        return { status, traces: tracesOf(people[i]!) };
      }),
    );
    expect(left).toEqual(people.map(() => ({ status: 200, traces: [] })));
    expect(hospital.db.stats.wipes - before).toBeLessThanOrEqual(2);
  });

  test("that arrives while the file is read waits for the next pass", async () => {
    const [first, second] = [person(1), person(2)];
    const [firstId, secondId] = [await talkWith(first), await talkWith(second)];
    const before = hospital.db.stats.wipes;
    const earlier = erase(firstId);
    while (hospital.db.stats.wipes === before) await settle(1);
    expect((await erase(secondId)).status).toBe(200);
    expect(tracesOf(second)).toEqual([]);
    expect((await earlier).status).toBe(200);
    expect(hospital.db.stats.wipes - before).toBe(2);
  });

  test("also erases the recording, the links and the stored idempotent response", async () => {
    const id = await talkWith(person(1), { "idempotency-key": "once" });
    const { recordingFile } = hospital.carrier.dialled[0]!;
    expect(existsSync(recordingFile)).toBeTrue();
    await erase(id);
    expect(existsSync(recordingFile)).toBeFalse();
    for (const table of ["calls", "call_results", "events", "deliveries", "delivery_attempts"] as const) {
      expect([table, await hospital.db.reader.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    }
    // The key stays used, without content: a repeated request does not create the call again.
    const keys = await hospital.db.reader.selectFrom("idempotency_keys").selectAll().execute();
    expect(keys).toMatchObject([{ subject_id: id, request_hash: "", response: "" }]);
  });

  test("leaves a tombstone: id, organisation, time and API key", async () => {
    const id = await talkWith(person(1));
    await erase(id);
    const keys = await hospital.db.reader.selectFrom("api_keys").select("id").execute();
    expect(await hospital.db.reader.selectFrom("erased_calls").selectAll().execute()).toEqual([
      {
        call_id: id,
        organisation_id: hospital.organisationId,
        erased_at: hospital.clock.now(),
        actor_kind: "key",
        actor_id: keys[0]!.id,
      },
    ]);
  });

  test("answers 404 to every later request", async () => {
    const id = await talkWith(person(1));
    await erase(id);
    expect((await erase(id)).status).toBe(404);
    expect((await hospital.request("GET", `/v1/calls/${id}`)).status).toBe(404);
    expect((await hospital.request("POST", `/v1/calls/${id}/cancel`)).status).toBe(404);
    expect((await hospital.request("GET", "/v1/calls")).json as object).toMatchObject({ data: [] });
  });

  test("requested twice at once runs once", async () => {
    const id = await talkWith(person(1));
    const answers = await Promise.all([erase(id), erase(id)]);
    expect(answers.map(outcome).toSorted()).toEqual(["200 ok", "404 NOT_FOUND"]);
  });

  test("reports its true result on a full disk: the row is erased, and the rest follows when there is space", async () => {
    const who = person(1);
    const id = await talkWith(who);
    const { maintenance } = hospital.db;
    const { wipe } = maintenance;
    maintenance.wipe = () => Promise.reject(new Error("database or disk is full"));
    expect(outcome(await erase(id))).toBe("200 ok");
    expect((await hospital.request("GET", `/v1/calls/${id}`)).status).toBe(404);
    maintenance.wipe = wipe;
    expect(tracesOf(who)).not.toEqual([]);
    await hospital.clock.advance(MINUTE_MS);
    await until(() => tracesOf(who).length === 0);
  });

  test("works on completed calls only; any other is 404 and stays", async () => {
    const scheduled = await hospital.schedule();
    const cancelled = await hospital.schedule();
    await hospital.request("POST", `/v1/calls/${cancelled}/cancel`);
    const failed = await hospital.dial({ user_number: "+919810000001" });
    hospital.carrier.fail(failed, "invalid_number");
    const live = await hospital.dial({ user_number: "+919810000002" });
    await settle();
    const unknown = await erase("call_unknown");
    for (const id of [scheduled, cancelled, failed, live]) {
      const answer = await erase(id);
      expect([answer.status, answer.json.error.message]).toEqual([404, unknown.json.error.message]);
      expect((await hospital.request("GET", `/v1/calls/${id}`)).status).toBe(200);
    }
  });

  test("needs calls:delete", async () => {
    const id = await talkWith(person(1));
    const key = await hospital.newKey(["calls:create", "calls:read", "calls:cancel"]);
    expect((await hospital.request("DELETE", `/v1/calls/${id}`, { key })).status).toBe(403);
    expect((await hospital.row(id)).state).toBe("completed");
  });

  test("keeps the follow-up call, which can be deleted separately", async () => {
    const who = person(1);
    const id = await hospital.dial({ user_number: who.number, user_name: who.name });
    hospital.carrier.talk(id, { callbackInMinutes: 10 });
    await settle();
    const next = (await hospital.view(id)).scheduled_call_id!;
    await erase(id);
    expect((await hospital.view(next)).contact_name).toBe(who.name);
    await hospital.clock.advance(10 * MINUTE_MS);
    hospital.carrier.talk(next);
    await settle();
    expect((await erase(next)).status).toBe(200);
    expect(tracesOf(who)).toEqual([]);
  });

  test("that cannot truncate the WAL because of a long read reports it, and completes later", async () => {
    const who = person(1);
    const id = await talkWith(who);
    const reader = new Sqlite(fileOf(hospital.db), { readonly: true });
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM calls").get();
    expect((await erase(id)).status).toBe(200);
    expect(hospital.logLines.join("\n")).toContain("kept the WAL from being emptied");
    reader.exec("COMMIT");
    reader.close();
    await hospital.clock.advance(MINUTE_MS);
    // The wipe reads the file in real time, independent of the test clock.
    await until(() => tracesOf(who).length === 0);
  });
});

describe("retention", () => {
  const enforce = async (days: number) =>
    (await hospital.app.services.erasure.enforceRetention(days, SYSTEM_ACTOR, hospital.clock.now())).calls;

  test("erases every finished call of that age, whatever its outcome, to the last byte", async () => {
    const [old, young] = [person(1), person(2)];
    const completed = await talkWith(old);
    const failed = await hospital.dial({ user_number: person(3).number, user_name: person(3).name });
    hospital.carrier.fail(failed, "invalid_number");
    const cancelled = await hospital.schedule({ user_number: person(4).number, user_name: person(4).name });
    await hospital.request("POST", `/v1/calls/${cancelled}/cancel`);
    hospital.clock.pass(30 * DAY_MS - MINUTE_MS);
    const fresh = await talkWith(young);
    await hospital.clock.advance(MINUTE_MS);
    expect(await enforce(30)).toBe(3);
    for (const id of [completed, failed, cancelled])
      expect((await hospital.request("GET", `/v1/calls/${id}`)).status).toBe(404);
    for (const who of [old, person(3), person(4)]) expect(tracesOf(who)).toEqual([]);
    expect((await hospital.view(fresh)).contact_name).toBe(young.name);
  });

  test("keeps pending calls, however old", async () => {
    const id = await hospital.schedule({ scheduled_time: new Date(hospital.clock.now() + 300 * DAY_MS).toISOString() });
    hospital.clock.pass(200 * DAY_MS);
    expect(await enforce(30)).toBe(0);
    expect((await hospital.row(id)).state).toBe("scheduled");
  });

  test("processes more than one batch", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 205; i++) ids.push(await hospital.schedule());
    await hospital.db.write((tx) =>
      tx.updateTable("calls").set({ state: "failed", finished_at: hospital.clock.now() }).execute(),
    );
    hospital.clock.pass(2 * DAY_MS);
    expect(await enforce(1)).toBe(205);
    expect(await enforce(1)).toBe(0);
  });

  test("and a concurrent delete do not interfere", async () => {
    const id = await talkWith(person(1));
    await talkWith(person(2));
    hospital.clock.pass(2 * DAY_MS);
    const [, answer] = await Promise.all([enforce(1), erase(id)]);
    expect([200, 404]).toContain(answer.status);
    expect(await hospital.db.reader.selectFrom("calls").selectAll().execute()).toEqual([]);
    expect(await hospital.db.reader.selectFrom("erased_calls").selectAll().execute()).toHaveLength(2);
  });
});

/** Backdates the calls: a clock that jumps would be distrusted, and a running one takes too long. */
async function letItAge({ db }: Hospital, ms: number): Promise<void> {
  await db.write((tx) =>
    tx
      .updateTable("calls")
      .set((eb) => ({ finished_at: eb("finished_at", "-", ms) }))
      .execute(),
  );
}

/** A job may read and write files meanwhile, in real time. */
async function passAnHour(app: Hospital): Promise<void> {
  for (let i = 0; i < 12; i++) {
    await app.clock.advance(5 * MINUTE_MS);
    await settle(100);
  }
}

test("the hourly job enforces the configured days, and 0 keeps everything", async () => {
  const strict = await createHospital({ settings: { RINGWARD_RETENTION__DAYS: "7" } });
  await strict.app.start();
  for (const app of [strict, hospital]) {
    const id = await app.dial();
    app.carrier.talk(id);
    await settle();
    await letItAge(app, 6.9 * DAY_MS);
    await passAnHour(app);
    expect((await app.request("GET", `/v1/calls/${id}`)).status).toBe(200);
    await letItAge(app, 0.2 * DAY_MS);
    await passAnHour(app);
    const isErased = async () => (await app.request("GET", `/v1/calls/${id}`)).status === 404;
    if (app === strict) await until(isErased);
    else expect(await isErased()).toBe(false);
  }
  await strict.close();
});

test("a clock that is temporarily 40 days ahead erases nothing, and is reported", async () => {
  const strict = await createHospital({ settings: { RINGWARD_RETENTION__DAYS: "30" }, logged: true });
  await strict.app.start();
  const id = await strict.dial();
  strict.carrier.talk(id);
  await passAnHour(strict);
  strict.clock.jump(40 * DAY_MS);
  for (let hours = 0; hours < 5; hours++) await passAnHour(strict);
  expect((await strict.request("GET", `/v1/calls/${id}`)).status).toBe(200);
  const ready = await strict.request("GET", "/readyz", { key: null });
  expect(ready.status).toBe(200);
  expect(ready.text).toContain("40 days more than expected");
  expect((await strict.request("GET", "/metrics", { key: null })).text).toContain("ringward_clock_trusted 0");
  expect(strict.logLines.filter((line) => line.includes("The clock has jumped."))).toHaveLength(1);
  strict.clock.jump(-40 * DAY_MS);
  await letItAge(strict, 30 * DAY_MS);
  await passAnHour(strict);
  expect((await strict.request("GET", `/v1/calls/${id}`)).status).toBe(404);
  await strict.close();
});

test("the endpoint itself stays: only data about the call is erased", async () => {
  const id = await talkWith(person(1));
  await erase(id);
  const endpoints = await hospital.db.reader.selectFrom("webhook_endpoints").select("id").execute();
  expect(endpoints).toEqual([{ id: endpointId }]);
  await hospital.app.services.credits.grant(hospital.organisationId, 1, CLI_ACTOR);
});
