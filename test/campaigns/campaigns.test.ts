// Campaigns through the API, with a scripted carrier: created, fed at their pace, paused, stopped, retried.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { pauseCampaignsIn } from "../../src/db/backup/hold-due-calls.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/core/clock.ts";
import type { CampaignResult, CampaignView } from "../../src/campaigns/model.ts";
import { createPreparations } from "../../src/campaigns/preparations.ts";
import { campaignRow, listedRow } from "../support/campaign-rows.ts";
import { onlySqlite } from "../support/engines.ts";
import { createHospital, outcome, type Hospital } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";
import type { RequestOptions } from "../support/test-app.ts";
import { fileOf } from "../support/temp.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital({ settings: { RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "unlimited" } });
  await hospital.app.start();
});
afterEach(() => hospital.close());

const numberOf = (row: number) => `+9198100${String(10_000 + row)}`;
const people = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ user_number: numberOf(i + 1), user_name: `Patient ${i + 1}` }));

const post = (changes: object = {}, options: RequestOptions = {}, query = "") =>
  hospital.request("POST", `/v1/campaigns${query}`, {
    body: { name: "Reminders", agent_id: hospital.agentId, rows: people(3), calls_per_minute: 60, ...changes },
    ...options,
  });

async function make(changes: object = {}): Promise<string> {
  const answer = await post(changes);
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  // Wakes the feeder and runs one round.
  await hospital.clock.advance(0);
  return answer.json.data["campaign_id"]!;
}

async function view(id: string): Promise<CampaignView> {
  await settle();
  return (await hospital.request("GET", `/v1/campaigns/${id}`)).json.data as unknown as CampaignView;
}

async function results(id: string, query = ""): Promise<CampaignResult[]> {
  await settle();
  const answer = await hospital.request("GET", `/v1/campaigns/${id}/results?limit=100${query}`);
  return answer.json.data as unknown as CampaignResult[];
}

const act = (id: string, what: string) => hospital.request("POST", `/v1/campaigns/${id}/${what}`);
const dialledNumbers = () => hospital.carrier.dialled.map(({ to }) => to);
const live = () => [...hospital.carrier.live];

describe("the same list", () => {
  test("submitted twice by staff becomes one campaign while it is open; another agent's or a changed list is another", async () => {
    const { campaigns } = hospital.app.services;
    const handIn = (changes: object = {}) =>
      campaigns.create(
        hospital.organisationId,
        { name: "Reminders", agent_id: hospital.agentId, rows: people(600), ...changes },
        CLI_ACTOR,
        undefined,
        { isOnlyOnce: true },
      );
    const answers = await Promise.allSettled([handIn(), handIn({ name: "Again" })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const [made] = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value.campaign_id] : []));
    const [error] = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
    expect(error).toMatchObject({ code: "CONFLICT", message: expect.stringContaining("This very list") });
    await handIn({ rows: people(599) });
    await campaigns.stop(hospital.organisationId, made!, CLI_ACTOR);
    await handIn();
    // API clients use Idempotency-Key for that.
    expect((await post({ rows: people(600) })).status).toBe(201);
  });

  test("a list that a starting server removed while it was written is not acknowledged", async () => {
    const { db } = hospital;
    const id = "cmp_taken";
    const campaign = campaignRow({ id, organisation_id: hospital.organisationId, agent_id: hospital.agentId });
    const rows = [listedRow({ campaign_id: id, state: "waiting", call_id: null })];
    let writes = 0;
    // Before the last of its three commands another process starts, which is unaware of this one.
    const write: typeof db.write = async (work) => {
      if (++writes === 3) await createPreparations({ db }).clear();
      return db.write(work);
    };
    let isTold = false;
    const made = createPreparations({ db: { ...db, write } }).write(
      campaign,
      rows,
      async () => {},
      async () => void (isTold = true),
    );
    expect(await made.catch((error: unknown) => error)).toMatchObject({ code: "CONFLICT" });
    expect(isTold).toBe(false);
    expect(await db.reader.selectFrom("campaign_rows").selectAll().execute()).toEqual([]);
  });
});

