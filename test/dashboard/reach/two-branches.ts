// Test fixture: a hospital with two branches, with data of every kind in each, and people of every role.
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import type { App } from "../../../src/compose/app.ts";
import { createClinic, MONDAY, on, SERVICE, type Clinic } from "../../calendar/clinic.ts";
import { askDashboard, PASSWORD, signedIn, signIn, type Visitor } from "../../support/dashboard.ts";
import { siu } from "../../support/hl7.ts";
import { lineRow } from "../../support/line-data.ts";
import { saveLine } from "../../../src/calls/life/line-store.ts";

/** What exists once in each branch. Texts and numbers of its patients begin with the mark and the prefix. */
export interface BranchWorld {
  mark: string;
  prefix: string;
  branchId: string;
  practitionerId: string;
  agentId: string;
  /** Not dialled yet. */
  callId: string;
  /** Completed, with a transcript and a recording. */
  endedId: string;
  appointmentId: string;
  campaignId: string;
  waitingId: string;
  ruleId: string;
  feedId: string;
  closureId: string;
  itemId: string;
  contactId: string;
  noteId: string;
  windowId: string;
  slotId: string;
}

export interface TwoBranches {
  clinic: Clinic;
  app: App;
  a: BranchWorld;
  b: BranchWorld;
  /** Ids of the whole organisation, by route parameter. */
  ids: Record<string, string>;
  people: Record<PersonName, Visitor>;
  close(): Promise<void>;
}

export const PEOPLE = {
  owner: ["owner", null],
  staff: ["staff", null],
  viewer: ["viewer", null],
  staffOfA: ["staff", "a"],
  staffOfB: ["staff", "b"],
  viewerOfA: ["viewer", "a"],
  doctorOfA: ["doctor", "a"],
  auditor: ["auditor", null],
} as const satisfies Record<string, readonly [role: string, branch: "a" | "b" | null]>;
export type PersonName = keyof typeof PEOPLE;

export const BRANCH_A = "0190a1b2-0000-7000-8000-0000000000aa";
export const BRANCH_B = "0190a1b2-0000-7000-8000-0000000000bb";
export const NO_BRANCH_MARK = "Quagga";

