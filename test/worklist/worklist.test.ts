// The worklist: written when a call ends, removed automatically once resolved, marked by the person who completed it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SYSTEM_ACTOR } from "../../src/core/actor.ts";
import { upsertTrunkState } from "../../src/trunks/trunk-store.ts";
import { createWorklist } from "../../src/worklist/worklist.ts";
import type { WorklistPage } from "../../src/worklist/worklist-view.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/clock.ts";
import { BRANCH, createClinic, MONDAY, on, type Clinic } from "../calendar/clinic.ts";
import { settle } from "../support/manual-clock.ts";
import { askDashboard, signedIn, type Visitor } from "../support/dashboard.ts";
import { clearProblem, insertFile, putProblem, updateFile } from "../../src/exchange/folder/store.ts";

let clinic: Clinic;
let staff: Visitor;
let viewer: Visitor;
let numbersUsed = 0;
const newNumber = () => `+9198100${40_000 + ++numbersUsed}`;

beforeAll(async () => {
  clinic = await createClinic();
  await clinic.app.start();
  staff = await signedIn(clinic.app, clinic.organisationId, "staff");
  viewer = await signedIn(clinic.app, clinic.organisationId, "viewer");
}, 180_000);
afterAll(() => clinic.close());

const page = async (query = "") =>
  (await viewer.ask("GET", `/dashboard/api/worklist${query}`)).json as unknown as WorklistPage;
const openFor = async (number: string) => (await page()).data.filter(({ call }) => call?.contact_number === number);
const kindsFor = async (number: string) => (await openFor(number)).map(({ kind }) => kind);

async function ended(number: string, answer: string): Promise<string> {
  const id = await clinic.dial({ user_number: number, user_name: "Listed Person" });
  clinic.carrier.talk(id, { extractedDetails: { answer } });
  await settle();
  return id;
}

async function failed(number: string): Promise<string> {
  const id = await clinic.dial({ user_number: number });
  clinic.carrier.fail(id, "busy");
  await settle();
  return id;
}

describe("calls", () => {
  test("that failed for good are listed with their next step, and removed when a later one succeeds", async () => {
    const number = newNumber();
    const id = await failed(number);
    const [item] = await openFor(number);
    expect(item).toMatchObject({ kind: "call_failed", detail: "busy", call: { call_id: id, next_call: null } });
    const again = await staff.ask("POST", `/dashboard/api/calls/${id}/again`, {});
    const { call_id: next } = again.json as unknown as { call_id: string };
    expect((await openFor(number))[0]?.call?.next_call?.call_id).toBe(next);
    await clinic.clock.advance(15_000);
    clinic.carrier.talk(next, { extractedDetails: { answer: "confirmed" } });
    await settle();
    expect(await openFor(number)).toEqual([]);
  });

  test("with a possible emergency come first, with the result of the handover", async () => {
    const [danger, unheard, later] = [newNumber(), newNumber(), newNumber()];
    const id = await clinic.dial({ user_number: danger });
    clinic.carrier.talk(id, { extractedDetails: { answer: "emergency", emergency_outcome: "no_answer" } });
    await settle();
    await ended(unheard, "not_understood");
    await failed(later);
    const first = (await page()).data.slice(0, 2);
    expect(first.map(({ kind, detail, call }) => [kind, detail, call?.contact_number])).toEqual([
      ["not_understood", "not_understood", unheard],
      ["emergency", "emergency_no_answer", danger],
    ]);
    expect((await page("?kind=emergency")).data.map(({ kind }) => kind)).toEqual(["emergency"]);
    for (const { id: item } of first) await staff.ask("POST", `/dashboard/api/worklist/${item}/done`);
  });

  test("of one person are one entry: the newest known counts; an emergency stays until it is marked done", async () => {
    const number = newNumber();
    await failed(number);
    const second = await failed(number);
    expect((await openFor(number)).map(({ call }) => call?.call_id)).toEqual([second]);
    await ended(number, "person_wanted");
    expect(await kindsFor(number)).toEqual(["person_wanted"]);
    await failed(number);
    expect(await kindsFor(number)).toEqual(["call_failed", "person_wanted"]);
    await ended(number, "emergency");
    await ended(number, "confirmed");
    expect(await kindsFor(number)).toEqual(["emergency"]);
  });

  test("that ask for another time are removed once the appointment is moved, and link to its day", async () => {
    const number = newNumber();
    const window = await clinic.createWindow();
    const booked = await clinic.book(on(window, MONDAY), { contact_number: number });
    await ended(number, "change_requested");
    const [item] = await openFor(number);
    expect(item?.call?.appointment).toEqual({ branch_id: BRANCH, date: MONDAY });
    await clinic.clock.advance(1_000);
    await clinic.app.services.worklist.look();
    expect(await kindsFor(number)).toEqual(["another_time"]);
    const { appointments } = clinic.app.services;
    await appointments.update(clinic.organisationId, booked.appointment_id, { status: "cancelled" }, SYSTEM_ACTOR);
    await clinic.app.services.worklist.look();
    expect(await openFor(number)).toEqual([]);
  });

  test("that are erased remove their entry", async () => {
    const number = newNumber();
    const id = await failed(number);
    expect((await clinic.request("DELETE", `/v1/calls/${id}?any=true`)).status).toBe(200);
    expect(await openFor(number)).toEqual([]);
    expect(
      await clinic.db.reader.selectFrom("worklist_items").selectAll().where("subject_id", "=", id).execute(),
    ).toEqual([]);
  });
});