describe("a campaign", () => {
  test("calls everyone on its list, evenly at its pace, and finishes", async () => {
    const id = await make({ rows: people(12), calls_per_minute: 30 });
    expect((await view(id)).state).toBe("running");
    const seen = [dialledNumbers().length];
    for (let i = 0; i < 11; i++) {
      await hospital.clock.advance(2 * SECOND_MS);
      seen.push(dialledNumbers().length);
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    expect(dialledNumbers()).toEqual(people(12).map(({ user_number }) => user_number));
    expect((await view(id)).progress).toMatchObject({ waiting: 0, calling: 12, talking: 12, done: 0 });
    for (const [i, callId] of live().entries())
      if (i % 2) hospital.carrier.talk(callId);
      else hospital.carrier.fail(callId, "no_answer");
    await hospital.clock.advance(SECOND_MS);
    expect(await view(id)).toMatchObject({
      state: "finished",
      rows: 12,
      progress: {
        waiting: 0,
        calling: 0,
        talking: 0,
        done: 12,
        cancelled: 0,
        failed: 6,
        outcomes: { answered: 6, no_answer: 6 },
      },
    });
    expect((await results(id))[1]).toMatchObject({
      row: 2,
      state: "done",
      outcome: "answered",
      attempts: 1,
      contact_number: numberOf(2),
      call_status: "completed",
      disposition: "session_ended",
    });
  });

  test("waits for its start time, and for the time of each row", async () => {
    const at = (ms: number) => new Date(hospital.clock.now() + ms).toISOString();
    const rows = [...people(2), { ...people(3)[2], scheduled_time: at(10 * MINUTE_MS) }];
    const id = await make({ rows, start_at: at(5 * MINUTE_MS) });
    await hospital.clock.advance(5 * MINUTE_MS - SECOND_MS);
    expect([(await view(id)).state, dialledNumbers()]).toEqual(["ready", []]);
    await hospital.clock.advance(MINUTE_MS);
    expect(dialledNumbers()).toHaveLength(2);
    await hospital.clock.advance(5 * MINUTE_MS);
    expect(dialledNumbers()).toHaveLength(3);
  });

  test("retries contacts who do not answer, as often and after the delay its policy says", async () => {
    const id = await make({ rows: people(1), retry: { no_answer: { attempts: 2, minutes: 5 } } });
    await hospital.clock.advance(SECOND_MS);
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(hospital.carrier.dialled).toHaveLength(attempt);
      expect((await view(id)).state).toBe("running");
      hospital.carrier.fail(live()[0]!, "no_answer");
      await hospital.clock.advance(5 * MINUTE_MS - SECOND_MS);
      expect(hospital.carrier.dialled).toHaveLength(attempt);
      await hospital.clock.advance(2 * SECOND_MS);
    }
    expect(await view(id)).toMatchObject({ state: "finished", progress: { outcomes: { no_answer: 1 } } });
    const [row] = await results(id);
    expect(row).toMatchObject({ attempts: 3, outcome: "no_answer" });
    // The agent's own retry policy creates no extra call, and each call links to the previous one.
    const calls = await hospital.db.reader.selectFrom("calls").selectAll().orderBy("created_at").execute();
    expect(calls.map(({ follows_call_id }) => follows_call_id)).toEqual([null, calls[0]!.id, calls[1]!.id]);
    expect(calls.map(({ campaign_id }) => campaign_id)).toEqual([id, id, id]);
  });

  test("never calls a number on the do-not-disturb list, and reports it", async () => {
    await hospital.app.services.doNotDisturb.add(hospital.organisationId, numberOf(2), CLI_ACTOR);
    const id = await make();
    await hospital.clock.advance(10 * SECOND_MS);
    expect(dialledNumbers()).toEqual([numberOf(1), numberOf(3)]);
    expect((await results(id))[1]).toMatchObject({ state: "done", outcome: "do_not_disturb" });
  });

  test("calls within its own hours, in the callee's time zone", async () => {
    await hospital.close();
    hospital = await createHospital({ isEnforced: true });
    await hospital.app.start();
    const hour = new Date(hospital.clock.now()).toLocaleString("en", {
      timeZone: "Asia/Kolkata",
      hour: "2-digit",
      hourCycle: "h23",
    });
    const start = `${String((Number(hour) + 2) % 22).padStart(2, "0")}:00`;
    const id = await make({ calling_hours: { start, end: "23:59", days: [0, 1, 2, 3, 4, 5, 6] } });
    await hospital.clock.advance(5 * MINUTE_MS);
    expect(dialledNumbers()).toEqual([]);
    expect(await hospital.db.reader.selectFrom("calls").selectAll().execute()).toEqual([]);
    const [row] = await results(id);
    await hospital.clock.advance(Date.parse(row!.next_attempt_at!) - hospital.clock.now() + 10 * SECOND_MS);
    expect(dialledNumbers()).toHaveLength(3);
  });

  test.each([
    ["12:00", "20:00", 0, "2026-11-15T06:30:00.000Z"],
    ["09:00", "22:00", 9, null],
  ])(
    "calls within the rule as the organisation changed it: %s to %s",
    async (begin, end, hoursLater, nextAttemptAt) => {
      await hospital.close();
      hospital = await createHospital({ isEnforced: true });
      await hospital.app.start();
      // 11:30 in India, or 20:30.
      await hospital.clock.leap(hoursLater * HOUR_MS + 2 * MINUTE_MS);
      const value = { start: begin, end, days: [0, 1, 2, 3, 4, 5, 6] };
      const given = { ruleId: "in-hours", value, reason: "The evening clinic calls its own patients." };
      await hospital.app.services.ruleChanges.set(hospital.organisationId, given, CLI_ACTOR);
      const id = await make();
      await hospital.clock.advance(10 * SECOND_MS);
      expect(dialledNumbers()).toHaveLength(nextAttemptAt === null ? 3 : 0);
      const [row] = await results(id);
      expect(row!.next_attempt_at ?? null).toBe(nextAttemptAt);
      const calls = await hospital.db.reader.selectFrom("calls").select("id").execute();
      expect(calls).toHaveLength(nextAttemptAt === null ? 3 : 0);
    },
  );

  test("creates no more calls than lines can take soon, so other calls of the hospital are not delayed", async () => {
    await hospital.close();
    hospital = await createHospital({ numberLines: 1 });
    await hospital.app.start();
    const id = await make({ rows: people(300), calls_per_minute: 6_000 });
    await hospital.clock.advance(10 * SECOND_MS);
    const { progress } = await view(id);
    expect(progress.calling).toBeLessThanOrEqual(101);
    expect(progress.talking).toBe(1);
  });
});

