// Isolation of two organisations on one appliance: neither sees nor changes the other's data through the dashboard; no
// secret is shown twice.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { saveLine } from "../../src/calls/life/line-store.ts";
import type { App } from "../../src/compose/app.ts";
import { BRANCH, createClinic, MONDAY, on, SERVICE, type Clinic } from "../calendar/clinic.ts";
import { pcmWav } from "../../src/agents/recorded-words-wav.ts";
import {
  askDashboard,
  dashboardRoutes,
  OWN_PAGE,
  PASSWORD,
  signedIn,
  type DashboardAnswer,
  type Visitor,
} from "../support/dashboard.ts";
import { siu } from "../support/hl7.ts";
import { lineRow } from "../support/line-data.ts";
import { settle } from "../support/manual-clock.ts";

const OTHER_BRANCH = "0190a1b2-0000-7000-8000-00000000000c";
const TRUNK_SECRET = "tr0ub4dor-and-3";
const SILENT_WAV = pcmWav(new Uint8Array(1_600));

let clinic: Clinic;
let app: App;
let owner: Visitor;
let stranger: Visitor;
/** Values of each route's parameters, from the first organisation. */
let ids: Record<string, string>;

beforeAll(async () => {
  clinic = await createClinic({ demo: true });
  ({ app } = clinic);
  const { organisationId } = clinic;
  owner = await signedIn(app, organisationId, "owner");
  stranger = await signedIn(app, (await clinic.neighbour()).organisationId, "owner");
  const { directory, keys, doNotDisturb, trunks, recordedWords, pronunciations, agents, modelServers } = app.services;
  await directory.setBranch(organisationId, BRANCH, { name: "Zebra branch" }, CLI_ACTOR);
  await directory.setService(organisationId, SERVICE, "Zebra service", CLI_ACTOR);
  await doNotDisturb.add(organisationId, "+919810077777", CLI_ACTOR);
  await pronunciations.put(organisationId, { word: "Zebra", said: "ZEE-bra" }, CLI_ACTOR);
  const callId = await clinic.schedule({ user_name: "Zebra Patient", user_number: "+919810088888" });
  await clinic.request("POST", `/v1/calls/${callId}/cancel`);
  const open = await clinic.schedule({ user_name: "Zebra Patient" });
  await clinic.db.write((tx) => saveLine(tx, lineRow(open)));
  const window = await clinic.createWindow();
  const appointment = await clinic.book(on(window, MONDAY), { contact_name: "Zebra Patient" });
  await directory.setBranch(organisationId, OTHER_BRANCH, { name: "Other branch" }, CLI_ACTOR);
  const rule = { agent_id: clinic.agentId };
  const { rule_id: ruleId } = await app.services.reminderRules.create(organisationId, rule, CLI_ACTOR);
  const { waiting_id } = await app.services.waitingList.add(
    organisationId,
    { branch_id: BRANCH, contact_name: "Zebra Patient", contact_number: "+919810066666" },
    "dashboard",
    CLI_ACTOR,
  );
  const feed = await app.services.feeds.create(organisationId, { branch_id: BRANCH, people: "none" }, CLI_ACTOR);
  const {
    closure_ids: [closureId],
  } = await app.services.closures.close(
    organisationId,
    { branch_ids: [BRANCH], ranges: [{ from: "2026-12-25", to: "2026-12-25", name: "Zebra day" }], otherwise: "leave" },
    CLI_ACTOR,
  );
  const { key_id: keyId } = await keys.create(organisationId, { name: "Zebra key", scopes: ["calls:read"] }, CLI_ACTOR);
  const trunk = await trunks.create(
    organisationId,
    { name: "Zebra trunk", host: "zebra.example", username: "zebra", secret: TRUNK_SECRET },
    CLI_ACTOR,
  );
  const server = await modelServers.create(
    organisationId,
    { name: "Zebra server", role: "language", base_url: "https://zebra.example/v1", model: "zebra", key: TRUNK_SECRET },
    CLI_ACTOR,
  );
  const source = await app.services.sources.create(organisationId, { name: "Zebra system", kind: "api" }, CLI_ACTOR);
  const settings = { application: "ZEBRA", facility: "MAIN", time_zone: "UTC" };
  await app.services.sources.create(organisationId, { name: "Zebra HL7", kind: "hl7", settings }, CLI_ACTOR);
  const booking = { trigger: "S12", controlId: "Z1", id: "Z1", sentAt: "20261115120000", location: "UNKNOWN" };
  const told = Buffer.from(siu({ ...booking, application: "ZEBRA" }));
  await app.services.hl7Receiver.receive(told, { address: "127.0.0.1" });
  const { id: messageId } = await clinic.db.reader.selectFrom("hl7_messages").selectAll().executeTakeFirstOrThrow();
  const campaign = await app.services.campaigns.create(
    organisationId,
    { name: "Zebra campaign", agent_id: clinic.agentId, rows: [{ user_number: "+919810088888", user_name: "Zebra" }] },
    CLI_ACTOR,
  );
  await recordedWords.put(organisationId, clinic.agentId, "greeting", "zebra.wav", SILENT_WAV, CLI_ACTOR);
  await settle();
  const { id: deliveryId, endpoint_id: endpointId } = await clinic.db.reader
    .selectFrom("deliveries")
    .selectAll()
    .executeTakeFirstOrThrow();
  const { number } = await clinic.db.reader
    .selectFrom("phone_numbers")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .executeTakeFirstOrThrow();
  await agents.setTrunk(organisationId, number, trunk.trunk_id, CLI_ACTOR);
  const saved = await owner.ask("POST", "/dashboard/api/call-filters", { name: "Zebra filter", filters: {} });
  const { contact_id: contactId } = (await owner.ask("GET", `/dashboard/api/calls/${open}`)).json as unknown as {
    contact_id: string;
  };
  await owner.ask("POST", `/dashboard/api/contacts/${contactId}/notes`, { text: "Zebra note" });
  const { id: noteId } = await clinic.db.reader.selectFrom("contact_notes").selectAll().executeTakeFirstOrThrow();
  await clinic.db.write((tx) =>
    tx
      .insertInto("worklist_items")
      .values({
        id: "wrk_1",
        organisation_id: organisationId,
        kind: "call_failed",
        subject_id: open,
        detail: "busy",
        created_at: 1,
        done_at: null,
        done_by: null,
      })
      .execute(),
  );
  const { event_id } = await clinic.db.reader
    .selectFrom("deliveries")
    .selectAll()
    .where("id", "=", deliveryId)
    .executeTakeFirstOrThrow();
  const received = { organisation_id: organisationId, event_id, received_at: 1, verdict: "verified" } as const;
  await clinic.db.write((tx) =>
    tx
      .insertInto("demo_received")
      .values({ ...received, id: 7, headers: "[]", body: "Zebra body" })
      .execute(),
  );
  const hold = await app.services.holds.add(
    organisationId,
    { subject: "call", call_id: open, reason: "Zebra dispute about a bill" },
    CLI_ACTOR,
  );
  const passkey = { credential_id: "zebra", public_key: "", counter: 0, transports: "", rp_id: "zebra.example" };
  await clinic.db.write((tx) =>
    tx
      .insertInto("passkeys")
      .values({
        ...passkey,
        id: "pky_1",
        person_id: owner.personId,
        name: "Zebra key",
        created_at: 1,
        last_used_at: null,
      })
      .execute(),
  );
  const sessions = await owner.ask("GET", "/dashboard/api/account/sessions");
  const [session] = sessions.json as unknown as { session_id: string }[];
  ids = {
    "account/factors/passkeys/:id": "pky_1",
    "account/sessions/:id": session?.session_id ?? "",
    "received/:id": "7",
    "holds/:hold_id": hold.hold_id,
    "worklist/:id": "wrk_1",
    "contacts/:contact_id/notes/:note_id": `${contactId}/notes/${noteId}`,
    "contacts/:contact_id": contactId,
    "agents/:id/versions/:version": `${clinic.agentId}/versions/1`,
    "agents/:id/words/:kind": `${clinic.agentId}/words/greeting`,
    "trunks/:id": trunk.trunk_id,
    "model-servers/:id": server.server_id,
    "sources/:id": source.source_id,
    "hl7/messages/:id": messageId,
    "calls/:call_id": open,
    "campaigns/:campaign_id": campaign.campaign_id,
    "deliveries/:id": deliveryId,
    "endpoints/:id": endpointId,
    "keys/:id": keyId,
    "agents/:id": clinic.agentId,
    "appointments/:id": appointment.appointment_id,
    "calendar/closures/:id": closureId ?? "",
    "calendar/feeds/:id": feed.feed_id,
    "reminders/rules/:id": ruleId,
    "waiting-list/:id": waiting_id,
    "calendar/branches/:id": BRANCH,
    "calendar/services/:id": SERVICE,
    "calendar/windows/:slot_id": window.calendar_id,
    "calendar/tracking/:slot_id": encodeURIComponent(on(window, MONDAY)),
    "numbers/:number": encodeURIComponent(number),
    "do-not-disturb/:number": encodeURIComponent("+919810077777"),
    "people/:email": owner.email,
    "call-filters/:id": (saved.json as unknown as { id: string }).id,
  };
});
afterAll(() => clinic.close());

