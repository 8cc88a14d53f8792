// Idempotency-Key on every route that creates something: a repeated request is executed once. idempotency.test.ts tests
// the mechanism itself; every-route.test.ts covers the routes that reject the key.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { campaignMeaning, personMeaning } from "../../src/campaigns/records.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import { sha256Hex } from "../../src/core/hmac.ts";
import { MOST_BODY_BYTES } from "../../src/http/body.ts";
import { BRANCH, createClinic, MONDAY, NEXT_MONDAY, on, refusal, type Clinic } from "../calendar/clinic.ts";
import { campaignRow, listedRow } from "../support/campaign-rows.ts";
import { CONTACT_NUMBER } from "../support/hospital.ts";
import { rejectionOf } from "../support/temp.ts";

interface Creating {
  path: string;
  body?: Record<string, unknown>;
  /** The same route with another record, body or query. */
  other: { path?: string; body?: Record<string, unknown> };
  /** Number of existing records of the kind that the route creates. */
  count(): Promise<number>;
}

let clinic: Clinic;
let routes: Record<string, Creating>;

const NUMBER = "+919810099999";
const rowsOf = async (table: "calls" | "windows" | "appointments" | "waiting_list" | "reminders" | "campaigns") =>
  (await clinic.db.reader.selectFrom(table).select("organisation_id").execute()).length;
const waitingRows = async (campaignId: string) =>
  (
    await clinic.db.reader
      .selectFrom("campaign_rows")
      .select("row_number")
      .where("campaign_id", "=", campaignId)
      .where("state", "=", "waiting")
      .execute()
  ).length;

/** A finished campaign with one person who did not answer. */
async function finishedCampaign(id: string): Promise<void> {
  const { organisationId, agentId } = clinic;
  await clinic.db.write(async (tx) => {
    const row = campaignRow({ id, organisation_id: organisationId, agent_id: agentId, state: "finished" });
    await tx.insertInto("campaigns").values(campaignMeaning.write(row)).execute();
    const listed = listedRow({ campaign_id: id, state: "done", outcome: "no_answer" });
    await tx.insertInto("campaign_rows").values(personMeaning.write(listed)).execute();
  });
}

beforeAll(async () => {
  clinic = await createClinic();
  const { agentId: agent_id } = clinic;
  const window = await clinic.createWindow();
  const [first, second] = [
    await clinic.book(on(window, MONDAY), { contact_number: CONTACT_NUMBER }),
    await clinic.book(on(window, MONDAY), { contact_number: NUMBER }),
  ];
  await finishedCampaign("cmp_first");
  await finishedCampaign("cmp_second");
  const call = { agent_id, user_number: CONTACT_NUMBER };
  const slot = { branch_id: BRANCH, day: "tuesday", session: "Evening", ai_slots: 1 };
  const booking = { slot_id: on(window, MONDAY), contact_name: "Kamala" };
  const campaign = { name: "Check-up", agent_id, rows: [{ user_number: CONTACT_NUMBER }] };
  const waiting = { branch_id: BRANCH, contact_number: CONTACT_NUMBER };
  routes = {
    "POST /v1/calls": {
      path: "/v1/calls",
      body: call,
      other: { body: { ...call, user_number: NUMBER } },
      count: () => rowsOf("calls"),
    },
    "POST /v1/campaigns": {
      path: "/v1/campaigns",
      body: campaign,
      other: { body: { ...campaign, name: "Another" } },
      count: () => rowsOf("campaigns"),
    },
    "POST /v1/campaigns/:campaign_id/retry": {
      path: "/v1/campaigns/cmp_first/retry?outcomes=no_answer",
      other: { path: "/v1/campaigns/cmp_second/retry?outcomes=no_answer" },
      count: () => waitingRows("cmp_first"),
    },
    "POST /v1/appointment-slots": {
      path: "/v1/appointment-slots",
      body: slot,
      other: { body: { ...slot, ai_slots: 2 } },
      count: () => rowsOf("windows"),
    },
    "POST /v1/appointments": {
      path: "/v1/appointments",
      body: booking,
      other: { body: { ...booking, slot_id: on(window, NEXT_MONDAY) } },
      count: () => rowsOf("appointments"),
    },
    "POST /v1/appointments/:appointment_id/remind": {
      path: `/v1/appointments/${first.appointment_id}/remind`,
      body: { agent_id },
      other: { path: `/v1/appointments/${second.appointment_id}/remind` },
      count: () => rowsOf("reminders"),
    },
    "POST /v1/waitlist": {
      path: "/v1/waitlist",
      body: waiting,
      other: { body: { ...waiting, contact_number: NUMBER } },
      count: () => rowsOf("waiting_list"),
    },
  };
});
afterAll(() => clinic.close());

const createsSomething = (route: object) =>
  (route as { hooks?: { detail?: Record<string, unknown> } }).hooks?.detail?.["x-creates"] === true;
const send = ({ path, body }: Pick<Creating, "path" | "body">, key: string) =>
  clinic.request("POST", path, { body, headers: { "idempotency-key": key } });