describe("pause, resume and stop", () => {
  test("a paused campaign dials nothing, not even calls already created, and resumes where it was", async () => {
    await hospital.close();
    hospital = await createHospital({ numberLines: 1 });
    await hospital.app.start();
    const id = await make({ rows: people(5) });
    await hospital.clock.advance(10 * SECOND_MS);
    expect(dialledNumbers()).toEqual([numberOf(1)]);
    expect((await act(id, "pause")).json.data as object).toMatchObject({ state: "paused" });
    hospital.carrier.talk(live()[0]!);
    await hospital.clock.advance(5 * MINUTE_MS);
    expect(dialledNumbers()).toEqual([numberOf(1)]);
    const [, second] = await results(id);
    expect(await hospital.view(second!.call_id!)).toMatchObject({
      hold_reason: "campaign_paused",
      next_attempt_at: null,
    });
    expect((await act(id, "pause")).status).toBe(200);
    expect((await act(id, "resume")).status).toBe(200);
    for (let i = 0; i < 5; i++) {
      await hospital.clock.advance(10 * SECOND_MS);
      for (const callId of live()) hospital.carrier.talk(callId);
      await settle();
    }
    expect(dialledNumbers().toSorted()).toEqual(people(5).map(({ user_number }) => user_number));
    expect((await view(id)).state).toBe("finished");
  });

  test("a stopped campaign cancels calls that have not started, and lets conversations finish", async () => {
    await hospital.close();
    hospital = await createHospital({ numberLines: 1 });
    await hospital.app.start();
    const id = await make({ rows: people(600), retry: { no_answer: { attempts: 1, minutes: 5 } } });
    await hospital.clock.advance(3 * SECOND_MS);
    const stopped = (await act(id, "stop")).json.data as unknown as CampaignView;
    expect(stopped).toMatchObject({ state: "stopped", progress: { waiting: 0, calling: 1, cancelled: 599 } });
    hospital.carrier.fail(live()[0]!, "no_answer");
    await hospital.clock.advance(10 * MINUTE_MS);
    expect(dialledNumbers()).toEqual([numberOf(1)]);
    expect((await view(id)).progress).toMatchObject({ waiting: 0, calling: 0, done: 1, cancelled: 599 });
    expect(outcome(await act(id, "resume"))).toBe("409 CONFLICT");
    expect(outcome(await act(id, "pause"))).toBe("409 CONFLICT");
    expect((await act(id, "stop")).status).toBe(200);
  });

  test("stores its retry rules, and no unknown fields sent with them", async () => {
    const rules = { no_answer: { attempts: 2, minutes: 5 } };
    const sent = JSON.parse('{"no_answer":{"attempts":2,"minutes":5,"__proto__":1}}') as object;
    const id = await make({ rows: people(1), retry: sent });
    expect((await view(id)).retry).toStrictEqual(rules);
    const beside = JSON.parse('{"no_answer":{"attempts":2,"minutes":5},"__proto__":{"x":1}}') as object;
    await expect(make({ rows: people(1), retry: beside })).rejects.toThrow("retry.__proto__ is not a field here");
  });

  test("retry calls exactly the contacts who were not reached", async () => {
    const id = await make({ rows: people(4) });
    await hospital.clock.advance(5 * SECOND_MS);
    const [first, second, third, fourth] = live();
    hospital.carrier.talk(first!);
    hospital.carrier.fail(second!, "no_answer");
    hospital.carrier.fail(third!, "invalid_number");
    hospital.carrier.fail(fourth!, "busy");
    await hospital.clock.advance(SECOND_MS);
    expect(await view(id)).toMatchObject({ state: "finished", progress: { failed: 2 } });
    expect((await act(id, "retry")).status).toBe(200);
    await hospital.clock.advance(5 * SECOND_MS);
    expect(dialledNumbers().slice(4)).toEqual([numberOf(2), numberOf(4)]);
    for (const callId of live()) hospital.carrier.talk(callId);
    await hospital.clock.advance(SECOND_MS);
    expect(await view(id)).toMatchObject({ state: "finished", progress: { failed: 0, done: 4 } });
    expect(outcome(await act(id, "retry"))).toBe("409 CONFLICT");
    expect(outcome(await act(id, "retry?outcomes=nonsense"))).toBe("400 VALIDATION_ERROR");
    expect((await act(id, "retry?outcomes=invalid_number")).status).toBe(200);
  });
});