async function makeBranch(clinic: Clinic, mark: string, prefix: string, branchId: string): Promise<BranchWorld> {
  const { app, organisationId, db } = clinic;
  const { agents, campaigns, closures, directory, feeds, reminderRules, waitingList } = app.services;
  await directory.setBranch(organisationId, branchId, { name: `${mark} branch` }, CLI_ACTOR);
  const agent = await agents.create(
    organisationId,
    { name: `${mark} agent`, greeting: `${mark} greets`, prompt: "Confirm.", calling_hours: null, branch_id: branchId },
    CLI_ACTOR,
  );
  const agentId = agent.agent_id;
  const number = prefix.replace("+9198100", "+1555600") + "0";
  await agents.addNumber(organisationId, { number, agentId, concurrentCalls: 5 }, CLI_ACTOR);
  const contactNumber = `${prefix}01`;
  const person = { user_name: `${mark} Patient`, user_number: contactNumber, agent_id: agentId };
  const window = await clinic.createWindow({ branch_id: branchId });
  const slotId = on(window, MONDAY);
  const booked = await clinic.book(slotId, { contact_name: `${mark} Booked`, contact_number: `${prefix}02` });
  const practitionerId = `practitioner-${mark}`;
  await db.write((tx) =>
    tx
      .updateTable("appointments")
      .set({ practitioner_id: practitionerId, practitioner_name: `Dr ${mark}`, notes: `${mark} notes` })
      .where("id", "=", booked.appointment_id)
      .execute(),
  );
  const endedId = await clinic.schedule(person);
  const callId = await clinic.schedule({ ...person, user_number: `${prefix}03` });
  await db.write(async (tx) => {
    await tx
      .updateTable("calls")
      .set({ state: "completed", finished_at: 1, triggered_at: 1, about_appointment_id: booked.appointment_id })
      .where("id", "=", endedId)
      .execute();
    const transcript = JSON.stringify([{ speaker: "user", text: `${mark} said`, start_time: 0, end_time: 1 }]);
    await tx
      .insertInto("call_results")
      .values({ call_id: endedId, transcript, analytics: null, extracted_details: null })
      .execute();
    await saveLine(tx, lineRow(endedId));
    await tx
      .insertInto("worklist_items")
      .values({
        id: `wrk_${mark}`,
        organisation_id: organisationId,
        kind: "call_failed",
        subject_id: endedId,
        detail: "busy",
        created_at: 1,
        done_at: null,
        done_by: null,
      })
      .execute();
  });
  const campaign = await campaigns.create(
    organisationId,
    {
      name: `${mark} campaign`,
      agent_id: agentId,
      rows: [{ user_number: `${prefix}04`, user_name: `${mark} Listed` }],
      start_at: "2026-12-01T10:00:00Z",
    },
    CLI_ACTOR,
  );
  const entry = await waitingList.add(
    organisationId,
    { branch_id: branchId, contact_name: `${mark} Waiting`, contact_number: `${prefix}05` },
    "dashboard",
    CLI_ACTOR,
  );
  const rule = await reminderRules.create(organisationId, { agent_id: agentId, branch_id: branchId }, CLI_ACTOR);
  const feed = await feeds.create(organisationId, { branch_id: branchId, people: "none" }, CLI_ACTOR);
  const closed = { from: "2026-12-25", to: "2026-12-25", name: `${mark} day` };
  const closure = await closures.close(
    organisationId,
    { branch_ids: [branchId], ranges: [closed], otherwise: "leave" },
    CLI_ACTOR,
  );
  const contactId = app.services.contactIds.idOf(organisationId, contactNumber) ?? "";
  return {
    mark,
    prefix,
    branchId,
    practitionerId,
    agentId,
    callId,
    endedId,
    appointmentId: booked.appointment_id,
    campaignId: campaign.campaign_id,
    waitingId: entry.waiting_id,
    ruleId: rule.rule_id,
    feedId: feed.feed_id,
    closureId: closure.closure_ids[0] ?? "",
    itemId: `wrk_${mark}`,
    contactId,
    noteId: "",
    windowId: window.calendar_id,
    slotId,
  };
}

/** A person with branches or a practitioner, signed in. */
export async function boundPerson(
  app: App,
  organisationId: string,
  name: string,
  person: { role: string; branches?: readonly string[]; practitioner_id?: string },
): Promise<Visitor> {
  const email = `${name.toLowerCase()}@bound.example`;
  const made = await app.services.people.create(
    organisationId,
    { email, name, password: PASSWORD, ...person },
    CLI_ACTOR,
  );
  const cookie = await signIn(app, email, PASSWORD);
  return {
    personId: made.person_id,
    email,
    cookie,
    ask: (method, path, body) => askDashboard(app, method, path, { body, cookie }),
  };
}