test("every route that creates something is tested here", () => {
  const declared = clinic.app.routes().filter(createsSomething);
  expect(declared.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(Object.keys(routes).toSorted());
});

const NAMES = [
  "POST /v1/calls",
  "POST /v1/campaigns",
  "POST /v1/campaigns/:campaign_id/retry",
  "POST /v1/appointment-slots",
  "POST /v1/appointments",
  "POST /v1/appointments/:appointment_id/remind",
  "POST /v1/waitlist",
];

describe.each(NAMES)("%s", (name) => {
  test("runs once per key and repeats its answer; the key is rejected for another request", async () => {
    const route = routes[name]!;
    const before = await route.count();
    const first = await send(route, "visit-1");
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([
      first.status < 300 ? first.status : 0,
      null,
    ]);
    await clinic.clock.advance(1_000);
    const again = await send(route, '"visit-1"');
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await route.count()).toBe(before + 1);
    expect(refusal(await send({ ...route, ...route.other }, "visit-1"))).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    expect(await route.count()).toBe(before + 1);
  });

  test("rejects an invalid key", async () => {
    const route = routes[name]!;
    const before = await route.count();
    expect(refusal(await send(route, "caf\u00e9"))).toEqual([400, "VALIDATION_ERROR", "Idempotency-Key"]);
    expect(await route.count()).toBe(before);
  });
});

test("a large body has the same hash as in one piece, including its query", async () => {
  const rows = Array.from({ length: 5_000 }, (_, i) => ({
    user_number: `+9198100${String(i).padStart(5, "0")}`,
    additional_info: { visit: "annual check-up of the heart" },
  }));
  const body = { name: "Large", agent_id: clinic.agentId, rows };
  const hashes = async () =>
    (await clinic.db.reader.selectFrom("idempotency_keys").select("request_hash").execute()).map(
      ({ request_hash }) => request_hash,
    );
  const text = JSON.stringify(body);
  expect(text.length).toBeGreaterThan(MOST_BODY_BYTES);
  expect((await send({ path: "/v1/campaigns", body }, "large-1")).status).toBe(201);
  expect((await send({ path: "/v1/campaigns?b=2&a=1", body }, "large-2")).status).toBe(201);
  expect(await hashes()).toContain(sha256Hex(text));
  expect(await hashes()).toContain(sha256Hex(`?b=2&a=1\n${text}`));
  const again = await send({ path: "/v1/campaigns", body }, "large-1");
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

describe("if the key cannot be stored, nothing is created", () => {
  const lost = async () => {
    throw new Error("The key could not be stored.");
  };

  test("no window, appointment, waiting-list entry, reminder or call is added", async () => {
    const { appointments, windows, waitingList, reminders, campaigns } = clinic.app.services;
    const { organisationId, agentId } = clinic;
    const window = await clinic.createWindow({ day: "friday" });
    const booked = await clinic.book(on(window, "2026-11-20"), { contact_number: "+919810088888" });
    await finishedCampaign("cmp_third");
    const counted = async () => [
      await rowsOf("windows"),
      await rowsOf("appointments"),
      await rowsOf("waiting_list"),
      await rowsOf("reminders"),
      await waitingRows("cmp_third"),
    ];
    const before = await counted();
    const input = { branch_id: BRANCH, day: "sunday" as const, session: "Evening" as const, ai_slots: 1 };
    const slot_id = on(window, "2026-11-20");
    const wish = { branch_id: BRANCH, contact_number: "+919810077777" };
    const acts = [
      () => windows.create(organisationId, input, CLI_ACTOR, lost),
      () => appointments.create(organisationId, { slot_id }, "api", CLI_ACTOR, { alongside: lost }),
      () => waitingList.add(organisationId, wish, "api", CLI_ACTOR, lost),
      () => reminders.remindOne(organisationId, booked.appointment_id, agentId, CLI_ACTOR, lost),
      () => campaigns.retry(organisationId, "cmp_third", {}, CLI_ACTOR, { alongside: lost }),
    ];
    for (const act of acts) expect((await rejectionOf(act())).message).toContain("could not be stored");
    expect(await counted()).toEqual(before);
  });
});

describe("an answer that names a person", () => {
  const number = "+919810066666";
  const kept = async () =>
    (await clinic.db.reader.selectFrom("idempotency_keys").select("response").execute()).filter(({ response }) =>
      response.includes("Unmistakable"),
    ).length;

  async function bookAndWait(key: string): Promise<void> {
    const window = await clinic.createWindow({ day: "saturday" });
    const person = { contact_name: "Unmistakable", contact_number: number };
    await send({ path: "/v1/appointments", body: { slot_id: on(window, "2026-11-21"), ...person } }, `book ${key}`);
    await send({ path: "/v1/waitlist", body: { branch_id: BRANCH, ...person } }, `wait ${key}`);
    expect(await kept()).toBe(2);
  }

  test("is erased with the person", async () => {
    await bookAndWait("erased");
    await clinic.app.services.erasure.eraseContact(clinic.organisationId, number, CLI_ACTOR);
    expect(await kept()).toBe(0);
  });

  test("is erased with the appointment and the waiting-list entry", async () => {
    await bookAndWait("old");
    const [entry] = await clinic.db.reader
      .selectFrom("waiting_list")
      .selectAll()
      .where("contact_number", "=", number)
      .execute();
    await clinic.request("DELETE", `/v1/waitlist/${entry?.id}`);
    await clinic.app.services.erasure.enforceRetention(1, CLI_ACTOR, clinic.clock.now() + 60 * DAY_MS);
    expect(await kept()).toBe(0);
  });
});