describe("the request", () => {
  test("is rejected row by row, and the other rows are accepted", async () => {
    const rows = [
      { user_number: numberOf(1) },
      { user_number: "98100 12345" },
      { user_name: "Nobody" },
      { user_number: numberOf(4), user_name: 5 },
      "text",
      { user_number: numberOf(6), scheduled_at: "2030-01-01T00:00:00Z" },
      { user_number: numberOf(7), contact_number: numberOf(7) },
    ];
    const { status, json } = await post({ rows });
    expect(status).toBe(201);
    const { accepted, refused } = json.data as unknown as {
      accepted: number;
      refused: { row: number; field: string }[];
    };
    expect(accepted).toBe(1);
    expect(refused.map(({ row, field }) => [row, field])).toEqual([
      [2, "user_number"],
      [3, "user_number"],
      [4, "user_name"],
      [5, "row"],
      [6, "scheduled_at"],
      [7, "user_number"],
    ]);
    expect(JSON.stringify(refused)).not.toContain("98100");
  });

  test("creates nothing if no row can be called", async () => {
    const { status, json } = await post({ rows: [{ user_number: "12" }] });
    expect([status, json.error.details?.[0]?.field]).toEqual([400, "rows.1.user_number"]);
    expect(await hospital.db.reader.selectFrom("campaigns").selectAll().execute()).toEqual([]);
  });

  test.each([
    [{ name: " " }, "name"],
    [{ scheduled_time: "2030-01-01T00:00:00Z" }, "scheduled_time"],
    [{ startAt: "2030-01-01T00:00:00Z" }, "startAt"],
    [{ rows: [] }, "rows"],
    [{ calls_per_minute: 0 }, "calls_per_minute"],
    [{ calls_per_minute: "60" }, "calls_per_minute"],
    [{ start_at: "2020-01-01T00:00:00Z" }, "start_at"],
    [{ agent_id: "agt_nobody" }, "agent_id"],
    [{ calling_hours: { start: "12:00", end: "09:00", days: [1] } }, "calling_hours"],
    [{ retry: { busy: { attempts: 100, minutes: 5 } } }, "retry.busy.attempts"],
  ])("%j is rejected completely", async (changes, field) => {
    const { status, json } = await post(changes);
    expect([status, json.error.details?.[0]?.field]).toEqual([400, field]);
  });

  test("can have 10,000 rows, and no more", async () => {
    const rows = people(10_000).map(({ user_number }) => ({ user_number }));
    expect((await post({ rows: [...rows, rows[0]] })).status).toBe(400);
    const { json } = await post({ rows, start_at: new Date(hospital.clock.now() + DAY_MS).toISOString() });
    expect(json.data as object).toMatchObject({ accepted: 10_000, refused: [] });
  }, 180_000);

  test("as a dry run returns the outcome of each row, and creates nothing", async () => {
    await hospital.app.services.doNotDisturb.add(hospital.organisationId, numberOf(3), CLI_ACTOR);
    const rows = [...people(3), people(1)[0], { user_number: "1" }];
    const { status, json } = await post({ rows }, {}, "?dry_run=true");
    expect([status, json.data as unknown]).toEqual([
      200,
      {
        dry_run: true,
        accepted: 4,
        refused: [{ row: 5, field: "user_number", message: expect.any(String) }],
        duplicates: [{ row: 4, same_as: 1 }],
        do_not_disturb: [3],
        missing_placeholders: [{ name: "visit", rows: 4 }],
        greeting: "Hello Patient 1.",
        starts_at: new Date(hospital.clock.now()).toISOString(),
        ends_at: new Date(hospital.clock.now() + 3 * SECOND_MS).toISOString(),
      },
    ]);
    expect(await hospital.db.reader.selectFrom("campaigns").selectAll().execute()).toEqual([]);
  });

  test("repeated with one Idempotency-Key is one campaign", async () => {
    const options = { headers: { "idempotency-key": "list-1" } };
    const first = await post({}, options);
    const again = await post({}, options);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(again.json).toEqual(first.json);
    expect(outcome(await post({ name: "Other" }, options))).toBe("422 IDEMPOTENCY_KEY_REUSED");
    expect(await hospital.db.reader.selectFrom("campaigns").selectAll().execute()).toHaveLength(1);
  });

  test("is limited to a number of concurrent campaigns", async () => {
    await hospital.close();
    hospital = await createHospital({ settings: { RINGWARD_CAMPAIGNS__AT_ONCE: "1" } });
    await hospital.app.start();
    const id = await make();
    expect(outcome(await post())).toBe("403 PLAN_LIMIT_REACHED");
    await act(id, "stop");
    expect(outcome(await post())).toBe("201 ok");
  });
});