/** Bodies that routes need to pass their schema; the rest takes an empty body. */
const BODIES: Record<string, unknown> = {
  "POST calls/:call_id/share": { days: 7 },
  "PUT calendar/branches/:id": { name: "Theirs" },
  "PUT calendar/services/:id": { name: "Theirs" },
  "PATCH agents/:id": { name: "Theirs" },
  "PATCH appointments/:id": { status: "cancelled" },
  "POST appointments/:id/wish": { state: "agreed" },
  "PATCH sources/:id": { enabled: false },
  "POST sources/:id/sample/waiting": { settings: {} },
  "PATCH calendar/windows/:slot_id": { max_slots: 99 },
  "PATCH calendar/tracking/:slot_id": { max_slots: 99 },
  "PATCH reminders/rules/:id": { tries: 5 },
  "PUT people/:email/name": { name: "Theirs", email: "theirs@hospital.example" },
  "PATCH waiting-list/:id": { contact_number: "+919810055555" },
  "PATCH people/:email": { role: "viewer" },
  "PATCH account/factors/passkeys/:id": { name: "Theirs" },
  "POST account/factors/passkeys/:id/remove": { password: PASSWORD },
  "PATCH endpoints/:id": { description: "Theirs" },
  "POST endpoints/:id/enable": { send_held: true },
  "POST endpoints/:id/replay": { from: "2026-01-01T00:00:00Z", to: "2026-12-31T00:00:00Z" },
  "PUT numbers/:number/agent": { agent_id: null },
  "PUT numbers/:number/lines": { concurrent_calls: 1 },
  "PUT numbers/:number/trunk": { trunk_id: null },
  "PATCH model-servers/:id": { model: "theirs" },
  "PUT agents/:id/servers": { voice: null },
  "PATCH trunks/:id": { host: "theirs.example" },
  "PUT contacts/:contact_id/do-not-disturb": { on: true },
  "POST contacts/:contact_id/rename": { person: { names: [], identifiers: [] }, name: "Theirs" },
  "POST contacts/:contact_id/merge": {
    person: { names: [], identifiers: [] },
    into: { names: [], identifiers: [] },
  },
  "POST contacts/:contact_id/notes": { text: "Theirs" },
  "POST contacts/:contact_id/consents": { purpose: "service", basis: "written" },
  "POST holds/:hold_id/release": { reason: "Theirs is over and done" },
  "POST trunks/:id/capture": { minutes: 5 },
};

