// Every route, classified by the personal data in its answer. A new route must be listed here: either it leaves an
// entry in the audit trail, or contains no personal data; the walk in test/http/personal-data.test.ts checks which.
import { writeFileSync } from "node:fs";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import { fhirId } from "../../src/exchange/fhir/ids.ts";
import { createPatientIds } from "../../src/exchange/fhir/patient-ids.ts";
import { BRANCH, createClinic, MONDAY, on, type Clinic } from "../calendar/clinic.ts";
import { askDashboard, PASSWORD, signedIn, type Visitor } from "./dashboard.ts";
import { lineRow } from "./line-data.ts";
import { settle } from "./manual-clock.ts";

/** What stands in the records of the made-up people below, and nowhere else. */
export const MARKS = /unmistakable|9810012345|5553330100/i;

const CONTACT = { name: "Kamala Unmistakable", number: "+919810012345", email: "kamala@unmistakable.example" };
const IDENTIFIER = { system: "mrn", value: "UNMISTAKABLE-4711" };

export interface Records {
  clinic: Clinic;
  owner: Visitor;
  callId: string;
  deliveryId: string;
  appointmentId: string;
  waitingId: string;
  consentId: string;
  /** Of a source, each with an open wish. */
  wishedIds: readonly [string, string];
  slotId: string;
  fhirSourceId: string;
  closureId: string;
  /** Of a feed that names people. */
  feedPath: string;
  shareToken: string;
  campaignId: string;
  /** Of a hold on the person. */
  holdId: string;
  secondHoldId: string;
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
    user_identifiers: [IDENTIFIER],
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
  const fhirSource = await services.sources.create(organisationId, { name: "FHIR system", kind: "fhir" }, CLI_ACTOR);
  await services.reminderRules.create(
    organisationId,
    { agent_id: clinic.agentId, timing: "hours_before", hours_before: 6 },
    CLI_ACTOR,
  );
  const { appointment_id } = await clinic.book(slotId, {
    contact_name: CONTACT.name,
    contact_number: CONTACT.number,
    contact_email: CONTACT.email,
    contact_identifiers: [IDENTIFIER],
  });
  const wishedIds = [await wished(clinic, "A-1"), await wished(clinic, "A-2")] as const;
  const closureId = await refusedClosure(clinic);
  // So far ahead that no test gets there.
  const start = new Date(clinic.clock.now() + 90 * DAY_MS).toISOString();
  const { campaign_id: campaignId } = await services.campaigns.create(
    organisationId,
    { name: "Check-ups", agent_id: clinic.agentId, start_at: start, rows: [campaignRow()] },
    CLI_ACTOR,
  );
  const hold = { subject: "person", contact_number: CONTACT.number, reason: "Case 7/2026" } as const;
  const { hold_id } = await services.holds.add(organisationId, hold, CLI_ACTOR);
  const second = await services.holds.add(organisationId, hold, CLI_ACTOR);
  const { waiting_id } = await services.waitingList.add(
    organisationId,
    { branch_id: BRANCH, contact_name: CONTACT.name, contact_number: CONTACT.number, contact_email: CONTACT.email },
    "dashboard",
    CLI_ACTOR,
  );
  const { consent_id } = await services.consents.grant(
    organisationId,
    { contact_number: CONTACT.number, purpose: "promotional", basis: "written", reference: "Unmistakable" },
    CLI_ACTOR,
  );
  await services.registry.importPart(
    organisationId,
    {
      registry: "NCPR",
      scrubbedOn: new Date(clinic.clock.now()).toISOString().slice(0, 10),
      results: [{ number: CONTACT.number, verdict: "refused" }],
    },
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
    consentId: consent_id,
    slotId,
    fhirSourceId: fhirSource.source_id,
    wishedIds,
    closureId,
    feedPath: new URL(feed.url).pathname,
    shareToken: shareToken ?? "",
    campaignId,
    holdId: hold_id,
    secondHoldId: second.hold_id,
    contactId: (page.json as unknown as { contact_id: string }).contact_id,
  };
}