describe("a mark", () => {
  test("records who did it and when, and can be undone", async () => {
    const number = newNumber();
    await failed(number);
    const [item] = await openFor(number);
    const { open } = (await viewer.ask("GET", "/dashboard/api/worklist/count")).json as unknown as { open: number };
    expect((await viewer.ask("POST", `/dashboard/api/worklist/${item!.id}/done`)).status).toBe(403);
    expect((await staff.ask("POST", `/dashboard/api/worklist/${item!.id}/done`)).status).toBe(200);
    expect(await openFor(number)).toEqual([]);
    const [done] = (await page()).done;
    expect([done?.id, done?.done?.by]).toEqual([item!.id, "The staff"]);
    expect((await viewer.ask("GET", "/dashboard/api/worklist/count")).json as unknown).toEqual({ open: open - 1 });
    await staff.ask("POST", `/dashboard/api/worklist/${item!.id}/undo`);
    expect(await kindsFor(number)).toEqual(["call_failed"]);
    const actions = await clinic.actionsOnRecord();
    expect([actions.includes("worklist.done"), actions.includes("worklist.reopened")]).toEqual([true, true]);
  });
});

describe("entries from other tables", () => {
  test("an endpoint disabled after failures is listed until it is enabled; one disabled by hand is not", async () => {
    const { endpoints, worklist } = clinic.app.services;
    const id = await clinic.subscribe();
    await endpoints.disable(clinic.organisationId, id, SYSTEM_ACTOR);
    await worklist.look();
    expect((await page("?kind=endpoint_down")).data).toEqual([]);
    await clinic.db.write((tx) =>
      tx.updateTable("webhook_endpoints").set({ consecutive_failures: 1_000 }).where("id", "=", id).execute(),
    );
    await worklist.look();
    const { data, counts } = await page("?kind=endpoint_down");
    expect(data.map(({ endpoint }) => [endpoint?.endpoint_id, endpoint?.host])).toEqual([[id, "receiver.example"]]);
    expect(counts["endpoint_down"]).toBe(1);
    await endpoints.enable(clinic.organisationId, id, false, SYSTEM_ACTOR);
    await worklist.look();
    expect((await page("?kind=endpoint_down")).data).toEqual([]);
  });

  test("a trunk that is down is listed once, and removed when it is up; done stays done while it is down", async () => {
    const { app, db, clock, organisationId } = clinic;
    const worklist = createWorklist({ ...app.services, db, clock, usesTrunks: true });
    const { trunk_id } = await app.services.trunks.create(
      organisationId,
      { name: "pbx", host: "pbx.example" },
      SYSTEM_ACTOR,
    );
    const seen = {
      is_registered: null,
      round_trip_ms: null,
      resting_until: null,
      active_calls: 0,
      address: null,
      at: 1,
    };
    const isNow = (state: "up" | "down") =>
      db.write((tx) => upsertTrunkState(tx, { trunk_id, state, last_error: "No answer.", ...seen }));
    const down = async () => (await page("?kind=trunk_down")).data;
    await isNow("down");
    await worklist.look();
    await worklist.look();
    const [item, ...others] = await down();
    expect([item?.trunk, others]).toEqual([{ trunk_id, name: "pbx", fault: "No answer." }, []]);
    await staff.ask("POST", `/dashboard/api/worklist/${item!.id}/done`);
    await worklist.look();
    expect(await down()).toEqual([]);
    await isNow("up");
    await worklist.look();
    await isNow("down");
    await worklist.look();
    expect((await down()).map(({ trunk }) => trunk?.trunk_id)).toEqual([trunk_id]);
  });

  test("an unknown kind is rejected", async () => {
    const { status } = await askDashboard(clinic.app, "GET", "/dashboard/api/worklist?kind=x", {
      cookie: viewer.cookie,
    });
    expect(status).toBe(400);
  });
});