/** Routes with a body other than JSON. */
const TYPES: Record<string, string> = {
  "PUT agents/:id/words/:kind": "audio/wav",
  "POST sources/:id/sample": "multipart/form-data",
};

/** A query that names data of the first organisation, for lists that accept one. */
const queryOf = (path: string): string =>
  ({
    reminders: "?view=next",
    "first-view": "?ask=calls+worklist+now+agents+campaigns",
    "calendar/plan": `?from_branch=${BRANCH}&to_branch=${OTHER_BRANCH}`,
    "calendar/windows": `?branch_id=${BRANCH}`,
    "calendar/tracking": `?branch_id=${BRANCH}`,
    "calendar/availability": `?branch_id=${BRANCH}`,
    appointments: `?branch_id=${BRANCH}`,
    calls: `?agent_id=${clinic.agentId}`,
    deliveries: `?endpoint_id=${ids["endpoints/:id"]!}`,
    audit: `?subject_id=${ids["calls/:call_id"]!}`,
    "endpoints/:id/range": "?from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00Z",
    "breach-report": "?from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00Z",
  })[path] ?? "";

const short = (path: string) => path.slice("/dashboard/api/".length);

function addressOf(path: string): string {
  const known = Object.keys(ids).find((pattern) => short(path) === pattern || short(path).startsWith(`${pattern}/`));
  if (known === undefined) throw new Error(`Name an id of the first organisation for ${path} in this test.`);
  return path.replace(known, () => known.replace(/:.+/, ids[known]!));
}