/** A closed day of another branch with an appointment that could not be moved: the chosen slot has passed. */
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
  /** Media type of a body of FHIR. */
  type?: string;
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
  "POST /v1/retention-holds": {
    ask: () => ({
      path: "/v1/retention-holds",
      body: { subject: "person", contact_number: CONTACT.number, reason: "Case 7/2026" },
    }),
    action: "retention_hold.added",
  },
  "GET /v1/retention-holds": { ask: () => ({ path: "/v1/retention-holds" }), action: "retention_hold.listed" },
  "POST /v1/retention-holds/:hold_id/release": {
    ask: ({ holdId }) => ({ path: `/v1/retention-holds/${holdId}/release`, body: { reason: "The case ended." } }),
    action: "retention_hold.released",
  },
  "POST /dashboard/api/holds": {
    ask: () => ({
      path: "/dashboard/api/holds",
      body: { subject: "person", contact_number: CONTACT.number, reason: "Case 7/2026" },
    }),
    action: "retention_hold.added",
  },
  "GET /dashboard/api/holds": { ask: () => ({ path: "/dashboard/api/holds" }), action: "retention_hold.listed" },
  "POST /dashboard/api/holds/:hold_id/release": {
    ask: ({ secondHoldId }) => ({
      path: `/dashboard/api/holds/${secondHoldId}/release`,
      body: { reason: "The case ended." },
    }),
    action: "retention_hold.released",
  },
  "GET /dashboard/api/breach-report": {
    ask: () => ({ path: "/dashboard/api/breach-report?from=2026-11-01T00:00:00Z&to=2027-10-01T00:00:00Z" }),
    action: "audit.breach_report",
  },
  "GET /v1/breach-report": {
    ask: () => ({ path: "/v1/breach-report?from=2026-11-01T00:00:00Z&to=2027-10-01T00:00:00Z" }),
    action: "audit.breach_report",
  },
  "GET /v1/waitlist": { ask: () => ({ path: "/v1/waitlist" }), action: "waiting.listed" },
  "POST /v1/consents": {
    ask: () => ({
      path: "/v1/consents",
      body: { contact_number: CONTACT.number, purpose: "transactional", basis: "verbal" },
    }),
    action: "consent.granted",
  },
  "GET /v1/consents": { ask: () => ({ path: "/v1/consents" }), action: "consent.listed" },
  "GET /v1/registry-results": { ask: () => ({ path: "/v1/registry-results" }), action: "registry.exported" },
  "GET /dashboard/api/registry/export": {
    ask: () => ({ path: "/dashboard/api/registry/export" }),
    action: "registry.exported",
  },
  "POST /v1/registry-results/lookup": {
    ask: () => ({ path: "/v1/registry-results/lookup", body: { numbers: [CONTACT.number] } }),
    action: "registry.read",
  },
  "GET /v1/consents/:consent_id": {
    ask: ({ consentId }) => ({ path: `/v1/consents/${consentId}` }),
    action: "consent.read",
  },
  "POST /v1/consents/withdraw": {
    ask: () => ({ path: "/v1/consents/withdraw", body: { contact_number: CONTACT.number, purpose: "service" } }),
    action: "consent.withdrawn",
  },
  "POST /v1/consents/:consent_id/withdraw": {
    ask: ({ consentId }) => ({ path: `/v1/consents/${consentId}/withdraw` }),
    action: "consent.withdrawn",
  },
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
  "POST /v1/appointments/:appointment_id/wish": {
    ask: ({ wishedIds: [id] }) => ({ path: `/v1/appointments/${id}/wish`, body: { state: "declined" } }),
    action: "appointment.changed",
  },
  "POST /dashboard/api/appointments/:id/wish": {
    ask: ({ wishedIds: [, id] }) => ({ path: `/dashboard/api/appointments/${id}/wish`, body: { state: "declined" } }),
    action: "appointment.changed",
  },
  "POST /v1/appointments/search": {
    ask: () => ({ path: "/v1/appointments/search", body: { identifier: IDENTIFIER } }),
    action: "appointment.listed",
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
  "GET /v1/people": { ask: () => ({ path: "/v1/people" }), action: "contact.listed" },
  "POST /v1/people/search": {
    ask: () => ({ path: "/v1/people/search", body: { text: CONTACT.name } }),
    action: "contact.listed",
  },
  "GET /v1/people/:contact_id": {
    ask: ({ contactId }) => ({ path: `/v1/people/${contactId}` }),
    action: "contact.read",
  },
  "POST /v1/closures/preview": {
    ask: () => ({
      path: "/v1/closures/preview",
      body: { branch_ids: [BRANCH], ranges: [{ from: MONDAY, to: MONDAY }] },
    }),
    action: "appointment.listed",
  },
  "GET /v1/closures/:closure_id/refused": {
    ask: ({ closureId }) => ({ path: `/v1/closures/${closureId}/refused` }),
    action: "appointment.listed",
  },
  "GET /calendar-feeds/:token/calendar.ics": {
    ask: ({ feedPath }) => ({ path: feedPath }),
    action: "calendar_feed.read",
  },
  "GET /v1/webhook-deliveries/:delivery_id": {
    ask: ({ deliveryId }) => ({ path: `/v1/webhook-deliveries/${deliveryId}` }),
    action: "delivery.read",
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
  "GET /v1/do-not-disturb": { ask: () => ({ path: "/v1/do-not-disturb" }), action: "do_not_disturb.read" },
  "POST /v1/do-not-disturb/lookup": {
    ask: () => ({ path: "/v1/do-not-disturb/lookup", body: { numbers: [CONTACT.number] } }),
    action: "do_not_disturb.read",
  },
  "GET /dashboard/api/do-not-disturb": {
    ask: () => ({ path: "/dashboard/api/do-not-disturb" }),
    action: "do_not_disturb.read",
  },
  "GET /dashboard/api/do-not-disturb/export": {
    ask: () => ({ path: "/dashboard/api/do-not-disturb/export" }),
    action: "do_not_disturb.exported",
  },
  // Names of patients, from what is stored; the log holds ids.
  "GET /dashboard/api/audit": {
    ask: () => ({ path: "/dashboard/api/audit?action=call.read" }),
    action: "audit.listed",
  },
  ...fhirWrites(),
  ...fhirReads("Appointment", "appointment.listed", "appointment.read", (records) => fhirId(records.appointmentId)),
  ...fhirReads("Communication", "call.listed", "call.read", (records) => fhirId(records.callId)),
  ...fhirReads("Patient", "contact.listed", "contact.read", ({ clinic }) =>
    createPatientIds(clinic.app.services.contactIds, clinic.app.services.secrets.deriveKey("fhir-patients")).idOf(
      clinic.organisationId,
      CONTACT.number,
      { names: [CONTACT.name], identifiers: [IDENTIFIER] },
    ),
  ),
};

/** Read, search and posted search of a kind of FHIR resource. */
function fhirReads(
  type: string,
  listed: string,
  read: string,
  idOf: (records: Records) => string | null,
): Record<string, { ask: Ask; action: string }> {
  return {
    [`GET /fhir/${type}`]: { ask: () => ({ path: `/fhir/${type}` }), action: listed },
    [`POST /fhir/${type}/_search`]: {
      ask: () => ({ path: `/fhir/${type}/_search`, body: "_count=9" }),
      action: listed,
    },
    [`GET /fhir/${type}/:id`]: { ask: (records) => ({ path: `/fhir/${type}/${idOf(records)}` }), action: read },
  };
}

/** Writes of appointments, which answer the resource. */
function fhirWrites(): Record<string, { ask: Ask; action: string }> {
  const type = "application/fhir+json";
  const patient = { resourceType: "Patient", name: [{ text: CONTACT.name }] };
  const slotOf = ({ slotId }: Records) => ({ reference: `Slot/${slotId.replace("||", "-")}` });
  const appointmentOf = (records: Records) => ({
    resourceType: "Appointment",
    status: "pending",
    slot: [slotOf(records)],
    contained: [{ ...patient, id: "p" }],
    participant: [{ actor: { reference: "#p" } }],
  });
  return {
    "POST /fhir/Appointment": {
      ask: (records) => ({ path: "/fhir/Appointment", type, body: JSON.stringify(appointmentOf(records)) }),
      action: "appointment.created",
    },
    "POST /fhir/Appointment/$book": {
      ask: (records) => ({
        path: "/fhir/Appointment/$book",
        type,
        body: JSON.stringify({
          resourceType: "Parameters",
          parameter: [{ name: "appointment-resource", resource: appointmentOf(records) }],
        }),
      }),
      action: "appointment.created",
    },
    "PUT /fhir/Appointment": {
      ask: ({ fhirSourceId, clinic }) => ({
        path: `/fhir/Appointment?identifier=urn:ringward:source:${fhirId(fhirSourceId)}|A-${clinic.clock.now()}`,
        type,
        body: JSON.stringify({
          resourceType: "Appointment",
          status: "booked",
          start: "2026-11-20T04:00:00Z",
          contained: [{ ...patient, id: "p" }],
          participant: [{ actor: { reference: "#p" } }, { actor: { reference: `Location/${BRANCH}` } }],
        }),
      }),
      action: "appointment.created",
    },
    "PATCH /fhir/Appointment/:id": {
      ask: ({ appointmentId, clinic }) => ({
        path: `/fhir/Appointment/${fhirId(appointmentId)}`,
        type: "application/json-patch+json",
        body: JSON.stringify([{ op: "add", path: "/comment", value: `Late at ${clinic.clock.now()}.` }]),
      }),
      action: "appointment.changed",
    },
  };
}

const FHIR_WITHOUT_PEOPLE = ["Location", "HealthcareService", "Schedule", "Slot", "Subscription"];

/** Audited although the answer names no person, or cannot be requested in a walk. */
export const NOTED_TOO: Readonly<Record<string, string>> = {
  // A packed file; test/rights/person-file.test.ts opens it and sees the note.
  "POST /v1/people/file": "contact.read",
  "GET /dashboard/api/contacts/:contact_id/file": "contact.read",
  // Names people only while a call is live; test/dashboard/now.test.ts has live calls and sees the note.
  "GET /dashboard/api/now": "call.listed",
  // Ids alone; but the whole trail leaves the appliance.
  "GET /dashboard/api/audit/export": "audit.exported",
  "GET /v1/audit": "audit.listed",
  // Everything there is; test/dashboard/settings.test.ts makes a backup and sees "backup.downloaded".
  "GET /dashboard/api/backup/file": "backup.downloaded",
  // Files, which say back what was sent and who must not be disturbed; test/dashboard/campaign-list.test.ts sees the
  // note.
  "POST /dashboard/api/campaigns/list": "campaign.list_checked",
  "POST /dashboard/api/campaigns/list/faulty.csv": "campaign.list_checked",
  // The same; test/exchange/folder/sample.test.ts sees the note.
  "POST /dashboard/api/sources/:id/sample": "campaign.list_checked",
  "POST /dashboard/api/sources/:id/sample/waiting": "campaign.list_checked",
  // Empty here; test/dashboard/consent-list.test.ts exports them.
  "GET /dashboard/api/consents/export": "consent.exported",
  // Names pending calls alone; test/dashboard/dial-ahead.test.ts has one.
  "POST /dashboard/api/dial-ahead": "call.dry_run",
  "POST /dashboard/api/waiting-list/awaited": "call.dry_run",
  // Needs a place that is free; test/waiting-list/waiting-list.test.ts has one.
  "POST /dashboard/api/waiting-list/:id/call": "waiting.offered",
};

/** Reads without personal data. The walk requests each of them and searches for the markers. */
export const NOT_PERSONAL: readonly string[] = [
  "/",
  "/healthz",
  "/readyz",
  "/metrics",
  "/openapi.json",
  ...["", "/json", "/start.js", "/swagger.css", "/swagger-ui.css", "/swagger-ui-bundle.js"].map(
    (file) => `/swagger${file}`,
  ),
  ...["", "/", "/:page", "/assets/:file"].map((path) => `/docs${path}`),
  ...["py", "ts"].map((ending) => `/docs/clients/ringward.${ending}`),
  ...["", "/page.css", "/vectors.json"].map((file) => `/docs/webhooks${file}`),
  ...["", "/verify.js"].map((file) => `/docs/verify-proofs${file}`),
  ...["verify.ts", "verify.py", "verify.go", "Verify.java", "verify.php", "Verify.cs"].map(
    (file) => `/docs/webhooks/${file}`,
  ),
  "/v1/me",
  "/v1/calls/:call_id/proof",
  "/v1/proofs",
  "/v1/proofs/key",
  "/v1/proofs/head",
  // Rules, and what they say of a number that was sent along.
  "/v1/rules",
  "/v1/rules/for",
  "/dashboard/api/rules",
  "/dashboard/api/alarms",
  "/v1/campaigns",
  "/v1/campaigns/:campaign_id",
  ...["", "/availability", "/schedule-tracking", "/:slot_id"].map((path) => `/v1/appointment-slots${path}`),
  ...["configuration", "services", "availability"].map((path) => `/v1/appointments/${path}`),
  // One's own name and address.
  "/dashboard/api/session",
  // Ids of what changed, as a stream: test/dashboard/changes.test.ts.
  "/dashboard/api/changes",
  ...[
    "welcome",
    "overview",
    "figures",
    "checklist",
    "settings",
    "health",
    "hook",
    "keys",
    "endpoints",
    "deliveries",
  ].map((path) => `/dashboard/api/${path}`),
  // Answers what other routes answer, each with its own entry; test/dashboard/first-view.test.ts sees them.
  "/dashboard/api/first-view",
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
  "/dashboard/api/question",
  "/dashboard/api/registry",
  // A signed link, whose use is audited; ids of calls; and a user's list settings.
  "/dashboard/api/calls/:call_id/recording",
  ...["proof", "proof.json"].map((file) => `/dashboard/api/calls/:call_id/${file}`),
  "/dashboard/api/calls/matching",
  "/dashboard/api/worklist/count",
  // One's own, and an account of nobody.
  ...["factors", "sessions", "notices"].map((path) => `/dashboard/api/account/${path}`),
  "/dashboard/api/settings/break-glass",
  "/dashboard/api/people/:email/sessions",
  "/dashboard/api/call-filters",
  ...["reminders/rules", "reminders/agents", "appointments/:id/reminders"].map((path) => `/dashboard/api/${path}`),
  ...["configuration", "services", "windows", "tracking", "availability", "closures", "plan", "feeds"].map(
    (path) => `/dashboard/api/calendar/${path}`,
  ),
  // How many, and until when.
  "/dashboard/api/calendar/windows/:slot_id/booked",
  "/v1/registry-scrubs",
  // Messages without the patients' data.
  "/v1/hl7-messages",
  "/v1/hl7-messages/:message_id",
  "/dashboard/api/hl7/messages",
  "/dashboard/api/hl7/messages/:id",
  "/v1/call-question",
  "/v1/webhook-endpoints",
  "/v1/webhook-endpoints/:endpoint_id",
  "/v1/webhook-deliveries",
  "/v1/api-keys",
  "/v1/api-keys/:key_id",
  ...["", "/:phone_number_id"].map((path) => `/v1/phone-numbers${path}`),
  ...["", "/:trunk_id", "/:trunk_id/status"].map((path) => `/v1/trunks${path}`),
  // Versions have the id of their author.
  ...["", "/:agent_id", "/:agent_id/versions", "/:agent_id/versions/:version"].map((path) => `/v1/agents${path}`),
  "/v1/reminder-rules",
  "/v1/reminder-rules/:rule_id",
  "/v1/closures",
  "/v1/closures/:closure_id",
  "/v1/sources",
  "/v1/sources/:source_id",
  "/dashboard/api/sources",
  // Names of files and counts.
  "/v1/sources/:source_id/files",
  "/dashboard/api/sources/:id/files",
  ...["branches", "branches/:branch_id", "services", "services/:appointment_type_id"].map((path) => `/v1/${path}`),
  "/dashboard",
  "/dashboard/*",
  "/dashboard/assets/:file",
  ...["manifest.webmanifest", "worker.js", "offline", "icons/:file"].map((path) => `/dashboard/${path}`),
  "/favicon.svg",
  "/face.css",
  "/fhir/metadata",
  "/fhir/.well-known/smart-configuration",
  "/fhir/Appointment/$find",
  ...FHIR_WITHOUT_PEOPLE.flatMap((type) => [`/fhir/${type}`, `/fhir/${type}/:id`]),
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
  "POST /v1/do-not-disturb",
  "POST /v1/do-not-disturb/remove",
  "POST /v1/webhook-endpoints",
  "PATCH /v1/webhook-endpoints/:endpoint_id",
  "DELETE /v1/webhook-endpoints/:endpoint_id",
  ...["rotate", "enable", "disable", "test", "replay"].map((act) => `POST /v1/webhook-endpoints/:endpoint_id/${act}`),
  "POST /v1/webhook-deliveries/:delivery_id/replay",
  "POST /v1/api-keys",
  "DELETE /v1/api-keys/:key_id",
  "DELETE /dashboard/api/waiting-list/:id",
  "POST /dashboard/api/waiting-list/call-all",
  "POST /dashboard/api/login",
  "POST /dashboard/api/demo-login",
  "POST /dashboard/api/setup",
  "POST /dashboard/api/logout",
  "POST /dashboard/api/password",
  "POST /dashboard/api/forgot-password",
  ...["", "/use"].map((act) => `POST /dashboard/api/password-link${act}`),
  "POST /dashboard/api/people/:email/invitation",
  "POST /dashboard/api/alarms/test",
  // Secrets and codes of one's own, once.
  ...["code", "passkey/options", "passkey"].map((path) => `POST /dashboard/api/sign-in/${path}`),
  ...["oidc/begin", "oidc/finish"].map((path) => `POST /dashboard/api/sign-in/${path}`),
  ...["code", "code/confirm", "passkey/options", "passkey"].map((path) => `POST /dashboard/api/sign-in/set-up/${path}`),
  ...["code", "code/confirm", "code/remove", "recovery-codes", "passkeys/options", "passkeys"].map(
    (path) => `POST /dashboard/api/account/factors/${path}`,
  ),
  "PATCH /dashboard/api/account/factors/passkeys/:id",
  "POST /dashboard/api/account/factors/passkeys/:id/remove",
  ...[":id/end", ":id/recognise", "end-others"].map((path) => `POST /dashboard/api/account/sessions/${path}`),
  ...["sessions/:id/end", "sessions/end", "reset-factor"].map((path) => `POST /dashboard/api/people/:email/${path}`),
  "PUT /dashboard/api/settings/second-factor",
  "POST /dashboard/api/settings/break-glass/seal",
  "POST /dashboard/api/settings/break-glass/acknowledge",
  "POST /dashboard/api/calls",
  "POST /dashboard/api/calls/:call_id/cancel",
  "POST /dashboard/api/calls/:call_id/hang-up",
  "DELETE /dashboard/api/calls/:call_id",
  "POST /dashboard/api/calls/:call_id/again",
  "PATCH /dashboard/api/calls/:call_id",
  "POST /dashboard/api/calls/:call_id/share",
  "DELETE /dashboard/api/calls/:call_id/share",
  "POST /dashboard/api/calls/:call_id/erase",
  "POST /dashboard/api/calls/again",
  "POST /dashboard/api/calls/cancel",
  "POST /dashboard/api/worklist/:id/done",
  "POST /dashboard/api/worklist/:id/undo",
  "PUT /dashboard/api/contacts/:contact_id/do-not-disturb",
  "POST /dashboard/api/contacts/:contact_id/consents",
  "POST /dashboard/api/contacts/:contact_id/consents/withdraw",
  "POST /dashboard/api/contacts/:contact_id/notes",
  "DELETE /dashboard/api/contacts/:contact_id/notes/:note_id",
  "POST /dashboard/api/contacts/:contact_id/rename",
  "POST /dashboard/api/contacts/:contact_id/merge",
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
  "POST /v1/phone-numbers",
  "PATCH /v1/phone-numbers/:phone_number_id",
  "DELETE /v1/phone-numbers/:phone_number_id",
  "POST /v1/trunks",
  "PATCH /v1/trunks/:trunk_id",
  "DELETE /v1/trunks/:trunk_id",
  "POST /v1/agents",
  "POST /v1/agents/preview",
  "PATCH /v1/agents/:agent_id",
  "POST /v1/agents/:agent_id/archive",
  "POST /v1/agents/:agent_id/unarchive",
  "POST /v1/agents/:agent_id/versions/:version/restore",
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
  "PUT /dashboard/api/question",
  "DELETE /dashboard/api/question",
  "POST /dashboard/api/question/rotate",
  "POST /dashboard/api/question/try",
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
  "POST /dashboard/api/rules/try",
  "POST /dashboard/api/rules/compare",
  "PUT /dashboard/api/rules",
  "POST /dashboard/api/rules/reset",
  "POST /dashboard/api/pronunciations/remove",
  "POST /dashboard/api/campaigns",
  ...["pause", "resume", "stop", "retry"].flatMap((act) => [
    `POST /v1/campaigns/:campaign_id/${act}`,
    `POST /dashboard/api/campaigns/:campaign_id/${act}`,
  ]),
  "DELETE /dashboard/api/campaigns/:campaign_id",
  "POST /dashboard/api/do-not-disturb",
  "DELETE /dashboard/api/do-not-disturb/:number",
  "POST /dashboard/api/registry",
  "POST /dashboard/api/consents/import",
  "POST /v1/registry-scrubs",
  "POST /v1/hl7-messages/:message_id/resend",
  "POST /dashboard/api/hl7/messages/:id/resend",
  // Shows what its caller sends.
  "POST /v1/hl7-messages/preview",
  "POST /dashboard/api/hl7/preview",
  "DELETE /v1/registry-scrubs",
  "PUT /v1/call-question",
  "DELETE /v1/call-question",
  "POST /v1/call-question/rotate",
  "POST /v1/call-question/try",
  // Numbers alone.
  "POST /v1/reminder-rules/preview",
  "POST /v1/reminder-rules",
  "PATCH /v1/reminder-rules/:rule_id",
  "DELETE /v1/reminder-rules/:rule_id",
  "POST /v1/closures",
  "POST /v1/closures/:closure_id/reopen",
  "POST /v1/sources",
  "PATCH /v1/sources/:source_id",
  "DELETE /v1/sources/:source_id",
  "PUT /v1/sources/:source_id/appointments",
  "POST /v1/sources/:source_id/files/:file_id/accept",
  "POST /v1/sources/:source_id/files/:file_id/reject",
  "POST /dashboard/api/sources/:id/files/:file/accept",
  "POST /dashboard/api/sources/:id/files/:file/reject",
  "POST /dashboard/api/sources",
  "PATCH /dashboard/api/sources/:id",
  "DELETE /dashboard/api/sources/:id",
  "POST /v1/branches",
  "PATCH /v1/branches/:branch_id",
  "DELETE /v1/branches/:branch_id",
  "POST /v1/services",
  "PATCH /v1/services/:appointment_type_id",
  "POST /v1/smart-clients",
  "POST /fhir/token",
  "POST /fhir/Appointment/$find",
  "POST /fhir/Appointment/$hold",
  "POST /fhir/Subscription",
  "DELETE /fhir/Subscription/:id",
  // Searches, of branches, windows and subscriptions alone.
  ...FHIR_WITHOUT_PEOPLE.map((type) => `POST /fhir/${type}/_search`),
];

/** An appointment of a source, with a wish that nobody has answered. */
async function wished({ app, clock, organisationId }: Clinic, externalId: string): Promise<string> {
  const { sources, mirror, appointments } = app.services;
  const { source_id } = await sources.create(organisationId, { name: `System ${externalId}`, kind: "api" }, CLI_ACTOR);
  const at = clock.now();
  const told = { externalId, changedAt: at, status: "confirmed" as const, startsAt: at + 3 * DAY_MS, branchId: BRANCH };
  const outcome = await mirror.put(organisationId, source_id, { ...told, contactName: CONTACT.name }, CLI_ACTOR);
  if (outcome.kind === "refused") throw new Error(outcome.reason);
  await appointments.update(organisationId, outcome.appointmentId, { wish: { wish: "cancel" } }, CLI_ACTOR);
  return outcome.appointmentId;
}

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

/** Requests with the most rights: as owner at the dashboard, with a key of every scope at the API. */
export function askAs(
  { clinic, owner }: Records,
  method: string,
  { path, body, type = "application/x-www-form-urlencoded" }: Asked,
) {
  if (path.startsWith("/dashboard"))
    return askDashboard(clinic.app, method, path, { cookie: owner.cookie, ...(body === undefined ? {} : { body }) });
  if (path.startsWith("/fhir/"))
    return clinic.request(method, path, {
      key: null,
      body,
      headers: { authorization: `Bearer ${clinic.key}`, "content-type": type },
    });
  return clinic.request(method, path, {
    key: path.startsWith("/v1/") ? clinic.key : null,
    ...(body === undefined ? {} : { body }),
  });
}
