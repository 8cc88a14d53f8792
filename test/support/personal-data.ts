// Every route, and what it answers of people. A new route has to be put down here: either it leaves an entry in the
// audit trail, or it answers nothing about anybody, which the walk in test/http/personal-data.test.ts finds out.
import { writeFileSync } from "node:fs";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import { BRANCH, createClinic, MONDAY, on, type Clinic } from "../calendar/clinic.ts";
import { askDashboard, PASSWORD, signedIn, type Visitor } from "./dashboard.ts";
import { lineRow } from "./line-data.ts";
import { settle } from "./manual-clock.ts";

/** What stands in the records of the made-up people below, and nowhere else. */
export const MARKS = /unmistakable|9810012345|5553330100/i;

const CONTACT = { name: "Kamala Unmistakable", number: "+919810012345", email: "kamala@unmistakable.example" };

export interface Records {
  clinic: Clinic;
  owner: Visitor;
  callId: string;
  deliveryId: string;
  appointmentId: string;
  waitingId: string;
  slotId: string;
  closureId: string;
  /** Of a feed that names people. */
  feedPath: string;
  shareToken: string;
  campaignId: string;
  /** Of the person's page. */
  contactId: string;
}

export async function createRecords(): Promise<Records> {
  const clinic = await createClinic();
  const { app, db, organisationId } = clinic;
  const { services } = app;
  await app.start();
  const owner = await signedIn(app, organisationId, "owner");
  const nurse = { email: "nurse@unmistakable.example", name: "Nurse", role: "viewer", password: PASSWORD };
  await services.people.create(organisationId, nurse, CLI_ACTOR);
  await services.doNotDisturb.add(organisationId, CONTACT.number.replace("+9198", "+9197"), CLI_ACTOR);
  await services.shares.configure(organisationId, { enabled: true }, CLI_ACTOR);
  const callId = await clinic.dial({
    user_name: CONTACT.name,
    user_number: CONTACT.number,
    user_email: CONTACT.email,
  });
  clinic.carrier.talk(callId, {
    transcript: [{ speaker: "user", text: "I am Kamala Unmistakable.", timestamp: 1 }],
  });
  await settle();
  const file = services.recordings.newName();
  writeFileSync(services.recordings.pathOf(file), "RIFF unmistakable voice");
  await db.write(async (tx) => {
    await tx.updateTable("calls").set({ recording_file: file }).where("id", "=", callId).execute();
    await tx.insertInto("call_lines").values(lineRow(callId)).execute();
    await tx.updateTable("do_not_disturb").set({ number: CONTACT.number }).execute();
  });
  const slotId = on(await clinic.createWindow(), MONDAY);
  await services.reminderRules.create(
    organisationId,
    { agent_id: clinic.agentId, timing: "hours_before", hours_before: 6 },
    CLI_ACTOR,
  );
  const { appointment_id } = await clinic.book(slotId, {
    contact_name: CONTACT.name,
    contact_number: CONTACT.number,
    contact_email: CONTACT.email,
  });
  const closureId = await refusedClosure(clinic);
  // So far ahead that no test gets there.
  const start = new Date(clinic.clock.now() + 90 * DAY_MS).toISOString();
  const { campaign_id: campaignId } = await services.campaigns.create(
    organisationId,
    { name: "Check-ups", agent_id: clinic.agentId, start_at: start, rows: [campaignRow()] },
    CLI_ACTOR,
  );
  const { waiting_id } = await services.waitingList.add(
    organisationId,
    { branch_id: BRANCH, contact_name: CONTACT.name, contact_number: CONTACT.number, contact_email: CONTACT.email },
    "dashboard",
    CLI_ACTOR,
  );
  const feed = await services.feeds.create(organisationId, { branch_id: BRANCH, people: "names" }, CLI_ACTOR);
  const [delivery] = await services.deliveries.list({ organisationId, callId, limit: 1 });
  const shareToken = await services.shares.tokenFor(organisationId, callId);
  const open = { detail: null, created_at: 1, done_at: null, done_by: null };
  await db.write((tx) =>
    tx
      .insertInto("worklist_items")
      .values({ id: "wrk_1", organisation_id: organisationId, kind: "person_wanted", subject_id: callId, ...open })
      .execute(),
  );
  const page = await owner.ask("GET", `/dashboard/api/calls/${callId}`);
  return {
    clinic,
    owner,
    callId,
    deliveryId: delivery!.delivery_id,
    appointmentId: appointment_id,
    waitingId: waiting_id,
    slotId,
    closureId,
    feedPath: new URL(feed.url).pathname,
    shareToken: shareToken ?? "",
    campaignId,
    contactId: (page.json as unknown as { contact_id: string }).contact_id,
  };
}