const withIds = () => dashboardRoutes(app).filter(({ path }) => path.includes(":"));
/** Except the stream, which never ends; changes.test.ts covers it. */
const lists = () =>
  dashboardRoutes(app).filter(
    ({ method, path }) => method === "GET" && !path.includes(":") && short(path) !== "changes",
  );

/** All stored data of the first organisation, deliveries included. */
async function everythingKept(): Promise<Record<string, unknown[]>> {
  const tables = [
    "organisations people api_keys agents phone_numbers calls webhook_endpoints windows appointments branches",
    "appointment_types window_dates closures calendar_feeds credit_entries do_not_disturb inbound_hooks audit_entries events trunks model_servers",
    "campaigns",
    "saved_filters worklist_items contact_notes",
  ].flatMap((line) => line.split(" "));
  const kept: Record<string, unknown[]> = {
    deliveries: await clinic.db.reader.selectFrom("deliveries").selectAll().execute(),
    recordings: await clinic.db.reader.selectFrom("agent_prompts").selectAll().execute(),
  };
  for (const table of tables) {
    const rows = (await clinic.db.reader
      .selectFrom(table as "calls")
      .selectAll()
      .execute()) as unknown as Record<string, unknown>[];
    kept[table] = rows.filter(
      (row) => (table === "organisations" ? row["id"] : row["organisation_id"]) === clinic.organisationId,
    );
  }
  return kept;
}

describe("the owner of another organisation", () => {
  test("finds none of our data in any list", async () => {
    const kept = await everythingKept();
    const ours = Object.values(kept)
      .flat()
      .map((row) => (row as { id?: string }).id)
      .filter((id): id is string => id !== undefined && id !== BRANCH && id !== OTHER_BRANCH && id !== SERVICE);
    expect(ours.length).toBeGreaterThan(10);
    for (const { path } of lists()) {
      const mine = await owner.ask("GET", `${path}${queryOf(short(path))}`);
      const { text, status } = await stranger.ask("GET", `${path}${queryOf(short(path))}`);
      expect(`${path}: ${mine.status < 300 || short(path) === "backup/file"}`).toBe(`${path}: true`);
      expect(`${path}: ${[200, 403, 404].includes(status)} ${/zebra|0077777/i.test(text)}`).toBe(`${path}: true false`);
      expect([path, ...ours.filter((id) => text.includes(id))]).toEqual([path]);
    }
  });

  test("gets 404 for every id of ours, and changes nothing", async () => {
    expect(withIds().length).toBeGreaterThan(20);
    const before = await everythingKept();
    for (const { method, path } of withIds()) {
      const name = `${method} ${short(path)}`;
      const { status, text } = await askDashboard(app, method, addressOf(path) + queryOf(short(path)), {
        cookie: stranger.cookie,
        body: method === "GET" || method === "DELETE" ? undefined : (BODIES[name] ?? {}),
        headers: { ...OWN_PAGE, ...(TYPES[name] === undefined ? {} : { "content-type": TYPES[name] }) },
      });
      // Branches and services are named by the hospital's own id: another hospital can use the same id for its own.
      const expected = /^(?:PUT|POST) calendar.(?:branches|services)./.test(name) ? 200 : 404;
      expect(`${name}: ${status} ${/zebra/i.test(text)}`).toBe(`${name}: ${expected} false`);
    }
    expect(await everythingKept()).toEqual(before);
  });

  test("cannot request ours in a body either", async () => {
    const call = await stranger.ask("POST", "/dashboard/api/calls", {
      agent_id: clinic.agentId,
      user_number: "+919810012345",
    });
    const appointment = await stranger.ask("POST", "/dashboard/api/appointments", {
      slot_id: decodeURIComponent(ids["calendar/tracking/:slot_id"]!),
    });
    const number = await stranger.ask("POST", "/dashboard/api/numbers", {
      number: "+15555559999",
      agent_id: clinic.agentId,
    });
    const onTrunk = await stranger.ask("POST", "/dashboard/api/numbers", {
      number: "+15555559998",
      trunk_id: ids["trunks/:id"],
    });
    expect([call.status, appointment.status, number.status, onTrunk.status]).toEqual([400, 400, 404, 404]);
    expect([call, appointment].map(({ json }) => json.error.message)).toEqual([
      "agent_id names no agent of this organisation.",
      "slot_id names no window of this organisation.",
    ]);
  });

  test("cannot download the backup, which contains both", async () => {
    for (const person of [stranger, owner]) {
      expect((await person.ask("POST", "/dashboard/api/backup")).status).toBe(403);
      expect((await person.ask("GET", "/dashboard/api/backup/file")).status).toBe(403);
    }
  });
});