export async function createTwoBranches(): Promise<TwoBranches> {
  const clinic = await createClinic({ demo: true });
  const { app, organisationId, db } = clinic;
  const { doNotDisturb, hl7Receiver, holds, keys, modelServers, sources, trunks } = app.services;
  await app.services.directory.setService(organisationId, SERVICE, "Heart check", CLI_ACTOR);
  const a = await makeBranch(clinic, "Aardvark", "+9198100111", BRANCH_A);
  const b = await makeBranch(clinic, "Zebra", "+9198100222", BRANCH_B);
  // Belongs to no branch: the agent has none.
  const wholeCall = await clinic.schedule({ user_name: `${NO_BRANCH_MARK} Patient`, user_number: "+919810033301" });
  await doNotDisturb.add(organisationId, "+919810033302", CLI_ACTOR);
  const key = await keys.create(organisationId, { name: "key", scopes: ["calls:read"] }, CLI_ACTOR);
  const trunk = await trunks.create(organisationId, { name: "Trunk", host: "sip.example" }, CLI_ACTOR);
  const server = await modelServers.create(
    organisationId,
    { name: "Server", role: "language", base_url: "https://model.example/v1", model: "one" },
    CLI_ACTOR,
  );
  const source = await sources.create(organisationId, { name: "Records", kind: "api" }, CLI_ACTOR);
  const settings = { application: "RECORDS", facility: "MAIN", time_zone: "UTC" };
  await sources.create(organisationId, { name: "HL7", kind: "hl7", settings }, CLI_ACTOR);
  const booking = { trigger: "S12", controlId: "Z1", id: "Z1", sentAt: "20261115120000", location: "UNKNOWN" };
  await hl7Receiver.receive(Buffer.from(siu({ ...booking, application: "RECORDS" })), { address: "127.0.0.1" });
  const message = await db.reader.selectFrom("hl7_messages").selectAll().executeTakeFirstOrThrow();
  const delivery = await db.reader.selectFrom("deliveries").selectAll().executeTakeFirstOrThrow();
  const hold = await holds.add(
    organisationId,
    { subject: "call", call_id: wholeCall, reason: `${NO_BRANCH_MARK} dispute about a bill` },
    CLI_ACTOR,
  );
  await db.write(async (tx) => {
    const received = { organisation_id: organisationId, event_id: delivery.event_id, received_at: 1 };
    await tx
      .insertInto("demo_received")
      .values({ ...received, verdict: "verified", id: 7, headers: "[]", body: `${NO_BRANCH_MARK} body` })
      .execute();
  });
  const people = {
    owner: await signedIn(app, organisationId, "owner"),
    staff: await signedIn(app, organisationId, "staff"),
    viewer: await signedIn(app, organisationId, "viewer"),
    staffOfA: await boundPerson(app, organisationId, "StaffOfA", { role: "staff", branches: [BRANCH_A] }),
    staffOfB: await boundPerson(app, organisationId, "StaffOfB", { role: "staff", branches: [BRANCH_B] }),
    viewerOfA: await boundPerson(app, organisationId, "ViewerOfA", { role: "viewer", branches: [BRANCH_A] }),
    doctorOfA: await boundPerson(app, organisationId, "DoctorOfA", {
      role: "doctor",
      practitioner_id: a.practitionerId,
    }),
    auditor: await boundPerson(app, organisationId, "Auditor", { role: "auditor" }),
  };
  for (const [world, author] of [
    [a, people.staffOfA],
    [b, people.staffOfB],
  ] as const) {
    const answer = await author.ask("POST", `/dashboard/api/contacts/${world.contactId}/notes`, {
      text: `${world.mark} note`,
    });
    if (answer.status !== 200) throw new Error(`The note was refused: ${answer.text}`);
  }
  const notes = await db.reader.selectFrom("contact_notes").selectAll().execute();
  for (const world of [a, b]) world.noteId = notes.find(({ text }) => text.startsWith(world.mark))?.id ?? "";
  return {
    clinic,
    app,
    a,
    b,
    people,
    ids: {
      "keys/:id": key.key_id,
      "trunks/:id": trunk.trunk_id,
      "model-servers/:id": server.server_id,
      "sources/:id": source.source_id,
      "hl7/messages/:id": message.id,
      "deliveries/:id": delivery.id,
      "endpoints/:id": delivery.endpoint_id,
      "holds/:hold_id": hold.hold_id,
      "received/:id": "7",
      "calendar/services/:id": SERVICE,
      "numbers/:number": encodeURIComponent("+15555551000"),
      "do-not-disturb/:number": encodeURIComponent("+919810033302"),
      "people/:email": people.viewer.email,
      "account/factors/passkeys/:id": "pky_none",
      "account/sessions/:id": "none",
      "call-filters/:id": "none",
    },
    close: () => clinic.close(),
  };
}