/** A closed day of another branch, where somebody could not be moved: the place that was chosen is over. */
async function refusedClosure(clinic: Clinic): Promise<string> {
  const { app, organisationId } = clinic;
  const branch_id = crypto.randomUUID();
  const window = await clinic.createWindow({ branch_id });
  const { appointment_id } = await clinic.book(on(window, MONDAY), { contact_name: CONTACT.name });
  const [closureId] = (
    await app.services.closures.close(
      organisationId,
      {
        branch_ids: [branch_id],
        ranges: [{ from: MONDAY, to: MONDAY }],
        otherwise: "leave",
        people: [{ appointment_id, choice: "move", slot_id: on(window, "2026-11-09") }],
      },
      CLI_ACTOR,
    )
  ).closure_ids;
  return closureId ?? "";
}

/** Asks the route with something in the place of its parameters. */
export interface Asked {
  path: string;
  body?: unknown;
}
type Ask = (records: Records) => Asked;

/** What answers of people, how to ask it, and the action that stands in the audit trail afterwards. */
export const PERSONAL: Readonly<Record<string, { ask: Ask; action: string }>> = {
  "POST /v1/calls": {
    ask: ({ clinic }) => ({ path: "/v1/calls?dry_run=true", body: newCall(clinic) }),
    action: "call.dry_run",
  },
  "GET /v1/calls": { ask: () => ({ path: "/v1/calls" }), action: "call.listed" },
  "GET /v1/calls/:call_id": { ask: ({ callId }) => ({ path: `/v1/calls/${callId}` }), action: "call.read" },
  "POST /v1/appointments": {
    ask: ({ slotId }) => ({ path: "/v1/appointments", body: { slot_id: slotId, contact_name: CONTACT.name } }),
    action: "appointment.created",
  },
  "POST /v1/waitlist": {
    ask: () => ({
      path: "/v1/waitlist",
      body: { branch_id: BRANCH, contact_number: "+919810012346", contact_name: CONTACT.name },
    }),
    action: "waiting.added",
  },
  "GET /v1/waitlist": { ask: () => ({ path: "/v1/waitlist" }), action: "waiting.listed" },
  "GET /dashboard/api/waiting-list": {
    ask: () => ({ path: "/dashboard/api/waiting-list" }),
    action: "waiting.listed",
  },
  "POST /dashboard/api/waiting-list": {
    ask: () => ({
      path: "/dashboard/api/waiting-list",
      body: { branch_id: BRANCH, contact_number: "+919810012347", contact_name: CONTACT.name },
    }),
    action: "waiting.added",
  },
  "PATCH /dashboard/api/waiting-list/:id": {
    ask: ({ waitingId }) => ({ path: `/dashboard/api/waiting-list/${waitingId}`, body: { notes: "Soon." } }),
    action: "waiting.changed",
  },
  "GET /v1/appointments": { ask: () => ({ path: "/v1/appointments" }), action: "appointment.listed" },
  "GET /v1/appointments/:appointment_id": {
    ask: ({ appointmentId }) => ({ path: `/v1/appointments/${appointmentId}` }),
    action: "appointment.read",
  },
  "PATCH /v1/appointments/:appointment_id": {
    ask: ({ appointmentId }) => ({ path: `/v1/appointments/${appointmentId}`, body: { notes: "Late." } }),
    action: "appointment.changed",
  },
  "GET /dashboard/api/reminders": {
    ask: () => ({ path: "/dashboard/api/reminders?view=next" }),
    action: "reminder.listed",
  },
  "GET /media/:call_id/recording.wav": {
    ask: ({ clinic, callId }) => signed(clinic, callId, "recording.wav"),
    action: "recording.read",
  },
  "GET /media/:call_id/transcript.json": {
    ask: ({ clinic, callId }) => signed(clinic, callId, "transcript.json"),
    action: "transcript.read",
  },
  "GET /public/call/:call_id": { ask: (records) => shared(records, "", "token"), action: "call.read" },
  "GET /public/call/:call_id/details": {
    ask: (records) => shared(records, "/details", "share_token"),
    action: "call.read",
  },
  "GET /public/call/:call_id/recording.wav": {
    ask: (records) => shared(records, "/recording.wav", "token"),
    action: "recording.read",
  },
  "GET /public/call/:call_id/transcript.json": {
    ask: (records) => shared(records, "/transcript.json", "token"),
    action: "transcript.read",
  },
  "GET /dashboard/api/calls": { ask: () => ({ path: "/dashboard/api/calls" }), action: "call.listed" },
  "GET /dashboard/api/calls/:call_id": {
    ask: ({ callId }) => ({ path: `/dashboard/api/calls/${callId}` }),
    action: "call.read",
  },
  "GET /dashboard/api/calls/:call_id/line": {
    ask: ({ callId }) => ({ path: `/dashboard/api/calls/${callId}/line` }),
    action: "call.line_read",
  },
  "GET /dashboard/api/calls/:call_id/line.txt": {
    ask: ({ callId }) => ({ path: `/dashboard/api/calls/${callId}/line.txt` }),
    action: "call.line_downloaded",
  },
  "GET /dashboard/api/calls/:call_id/line.pcap": {
    ask: ({ callId }) => ({ path: `/dashboard/api/calls/${callId}/line.pcap` }),
    action: "call.line_downloaded",
  },
  "GET /dashboard/api/worklist": { ask: () => ({ path: "/dashboard/api/worklist" }), action: "worklist.read" },
  "POST /dashboard/api/contacts/search": {
    ask: () => ({ path: "/dashboard/api/contacts/search", body: { text: CONTACT.name } }),
    action: "contact.listed",
  },
  "GET /dashboard/api/contacts/:contact_id": {
    ask: ({ contactId }) => ({ path: `/dashboard/api/contacts/${contactId}` }),
    action: "contact.read",
  },
  "GET /dashboard/api/calls/:call_id/transcript.txt": {
    ask: ({ callId }) => ({ path: `/dashboard/api/calls/${callId}/transcript.txt` }),
    action: "transcript.read",
  },
  "GET /dashboard/api/calls/:call_id/transcript.json": {
    ask: ({ callId }) => ({ path: `/dashboard/api/calls/${callId}/transcript.json` }),
    action: "transcript.read",
  },
  "GET /dashboard/api/calls/export": { ask: () => ({ path: "/dashboard/api/calls/export" }), action: "call.exported" },
  "POST /dashboard/api/calls/export": {
    ask: ({ callId }) => ({ path: "/dashboard/api/calls/export", body: { call_ids: [callId] } }),
    action: "call.exported",
  },
  "POST /dashboard/api/calls/dry-run": {
    ask: ({ clinic }) => ({ path: "/dashboard/api/calls/dry-run", body: newCall(clinic) }),
    action: "call.dry_run",
  },
  "GET /dashboard/api/appointments": {
    ask: () => ({ path: "/dashboard/api/appointments" }),
    action: "appointment.listed",
  },
  "POST /dashboard/api/appointments": {
    ask: ({ slotId }) => ({
      path: "/dashboard/api/appointments",
      body: { slot_id: slotId, contact_name: CONTACT.name, twice: true },
    }),
    action: "appointment.created",
  },
  "PATCH /dashboard/api/appointments/:id": {
    ask: ({ appointmentId }) => ({ path: `/dashboard/api/appointments/${appointmentId}`, body: { notes: "Later." } }),
    action: "appointment.changed",
  },
  "POST /dashboard/api/calendar/closures/preview": {
    ask: () => ({
      path: "/dashboard/api/calendar/closures/preview",
      body: { branch_ids: [BRANCH], ranges: [{ from: MONDAY, to: MONDAY }] },
    }),
    action: "appointment.listed",
  },
  "GET /dashboard/api/calendar/closures/:id/refused": {
    ask: ({ closureId }) => ({ path: `/dashboard/api/calendar/closures/${closureId}/refused` }),
    action: "appointment.listed",
  },
  "GET /calendar-feeds/:token/calendar.ics": {
    ask: ({ feedPath }) => ({ path: feedPath }),
    action: "calendar_feed.read",
  },
  "GET /dashboard/api/deliveries/:id": {
    ask: ({ deliveryId }) => ({ path: `/dashboard/api/deliveries/${deliveryId}` }),
    action: "delivery.read",
  },
  "GET /dashboard/api/people": { ask: () => ({ path: "/dashboard/api/people" }), action: "person.listed" },
  "POST /dashboard/api/people": {
    ask: () => ({
      path: "/dashboard/api/people",
      body: { email: "new@unmistakable.example", name: "New", role: "viewer", password: PASSWORD },
    }),
    action: "person.created",
  },
  "POST /v1/campaigns": {
    ask: ({ clinic }) => ({
      path: "/v1/campaigns?dry_run=true",
      body: { name: "Check-ups", agent_id: clinic.agentId, rows: [campaignRow()] },
    }),
    action: "campaign.dry_run",
  },
  "GET /v1/campaigns/:campaign_id/results": {
    ask: ({ campaignId }) => ({ path: `/v1/campaigns/${campaignId}/results` }),
    action: "campaign.read",
  },
  "POST /dashboard/api/campaigns/check": {
    ask: ({ clinic }) => ({
      path: "/dashboard/api/campaigns/check",
      body: { name: "Check-ups", agent_id: clinic.agentId, rows: [campaignRow()] },
    }),
    action: "campaign.dry_run",
  },
  "GET /dashboard/api/campaigns/:campaign_id/results": {
    ask: ({ campaignId }) => ({ path: `/dashboard/api/campaigns/${campaignId}/results` }),
    action: "campaign.read",
  },
  "GET /dashboard/api/campaigns/:campaign_id/results.csv": {
    ask: ({ campaignId }) => ({ path: `/dashboard/api/campaigns/${campaignId}/results.csv` }),
    action: "campaign.exported",
  },
  "GET /dashboard/api/do-not-disturb": {
    ask: () => ({ path: "/dashboard/api/do-not-disturb" }),
    action: "do_not_disturb.read",
  },
  "GET /dashboard/api/do-not-disturb/export": {
    ask: () => ({ path: "/dashboard/api/do-not-disturb/export" }),
    action: "do_not_disturb.exported",
  },
};