test("pages are consecutive, newest first, without duplicates", async () => {
  await clinic.db.write(async (tx) => {
    for (let i = 0; i < 120; i++) {
      await tx
        .insertInto("worklist_items")
        .values({
          id: `wrk_p${String(i).padStart(3, "0")}`,
          organisation_id: clinic.organisationId,
          kind: "campaign_finished",
          subject_id: `cmp_${i}`,
          detail: null,
          // Some share a timestamp.
          created_at: 1_000 + Math.floor(i / 7),
          done_at: null,
          done_by: null,
        })
        .execute();
    }
  });
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const answer: WorklistPage = await page(`?kind=campaign_finished${cursor === null ? "" : `&cursor=${cursor}`}`);
    seen.push(...answer.data.map(({ id }) => id));
    cursor = answer.next_cursor;
  } while (cursor !== null);
  expect(seen).toEqual(Array.from({ length: 120 }, (_, i) => `wrk_p${String(119 - i).padStart(3, "0")}`));
});

describe("a campaign that fails to reach many people", () => {
  async function campaignOf(numbers: readonly string[], retry: object = {}): Promise<string> {
    const input = {
      name: "Check-ups",
      agent_id: clinic.agentId,
      calls_per_minute: 6_000,
      rows: numbers.map((user_number) => ({ user_number })),
      retry,
    };
    const { campaign_id } = await clinic.app.services.campaigns.create(clinic.organisationId, input, SYSTEM_ACTOR);
    return campaign_id;
  }
  /** Lets every call ring unanswered until none is left. */
  async function ringInVain(rounds: number): Promise<void> {
    for (let i = 0; i < rounds; i++) {
      await clinic.clock.advance(1_000);
      for (const id of clinic.carrier.live) clinic.carrier.fail(id, "no_answer");
      await settle();
    }
  }
  const lines = async (id: string) =>
    (await page("?kind=campaign_failed")).data.filter(({ campaign }) => campaign?.campaign_id === id);

  test("is one entry with their count; a retry of all removes it, and so does erasing", async () => {
    const numbers = Array.from({ length: 12 }, newNumber);
    const id = await campaignOf(numbers);
    await ringInVain(20);
    await clinic.app.services.worklist.look();
    for (const number of numbers) expect(await openFor(number)).toEqual([]);
    const [line, ...others] = await lines(id);
    expect(others).toEqual([]);
    expect(line?.campaign).toMatchObject({ name: "Check-ups", row_count: 12, not_reached: 12, failed: 12 });
    const count = clinic.carrier.dialled.length;
    const again = () => staff.ask("POST", `/dashboard/api/campaigns/${id}/retry`);
    expect((await again()).status).toBe(200);
    await clinic.app.services.worklist.look();
    expect(await lines(id)).toEqual([]);
    await ringInVain(20);
    expect(clinic.carrier.dialled.length - count).toBe(12);
    expect(await lines(id)).toHaveLength(1);
    // Once more, without reading in between: the entry is the previous one.
    await again();
    await ringInVain(20);
    for (const number of numbers) expect(await openFor(number)).toEqual([]);
    expect(await lines(id)).toHaveLength(1);
    await clinic.app.services.campaigns.erase(clinic.organisationId, id, SYSTEM_ACTOR);
    await clinic.app.services.worklist.look();
    expect(await lines(id)).toEqual([]);
  });

  test("keeps an entry for each while they are few, and for each person among many who needs staff", async () => {
    const few = Array.from({ length: 4 }, newNumber);
    await campaignOf(few);
    await ringInVain(10);
    for (const number of few) expect(await kindsFor(number)).toEqual(["call_failed"]);
    const many = Array.from({ length: 8 }, newNumber);
    const id = await campaignOf(many);
    await clinic.clock.advance(1_000);
    const [first] = [...clinic.carrier.live];
    clinic.carrier.talk(first!, { extractedDetails: { answer: "person_wanted" } });
    await ringInVain(10);
    expect(await lines(id)).toHaveLength(1);
    const kinds = await Promise.all(many.map(kindsFor));
    expect(kinds.flat()).toEqual(["person_wanted"]);
  });
});