test("our owner gets an answer at the same addresses", async () => {
  for (const { method, path } of withIds().filter((route) => route.method === "GET")) {
    // A recording redirects to a link, and a call that has not ended has no proof yet.
    const expected = path.endsWith("/recording") ? 302 : path.endsWith("/proof.json") ? 409 : 200;
    const { status } = await owner.ask(method, addressOf(path) + queryOf(short(path)));
    expect(`${path}: ${status}`).toBe(`${path}: ${expected}`);
  }
});

test("no secret is in any second response", async () => {
  const { organisationId } = clinic;
  await app.services.organisations.setPlan(organisationId, "enterprise", CLI_ACTOR);
  const made: DashboardAnswer[] = [
    await owner.ask("POST", "/dashboard/api/keys", { name: "shown once", scopes: ["calls:read"] }),
    await owner.ask("POST", "/dashboard/api/endpoints", {
      url: "https://receiver.example/",
      event_types: ["call.completed"],
    }),
    await owner.ask("POST", "/dashboard/api/hook/regenerate"),
  ];
  const endpoint = made[1]!.json as unknown as { endpoint_id: string };
  made.push(await owner.ask("POST", `/dashboard/api/endpoints/${endpoint.endpoint_id}/rotate`));
  await owner.ask("POST", "/dashboard/api/people", {
    email: "new@hospital.example",
    name: "New",
    role: "viewer",
    password: PASSWORD,
  });
  const secrets = made.flatMap(({ status, text }) => {
    expect(`${status} ${text}`).toStartWith("200");
    // An API key, an event secret, a hook secret, and the token in the hook's address.
    return [
      ...text.matchAll(/rw_live_\w+_[\w-]{43}|whsec_[\w+/=-]{20,}|whin_[\w-]{20,}|(?<=\/v1\/hooks\/)[\w-]{20,}/g),
    ].map(([secret]) => secret);
  });
  expect(secrets.length).toBeGreaterThanOrEqual(5);
  const answers = await Promise.all([
    ...lists().map(({ path }) => owner.ask("GET", path)),
    ...withIds()
      .filter(({ method }) => method === "GET")
      .map(({ path }) => owner.ask("GET", addressOf(path) + queryOf(short(path)))),
    owner.ask("PATCH", `/dashboard/api/endpoints/${endpoint.endpoint_id}`, { description: "x" }),
    owner.ask("PATCH", `/dashboard/api/trunks/${ids["trunks/:id"]!}`, { username: "ward", secret: TRUNK_SECRET }),
    owner.ask("POST", "/dashboard/api/trunks", {
      name: "Second",
      host: "pbx.example",
      username: "ward",
      secret: TRUNK_SECRET,
    }),
  ]);
  for (const { text } of answers) {
    for (const secret of [...secrets, "$argon2id$", PASSWORD, TRUNK_SECRET]) expect(text.includes(secret)).toBeFalse();
  }
});