/** Noted although the answer names nobody by itself, or cannot be asked for in a walk. */
export const NOTED_TOO: Readonly<Record<string, string>> = {
  // Ids alone; but the whole trail leaves the appliance.
  "GET /dashboard/api/audit/export": "audit.exported",
  // Everything there is; test/dashboard/settings.test.ts makes a backup and sees "backup.downloaded".
  "GET /dashboard/api/backup/file": "backup.downloaded",
  // Files, which say back what was sent and who must not be disturbed; test/dashboard/campaign-list.test.ts sees the
  // note.
  "POST /dashboard/api/campaigns/list": "campaign.list_checked",
  "POST /dashboard/api/campaigns/list/faulty.csv": "campaign.list_checked",
  // Needs a place that is free; test/waiting-list/waiting-list.test.ts has one.
  "POST /dashboard/api/waiting-list/:id/call": "waiting.offered",
};

/** Reads that answer nothing about anybody. The walk asks each of them and looks for the marks. */
export const NOT_PERSONAL: readonly string[] = [
  "/",
  "/healthz",
  "/readyz",
  "/metrics",
  "/openapi.json",
  ...["", "/json", "/start.js", "/swagger-ui.css", "/swagger-ui-bundle.js"].map((file) => `/swagger${file}`),
  ...["", "/", "/:page", "/assets/:file"].map((path) => `/docs${path}`),
  ...["", "/page.css", "/vectors.json"].map((file) => `/docs/webhooks${file}`),
  ...["verify.ts", "verify.py", "verify.go", "Verify.java", "verify.php", "Verify.cs"].map(
    (file) => `/docs/webhooks/${file}`,
  ),
  "/v1/me",
  "/v1/campaigns",
  "/v1/campaigns/:campaign_id",
  ...["", "/availability", "/schedule-tracking", "/:slot_id"].map((path) => `/v1/appointment-slots${path}`),
  ...["configuration", "services", "availability"].map((path) => `/v1/appointments/${path}`),
  // One's own name and address.
  "/dashboard/api/session",
  // Ids of what changed, as a stream: test/dashboard/changes.test.ts.
  "/dashboard/api/changes",
  ...["welcome", "overview", "checklist", "settings", "health", "audit", "hook", "keys", "endpoints", "deliveries"].map(
    (path) => `/dashboard/api/${path}`,
  ),
  ...[
    "agents",
    "agents/library",
    "agents/archived",
    // With the name of the colleague who made each.
    "agents/:id/versions",
    "agents/:id/versions/:version",
    "agents/:id/words",
    "agents/:id/words/:kind",
    "numbers",
    "trunks",
    "pronunciations",
    "model-servers",
    "agents/:id/servers",
    "developers/catalogue",
    "campaigns",
    "campaigns/:campaign_id",
  ].map((path) => `/dashboard/api/${path}`),
  // Of a demo alone, in which everybody is invented; what is read of its receiver is noted
  // (test/scenarios/demo.test.ts).
  ...["demo", "received", "received/:id"].map((path) => `/dashboard/api/${path}`),
  "/dashboard/api/endpoints/:id/range",
  // A signed link, whose reading is noted; ids of calls; and how somebody likes to see the list.
  "/dashboard/api/calls/:call_id/recording",
  "/dashboard/api/calls/matching",
  "/dashboard/api/worklist/count",
  "/dashboard/api/call-filters",
  ...["reminders/rules", "reminders/agents", "appointments/:id/reminders"].map((path) => `/dashboard/api/${path}`),
  ...["configuration", "services", "windows", "tracking", "availability", "closures", "plan", "feeds"].map(
    (path) => `/dashboard/api/calendar/${path}`,
  ),
  // How many, and until when.
  "/dashboard/api/calendar/windows/:slot_id/booked",
  "/dashboard",
  "/dashboard/*",
  "/dashboard/assets/:file",
  "/favicon.svg",
  "/public/assets/share.css",
  "/public/assets/share.js",
].map((path) => `GET ${path}`);