describe("reading", () => {
  test("lists newest first, pages results, and finds the calls of a campaign", async () => {
    const first = await make({ name: "First" });
    await hospital.clock.advance(10 * SECOND_MS);
    const second = await make({ name: "Second", rows: people(1) });
    const list = await hospital.request("GET", "/v1/campaigns?limit=1");
    const { data, next_cursor } = list.json as unknown as { data: CampaignView[]; next_cursor: string };
    expect(data.map(({ name }) => name)).toEqual(["Second"]);
    const rest = (await hospital.request("GET", `/v1/campaigns?cursor=${next_cursor}`)).json;
    expect((rest.data as unknown as CampaignView[]).map(({ name }) => name)).toEqual(["First"]);
    const page = (await hospital.request("GET", `/v1/campaigns/${first}/results?limit=2`))
      .json as unknown as typeof list.json & {
      data: CampaignResult[];
      next_cursor: string;
    };
    expect(page.data.map(({ row }) => row)).toEqual([1, 2]);
    expect((await results(first, `&cursor=${page.next_cursor}`)).map(({ row }) => row)).toEqual([3]);
    expect(await results(second, "&state=done")).toEqual([]);
    const calls = (await hospital.request("GET", `/v1/calls?campaign_id=${first}`)).json.data as unknown as object[];
    expect(calls).toHaveLength(3);
  });

  test("results are CSV without cells that a spreadsheet runs as formulas", async () => {
    const id = await make({ rows: [{ user_number: numberOf(1), user_name: "=1+1" }] });
    const { text, headers } = await hospital.request("GET", `/v1/campaigns/${id}/results`, {
      headers: { accept: "text/csv" },
    });
    expect(headers.get("content-type")).toStartWith("text/csv");
    const [head, row] = text.split("\r\n");
    expect(head).toStartWith("row,number,name,state,outcome,calls");
    expect(row).toStartWith(`1,${numberOf(1)},'=1+1,`);
  });

  test("is isolated between organisations", async () => {
    const id = await make();
    const { key } = await hospital.neighbour();
    for (const path of ["", "/results"]) {
      expect(outcome(await hospital.request("GET", `/v1/campaigns/${id}${path}`, { key }))).toBe("404 NOT_FOUND");
    }
    for (const what of ["pause", "resume", "stop", "retry"])
      expect(outcome(await hospital.request("POST", `/v1/campaigns/${id}/${what}`, { key }))).toBe("404 NOT_FOUND");
    expect((await hospital.request("GET", "/v1/campaigns", { key })).json.data as unknown).toEqual([]);
  });
});