describe("a list of the hospital's system", () => {
  const items = async (kind: string) => (await page(`?kind=${kind}`)).data;

  test("is listed while it waits or asks, and a folder that cannot be used; both go when they are settled", async () => {
    const { sources } = clinic.app.services;
    const { organisationId, clock, db } = clinic;
    const settings = { folder: "lists", list: "complete" };
    const { source_id } = await sources.create(
      organisationId,
      { name: "Export", kind: "folder", settings },
      SYSTEM_ACTOR,
    );
    const counts = { created: 0, updated: 0, unchanged: 0, faults: 0, cancelled: 0, last_row: 0, size: 1 };
    const unknown = { finished_at: null, row_count: null, accepted: null, campaign_id: null, moved_to: null };
    const asking = { state: "asking" as const, reason: null, absent: 7, known: 10 };
    const file = { id: "sfl_1", organisation_id: organisationId, source_id, name: "list.csv", hash: "x" };
    const since = clock.now();
    await db.write(async (tx) => {
      await insertFile(tx, { ...file, ...asking, ...counts, ...unknown, received_at: since });
      await putProblem(tx, { source_id, organisation_id: organisationId, problem: "disk_full", since });
    });
    await clinic.app.services.worklist.look();
    expect(await items("source_file")).toMatchObject([
      { file: { name: "list.csv", state: "asking", absent: 7, known: 10, source_name: "Export" } },
    ]);
    expect(await items("source_folder")).toMatchObject([{ folder: { problem: "disk_full", source_name: "Export" } }]);
    await db.write(async (tx) => {
      await updateFile(tx, "sfl_1", { state: "done", finished_at: since });
      await clearProblem(tx, source_id);
    });
    await clinic.app.services.worklist.look();
    expect([...(await items("source_file")), ...(await items("source_folder"))]).toEqual([]);
  });
});

describe("a wish that a source has not answered", () => {
  const wishes = async () => (await page("?kind=wish_open")).data;
  const put = async (kind: "api" | "folder" | "hl7") => {
    const { sources, mirror } = clinic.app.services;
    const { organisationId, clock } = clinic;
    const settings = { api: {}, folder: { folder: "lists", list: "changes" }, hl7: { application: "HIS" } }[kind];
    const { source_id } = await sources.create(
      organisationId,
      { name: `System ${kind}`, kind, settings },
      SYSTEM_ACTOR,
    );
    const at = clock.now();
    const told = { externalId: "A-1", changedAt: at, status: "confirmed" as const, startsAt: at + 3 * DAY_MS };
    const outcome = await mirror.put(
      organisationId,
      source_id,
      { ...told, branchId: BRANCH, contactName: "Asha Rao" },
      SYSTEM_ACTOR,
    );
    return { id: outcome.kind === "refused" ? "" : outcome.appointmentId, source_id };
  };

  test("is listed after hours, with what to do, until it is answered", async () => {
    const { id } = await put("hl7");
    await clinic.change(id, { wish: { wish: "move", text: "Friday" } });
    await clinic.app.services.worklist.look();
    expect(await wishes()).toEqual([]);
    clinic.clock.pass(5 * HOUR_MS);
    await clinic.app.services.worklist.look();
    expect(await wishes()).toMatchObject([
      { wish: { wish: "move", wish_text: "Friday", source_name: "System hl7", contact_name: "Asha Rao" } },
    ]);
    await clinic.request("POST", `/v1/appointments/${id}/wish`, { body: { state: "declined" } });
    await clinic.app.services.worklist.look();
    expect(await wishes()).toEqual([]);
  });

  test.each(["folder", "api"] as const)("is listed at once where the source cannot be told: %s", async (kind) => {
    const { id } = await put(kind);
    await clinic.change(id, { status: "cancelled" });
    await clinic.app.services.worklist.look();
    expect(await wishes()).toMatchObject([{ wish: { wish: "cancel", source_name: `System ${kind}` } }]);
    const answer = await staff.ask("POST", `/dashboard/api/appointments/${id}/wish`, { state: "agreed" });
    expect(answer.status).toBe(200);
    await clinic.app.services.worklist.look();
    expect(await wishes()).toEqual([]);
  });
});