/** What changes something, with an entry of its own where it does, and answers with ids and settings alone. */
export const CHANGES: readonly string[] = [
  "POST /v1/calls/:call_id/cancel",
  "DELETE /v1/calls/:call_id",
  "GET /v1/hooks/:token",
  "POST /v1/hooks/:token",
  "POST /v1/appointment-slots",
  "POST /v1/appointment-slots/schedule-tracking/regenerate",
  "PATCH /v1/appointment-slots/schedule-tracking/:slot_id",
  "PATCH /v1/appointment-slots/:slot_id",
  "POST /v1/appointment-slots/:slot_id/disable",
  "DELETE /v1/waitlist/:waiting_id",
  "DELETE /dashboard/api/waiting-list/:id",
  "POST /dashboard/api/login",
  "POST /dashboard/api/demo-login",
  "POST /dashboard/api/setup",
  "POST /dashboard/api/logout",
  "POST /dashboard/api/password",
  "POST /dashboard/api/calls",
  "POST /dashboard/api/calls/:call_id/cancel",
  "POST /dashboard/api/calls/:call_id/hang-up",
  "DELETE /dashboard/api/calls/:call_id",
  "POST /dashboard/api/calls/:call_id/again",
  "PATCH /dashboard/api/calls/:call_id",
  "POST /dashboard/api/calls/:call_id/erase",
  "POST /dashboard/api/calls/again",
  "POST /dashboard/api/calls/cancel",
  "POST /dashboard/api/worklist/:id/done",
  "POST /dashboard/api/worklist/:id/undo",
  "PUT /dashboard/api/contacts/:contact_id/do-not-disturb",
  "POST /dashboard/api/contacts/:contact_id/notes",
  "DELETE /dashboard/api/contacts/:contact_id/notes/:note_id",
  "POST /dashboard/api/contacts/:contact_id/erase",
  "POST /dashboard/api/call-filters",
  "DELETE /dashboard/api/call-filters/:id",
  "PUT /dashboard/api/calendar/branches/:id",
  "PUT /dashboard/api/calendar/services/:id",
  "POST /dashboard/api/calendar/windows",
  "PATCH /dashboard/api/calendar/windows/:slot_id",
  "POST /dashboard/api/calendar/windows/:slot_id/disable",
  "PATCH /dashboard/api/calendar/tracking/:slot_id",
  "POST /dashboard/api/calendar/regenerate",
  "POST /dashboard/api/calendar/closures",
  "POST /dashboard/api/calendar/windows/many",
  "POST /dashboard/api/calendar/plan",
  // The days of a file that was sent along.
  "POST /dashboard/api/calendar/holidays/read",
  "POST /dashboard/api/calendar/feeds",
  "DELETE /dashboard/api/calendar/feeds/:id",
  "POST /dashboard/api/calendar/closures/:id/reopen",
  "POST /v1/appointments/:appointment_id/remind",
  "POST /dashboard/api/reminders",
  "POST /dashboard/api/reminders/check",
  "POST /dashboard/api/reminders/preview",
  "POST /dashboard/api/reminders/rules",
  "PATCH /dashboard/api/reminders/rules/:id",
  "DELETE /dashboard/api/reminders/rules/:id",
  "POST /dashboard/api/agents",
  "PATCH /dashboard/api/agents/:id",
  "POST /dashboard/api/agents/:id/versions/:version/restore",
  "POST /dashboard/api/agents/preview",
  "POST /dashboard/api/agents/preview/model",
  "POST /dashboard/api/numbers",
  "PUT /dashboard/api/numbers/:number/agent",
  "PUT /dashboard/api/numbers/:number/lines",
  "POST /dashboard/api/lock",
  "POST /dashboard/api/unlock",
  "PUT /dashboard/api/account/language",
  "POST /dashboard/api/agents/:id/archive",
  "POST /dashboard/api/agents/:id/unarchive",
  "DELETE /dashboard/api/numbers/:number",
  "POST /dashboard/api/calendar/branches/:id/archive",
  "PUT /dashboard/api/settings/idle-lock",
  "PUT /dashboard/api/people/:email/name",
  "PUT /dashboard/api/agents/:id/words/:kind",
  "DELETE /dashboard/api/agents/:id/words/:kind",
  "POST /dashboard/api/trunks",
  "PATCH /dashboard/api/trunks/:id",
  "DELETE /dashboard/api/trunks/:id",
  "POST /dashboard/api/trunks/:id/capture",
  "PUT /dashboard/api/numbers/:number/trunk",
  "POST /dashboard/api/keys",
  "DELETE /dashboard/api/keys/:id",
  "POST /dashboard/api/endpoints",
  "PATCH /dashboard/api/endpoints/:id",
  "DELETE /dashboard/api/endpoints/:id",
  "POST /dashboard/api/endpoints/:id/rotate",
  "POST /dashboard/api/endpoints/:id/enable",
  "POST /dashboard/api/endpoints/:id/disable",
  "POST /dashboard/api/endpoints/:id/test",
  "POST /dashboard/api/held-calls/cancel",
  "POST /dashboard/api/held-calls/release",
  "POST /dashboard/api/deliveries/:id/replay",
  "POST /dashboard/api/endpoints/:id/replay",
  "POST /dashboard/api/hook/regenerate",
  "PUT /dashboard/api/hook/signature",
  "PATCH /dashboard/api/settings/organisation",
  "PUT /dashboard/api/settings/sharing",
  "PATCH /dashboard/api/people/:email",
  "POST /dashboard/api/backup",
  "POST /dashboard/api/model-servers",
  "PATCH /dashboard/api/model-servers/:id",
  "DELETE /dashboard/api/model-servers/:id",
  "POST /dashboard/api/model-servers/:id/try",
  "PUT /dashboard/api/agents/:id/servers",
  "PUT /dashboard/api/pronunciations",
  "POST /dashboard/api/pronunciations/remove",
  "POST /dashboard/api/campaigns",
  ...["pause", "resume", "stop", "retry"].flatMap((act) => [
    `POST /v1/campaigns/:campaign_id/${act}`,
    `POST /dashboard/api/campaigns/:campaign_id/${act}`,
  ]),
  "DELETE /dashboard/api/campaigns/:campaign_id",
  "POST /dashboard/api/do-not-disturb",
  "DELETE /dashboard/api/do-not-disturb/:number",
];

const campaignRow = () => ({ user_number: CONTACT.number, user_name: CONTACT.name });

const newCall = ({ agentId }: Clinic) => ({
  agent_id: agentId,
  user_number: CONTACT.number,
  user_name: CONTACT.name,
});

function signed({ app }: Clinic, callId: string, file: "recording.wav" | "transcript.json"): Asked {
  const { pathname, search } = new URL(app.services.links.sign(callId, file));
  return { path: pathname + search };
}

function shared({ callId, shareToken }: Records, path: string, parameter: string): Asked {
  return { path: `/public/call/${callId}${path}?${parameter}=${shareToken}` };
}

/** Asks as whoever may do most: the owner at the dashboard, a key with every scope at the API. */
export function askAs({ clinic, owner }: Records, method: string, { path, body }: Asked) {
  if (path.startsWith("/dashboard"))
    return askDashboard(clinic.app, method, path, { cookie: owner.cookie, ...(body === undefined ? {} : { body }) });
  return clinic.request(method, path, {
    key: path.startsWith("/v1/") ? clinic.key : null,
    ...(body === undefined ? {} : { body }),
  });
}