describe("personal data", () => {
  test("is erased with its call, together with a pending retry", async () => {
    const id = await make({ rows: people(2), retry: { voicemail: { attempts: 1, minutes: 5 } } });
    await hospital.clock.advance(5 * SECOND_MS);
    const [first] = live();
    const analytics = { summary: "", sentiment: "neutral", next_steps: "", disposition: "voicemail" } as const;
    hospital.carrier.talk(first!, { analytics });
    await settle();
    expect((await results(id))[0]).toMatchObject({ state: "waiting", outcome: "voicemail" });
    expect((await hospital.request("DELETE", `/v1/calls/${first!}`)).status).toBe(200);
    expect((await results(id))[0]).toMatchObject({
      state: "done",
      outcome: "erased",
      contact_number: null,
      contact_name: null,
    });
    await hospital.clock.advance(10 * MINUTE_MS);
    expect(hospital.carrier.dialled).toHaveLength(2);
  });

  test("is erased after the retention period, called or not", async () => {
    const id = await make({ rows: people(600) });
    await act(id, "stop");
    const { erasure } = hospital.app.services;
    await erasure.enforceRetention(1, CLI_ACTOR, hospital.clock.now());
    expect((await view(id)).rows).toBe(600);
    hospital.clock.pass(2 * DAY_MS);
    expect(await erasure.enforceRetention(1, CLI_ACTOR, hospital.clock.now())).toMatchObject({ campaigns: 1 });
    expect(await hospital.db.reader.selectFrom("campaign_rows").selectAll().execute()).toEqual([]);
    expect(outcome(await hospital.request("GET", `/v1/campaigns/${id}`))).toBe("404 NOT_FOUND");
  });

  test("is erased when an owner deletes the list, once it is over", async () => {
    const id = await make();
    const { campaigns } = hospital.app.services;
    const erase = () => campaigns.erase(hospital.organisationId, id, CLI_ACTOR);
    expect(erase()).rejects.toThrow("Stop it first");
    await act(id, "stop");
    await erase();
    expect(await hospital.db.reader.selectFrom("campaign_rows").selectAll().execute()).toEqual([]);
    expect(await hospital.actionsOnRecord()).toContain("campaign.forgotten");
  });
});

test("an incomplete campaign after a crash is removed at the next start", async () => {
  const id = await make();
  await act(id, "pause");
  await hospital.db.write((tx) =>
    tx.updateTable("campaigns").set({ state: "preparing" }).where("id", "=", id).execute(),
  );
  await hospital.app.services.preparations.clear();
  expect(await hospital.db.reader.selectFrom("campaigns").selectAll().execute()).toEqual([]);
  expect(await hospital.db.reader.selectFrom("campaign_rows").selectAll().execute()).toEqual([]);
});

onlySqlite("a backup is one of SQLite's file")(
  "a restored backup finds its campaigns paused: whom they called since, nobody knows",
  async () => {
    const id = await make();
    await hospital.clock.advance(10 * SECOND_MS);
    const connection = new Sqlite(fileOf(hospital.db));
    pauseCampaignsIn(connection, hospital.clock.now());
    connection.close();
    expect((await view(id)).state).toBe("paused");
    expect((await act(id, "resume")).status).toBe(200);
  },
);

test("an agent with pending contacts cannot be archived", async () => {
  const id = await make({ start_at: new Date(hospital.clock.now() + DAY_MS).toISOString() });
  const archive = () => hospital.app.services.agents.archive(hospital.organisationId, hospital.agentId, CLI_ACTOR);
  expect(archive()).rejects.toThrow("Calls or campaigns of this agent");
  await act(id, "stop");
  await archive();
});
