// Idempotency-Key on every route that creates something: a repeated request is executed once. idempotency.test.ts tests
// the mechanism itself; every-route.test.ts covers the routes that reject the key.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { createKeyGrants } from "../../src/accounts/key-grants.ts";
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
  /** The field that only the first response shows. */
  secret?: string;
  /** Number of existing records of the kind that the route creates. */
  count(): Promise<number>;
}

let clinic: Clinic;
let routes: Record<string, Creating>;

const NUMBER = "+919810099999";
type Counted =
  | "calls"
  | "windows"
  | "appointments"
  | "waiting_list"
  | "reminders"
  | "campaigns"
  | "consents"
  | "retention_holds"
  | "webhook_endpoints"
  | "api_keys"
  | "agents"
  | "phone_numbers"
  | "trunks"
  | "branches"
  | "sources"
  | "appointment_types"
  | "closures"
  | "reminder_rules";
const rowsOf = async (table: Counted) =>
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
  clinic = await createClinic({ settings: { RINGWARD_PLANS__BASE__WEBHOOK_ENDPOINTS: "unlimited" } });
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
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
  const jwks = { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k1" }] };
  const booking = { slot_id: on(window, MONDAY), contact_name: "Kamala" };
  const campaign = { name: "Check-up", agent_id, rows: [{ user_number: CONTACT_NUMBER }] };
  const waiting = { branch_id: BRANCH, contact_number: CONTACT_NUMBER };
  const consent = { contact_number: CONTACT_NUMBER, purpose: "service", basis: "written" };
  const endpoint = { url: "https://his.hospital.example/ringward", event_types: ["call.completed"] };
  const closing = {
    branch_ids: [BRANCH],
    ranges: [{ from: "2027-05-01", to: "2027-05-02" }],
    otherwise: "leave",
  };
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
    "POST /v1/consents": {
      path: "/v1/consents",
      body: consent,
      other: { body: { ...consent, contact_number: "+919810055555" } },
      count: () => rowsOf("consents"),
    },
    "POST /v1/retention-holds": {
      path: "/v1/retention-holds",
      body: { subject: "person", contact_number: NUMBER, reason: "Case 7/2026" },
      other: { body: { subject: "organisation", reason: "Case 7/2026" } },
      count: () => rowsOf("retention_holds"),
    },
    "POST /v1/webhook-endpoints": {
      path: "/v1/webhook-endpoints",
      body: endpoint,
      other: { body: { ...endpoint, signing: false } },
      secret: "secret",
      count: () => rowsOf("webhook_endpoints"),
    },
    "POST /v1/api-keys": {
      path: "/v1/api-keys",
      body: { name: "HIS", scopes: ["calls:read"] },
      other: { body: { name: "HIS", scopes: ["calls:create"] } },
      secret: "key",
      count: () => rowsOf("api_keys"),
    },
    "POST /v1/smart-clients": {
      path: "/v1/smart-clients",
      body: { name: "HIS", scopes: ["calls:read"], jwks },
      other: { body: { name: "HIS", scopes: ["calls:create"], jwks } },
      count: () => rowsOf("api_keys"),
    },
    "POST /v1/agents": {
      path: "/v1/agents",
      body: { name: "Evening desk" },
      other: { body: { name: "Morning desk" } },
      count: () => rowsOf("agents"),
    },
    "POST /v1/phone-numbers": {
      path: "/v1/phone-numbers",
      body: { number: "+912255550177" },
      other: { body: { number: "+912255550178" } },
      count: () => rowsOf("phone_numbers"),
    },
    "POST /v1/trunks": {
      path: "/v1/trunks",
      body: { name: "provider", host: "sip.provider.example" },
      other: { body: { name: "exchange", host: "pbx.hospital.example" } },
      count: () => rowsOf("trunks"),
    },
    "POST /v1/branches": {
      path: "/v1/branches",
      body: { name: "Lake" },
      other: { body: { name: "Hill" } },
      count: () => rowsOf("branches"),
    },
    "POST /v1/sources": {
      path: "/v1/sources",
      body: { name: "Hospital system", kind: "api" },
      other: { body: { name: "Eye clinic", kind: "api" } },
      count: () => rowsOf("sources"),
    },
    "POST /v1/services": {
      path: "/v1/services",
      body: { name: "Cardiology" },
      other: { body: { name: "Eye clinic" } },
      count: () => rowsOf("appointment_types"),
    },
    "POST /v1/closures": {
      path: "/v1/closures",
      body: closing,
      other: { body: { ...closing, otherwise: "move" } },
      count: () => rowsOf("closures"),
    },
    "POST /v1/reminder-rules": {
      path: "/v1/reminder-rules",
      body: { agent_id, enabled: false },
      other: { body: { agent_id, enabled: false, tries: 1 } },
      count: () => rowsOf("reminder_rules"),
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
  "POST /v1/consents",
  "POST /v1/retention-holds",
  "POST /v1/webhook-endpoints",
  "POST /v1/api-keys",
  "POST /v1/smart-clients",
  "POST /v1/agents",
  "POST /v1/phone-numbers",
  "POST /v1/trunks",
  "POST /v1/branches",
  "POST /v1/services",
  "POST /v1/sources",
  "POST /v1/closures",
  "POST /v1/reminder-rules",
];

const withoutSecret = (json: { data: object }, secret: string | undefined): object =>
  secret === undefined ? json : { data: { ...json.data, [secret]: null } };

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
    expect([again.status, again.json as object]).toEqual([first.status, withoutSecret(first.json, route.secret)]);
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

  test("nothing is added", async () => {
    const { sources, appointments, windows, waitingList, reminders, campaigns, consents } = clinic.app.services;
    const { closures, directory, reminderRules, endpoints, keys } = clinic.app.services;
    const { organisationId, agentId } = clinic;
    const window = await clinic.createWindow({ day: "friday" });
    const booked = await clinic.book(on(window, "2026-11-20"), { contact_number: "+919810088888" });
    await finishedCampaign("cmp_third");
    const principal = await keys.authenticate(clinic.key);
    if (!principal) throw new Error("The key of the clinic is not known.");
    const grants = createKeyGrants({ db: clinic.db, clock: clinic.clock, keys });
    const counted = async () => [
      await rowsOf("windows"),
      await rowsOf("appointments"),
      await rowsOf("waiting_list"),
      await rowsOf("reminders"),
      await rowsOf("consents"),
      await rowsOf("webhook_endpoints"),
      await rowsOf("api_keys"),
      await rowsOf("branches"),
      await rowsOf("appointment_types"),
      await rowsOf("sources"),
      await rowsOf("closures"),
      await rowsOf("reminder_rules"),
      await waitingRows("cmp_third"),
    ];
    const before = await counted();
    const input = { branch_id: BRANCH, day: "sunday" as const, session: "Evening" as const, ai_slots: 1 };
    const slot_id = on(window, "2026-11-20");
    const wish = { branch_id: BRANCH, contact_number: "+919810077777" };
    const agreed = { contact_number: "+919810077777", purpose: "service", basis: "written" } as const;
    const ranges = [{ from: "2027-05-01", to: "2027-05-01" }];
    const acts = [
      () => directory.createBranch(organisationId, { name: "Lake" }, CLI_ACTOR, lost),
      () => sources.create(organisationId, { name: "Lost system", kind: "api" }, CLI_ACTOR, lost),
      () => directory.createService(organisationId, { name: "Cardiology" }, CLI_ACTOR, lost),
      () => closures.close(organisationId, { branch_ids: [BRANCH], ranges, otherwise: "leave" }, CLI_ACTOR, lost),
      () => reminderRules.create(organisationId, { agent_id: agentId }, CLI_ACTOR, lost),
      () => windows.create(organisationId, input, CLI_ACTOR, lost),
      () => appointments.create(organisationId, { slot_id }, "api", CLI_ACTOR, { alongside: lost }),
      () => waitingList.add(organisationId, wish, "api", CLI_ACTOR, lost),
      () => consents.grant(organisationId, agreed, CLI_ACTOR, lost),
      () => reminders.remindOne(organisationId, booked.appointment_id, agentId, CLI_ACTOR, lost),
      () => campaigns.retry(organisationId, "cmp_third", {}, CLI_ACTOR, { alongside: lost }),
      () =>
        endpoints.create(organisationId, { url: "https://x.example/", eventTypes: ["call.failed"] }, CLI_ACTOR, lost),
      () => grants.create(principal, { name: "HIS", scopes: ["calls:read"] }, CLI_ACTOR, lost),
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
