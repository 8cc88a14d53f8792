// Role, branches and practitioner of a person: who sets them, when they apply, and what the live stream tells.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import type { ReachSubjects } from "../../../src/dashboard/reach-subject-store.ts";
import { createSessionGuard } from "../../../src/dashboard/session-guard.ts";
import { createFaults } from "../../../src/http/faults.ts";
import { createInFlight } from "../../../src/http/in-flight.ts";
import { rememberRequest } from "../../../src/http/request-info.ts";
import { createHospital, outcome } from "../../support/hospital.ts";
import { signedIn, type Visitor } from "../../support/dashboard.ts";
import { settle } from "../../support/manual-clock.ts";
import { boundPerson, BRANCH_A, BRANCH_B, createTwoBranches, type TwoBranches } from "./two-branches.ts";
import { onlySqlite } from "../../support/engines.ts";
import { until } from "../../support/until.ts";

let world: TwoBranches;
beforeAll(async () => void (world = await createTwoBranches()), 120_000);
afterAll(() => world.close());

const API = "/dashboard/api/";
const change = (email: string, body: unknown) => world.people.owner.ask("PATCH", `${API}people/${email}`, body);
let count = 0;
const newPerson = (person: Parameters<typeof boundPerson>[3]) =>
  boundPerson(world.app, world.clinic.organisationId, `Person${++count}`, person);

/** Opens the change stream; `heard` returns what it told since the last call, once that names all of these ids. */
async function listen(cookie: string, lastEventId?: string) {
  const headers = { cookie, ...(lastEventId !== undefined && { "last-event-id": lastEventId }) };
  const response = await world.app.handle(new Request(`http://localhost${API}changes`, { headers }));
  const reader = response.body!.getReader();
  let text = "";
  let isOver = false;
  void (async () => {
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return void (isOver = true);
      text += decoder.decode(value, { stream: true });
    }
  })();
  await settle();
  return {
    isOver: () => isOver,
    async heard(...ids: string[]) {
      await world.clinic.clock.advance(600);
      await settle();
      await until(() => ids.every((id) => text.includes(id)));
      const told = text;
      text = "";
      return told;
    },
    leave: () => reader.cancel(),
  };
}

describe("an owner", () => {
  test("binds a person to a branch, which applies at the next click of an open session", async () => {
    const person = await newPerson({ role: "staff" });
    const path = `${API}calls/${world.b.endedId}`;
    expect((await person.ask("GET", path)).status).toBe(200);
    expect((await change(person.email, { branches: [BRANCH_A] })).status).toBe(200);
    expect((await person.ask("GET", path)).status).toBe(404);
    expect((await person.ask("GET", `${API}calls/${world.a.endedId}`)).status).toBe(200);
    expect((await change(person.email, { branches: null })).status).toBe(200);
    expect((await person.ask("GET", path)).status).toBe(200);
    const entry = await world.clinic.db.reader
      .selectFrom("audit_entries")
      .selectAll()
      .where("subject_id", "=", person.personId)
      .where("action", "=", "person.changed")
      .orderBy("id")
      .executeTakeFirstOrThrow();
    expect(JSON.parse(entry.detail)).toEqual({ role: "staff", branches: BRANCH_A });
  });

  test("makes a doctor, who needs a practitioner, and an auditor", async () => {
    const person = await newPerson({ role: "viewer" });
    expect(outcome((await change(person.email, { role: "doctor" })) as never)).toBe("400 VALIDATION_ERROR");
    const made = await change(person.email, { role: "doctor", practitioner_id: world.b.practitionerId });
    expect(made.status).toBe(200);
    expect((await person.ask("GET", `${API}calls/${world.b.endedId}`)).status).toBe(200);
    expect((await person.ask("GET", `${API}calls/${world.a.endedId}`)).status).toBe(404);
    expect((await change(person.email, { role: "auditor" })).status).toBe(200);
    expect((await person.ask("GET", `${API}calls/${world.b.endedId}`)).status).toBe(403);
    expect((await person.ask("GET", `${API}audit`)).status).toBe(200);
    const [row] = await world.clinic.db.reader
      .selectFrom("people")
      .selectAll()
      .where("email", "=", person.email)
      .execute();
    expect([row?.role, row?.practitioner_id, row?.branches]).toEqual(["auditor", null, null]);
  });

  test("cannot bind an owner, or give a practitioner to staff", async () => {
    const other = await signedIn(world.app, world.clinic.organisationId, "owner");
    expect((await change(other.email, { branches: [BRANCH_A] })).status).toBe(400);
    expect((await change(world.people.staff.email, { practitioner_id: "x" })).status).toBe(400);
    expect((await change(world.people.staff.email, { branches: ["no id"] })).status).toBe(400);
  });

  test("does not undo what another owner changed meanwhile, from a page that shows the past", async () => {
    const other = await signedIn(world.app, world.clinic.organisationId, "owner");
    const person = await newPerson({ role: "staff" });
    const before = { role: "staff", branches: [], practitioner_id: null };
    const stored = async () => {
      const rows = await world.clinic.db.reader
        .selectFrom("people")
        .select(["role", "branches"])
        .where("id", "=", person.personId)
        .execute();
      return rows[0];
    };
    const restricts = { role: "viewer", branches: [BRANCH_A, BRANCH_B], before };
    const widens = { role: "staff", branches: [], before };
    const both = await Promise.all([
      change(person.email, restricts),
      other.ask("PATCH", `${API}people/${person.email}`, { role: "staff", branches: [BRANCH_B], before }),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const kept = await stored();
    const late = await other.ask("PATCH", `${API}people/${person.email}`, widens);
    expect([late.status, late.json.error.message]).toEqual([
      409,
      "This person was changed meanwhile. Load the page again to see how.",
    ]);
    expect(await stored()).toEqual(kept);
    // In any order, as the page has them.
    const present = { role: kept!.role, branches: (JSON.parse(kept!.branches!) as string[]).toReversed() };
    const again = { role: "viewer", branches: [BRANCH_A], before: { ...present, practitioner_id: "" } };
    expect((await change(person.email, again)).status).toBe(200);
  });

  test("is the only one who sets it, and not on themselves", async () => {
    for (const person of ["staff", "viewer", "staffOfA", "doctorOfA", "auditor"] as const) {
      const { status } = await world.people[person].ask("PATCH", `${API}people/${world.people.viewer.email}`, {
        branches: null,
      });
      expect(`${person} ${status}`).toBe(`${person} 403`);
    }
    expect((await change(world.people.owner.email, { role: "staff" })).status).toBe(409);
  });
});

test("the last owner keeps the role on the command line too", async () => {
  const hospital = await createHospital();
  const { app, organisationId } = hospital;
  const first = await signedIn(app, organisationId, "owner");
  const demote = (email: string) =>
    app.services.people.setBounds(organisationId, email, { role: "auditor" }, CLI_ACTOR);
  expect(demote(first.email)).rejects.toThrow("last owner");
  const second = await signedIn(app, organisationId, "owner");
  await demote(first.email);
  expect(demote(second.email)).rejects.toThrow("last owner");
  expect(app.services.people.setBounds(organisationId, first.email, {}, CLI_ACTOR)).rejects.toThrow("Say what changes");
  await hospital.close();
});

describe("a live stream", () => {
  const soon = onlySqlite("what is told waits for every transaction of the run");
  soon("tells people of a branch of its calls only, and a doctor of theirs", async () => {
    const [ofA, doctor, whole] = await Promise.all([
      listen(world.people.staffOfA.cookie),
      listen(world.people.doctorOfA.cookie),
      listen(world.people.staff.cookie),
    ]);
    for (const stream of [ofA, doctor, whole]) await stream.heard();
    const touch = (id: string, at: number) =>
      world.clinic.db.write((tx) => tx.updateTable("calls").set({ updated_at: at }).where("id", "=", id).execute());
    for (const id of [world.a.endedId, world.a.callId, world.b.endedId]) await touch(id, world.clinic.clock.now());
    const told = await ofA.heard(world.a.endedId, world.a.callId);
    expect([told.includes(world.a.endedId), told.includes(world.a.callId), told.includes(world.b.endedId)]).toEqual([
      true,
      true,
      false,
    ]);
    const toDoctor = await doctor.heard(world.a.endedId);
    expect([toDoctor.includes(world.a.endedId), toDoctor.includes(world.a.callId)]).toEqual([true, false]);
    expect(toDoctor).not.toContain(world.b.endedId);
    expect(await whole.heard(world.b.endedId)).toContain(world.b.endedId);
    const lastId = /id: (\S+)\n(?![\s\S]*id: )/.exec(told)?.[1];
    await ofA.leave();
    await touch(world.b.endedId, world.clinic.clock.now());
    await touch(world.a.callId, world.clinic.clock.now());
    const again = await listen(world.people.staffOfA.cookie, lastId);
    const missed = await again.heard(world.a.callId);
    expect([missed.includes(world.a.callId), missed.includes(world.b.endedId)]).toEqual([true, false]);
    for (const stream of [again, doctor, whole]) await stream.leave();
  });

  test("ends when the person's branches change", async () => {
    const person = await newPerson({ role: "viewer" });
    const stream = await listen(person.cookie);
    await stream.heard();
    expect(stream.isOver()).toBeFalse();
    await change(person.email, { branches: [BRANCH_B] });
    await stream.heard();
    await until(stream.isOver);
  });
});

test("a call that is older than its branch belongs to the branch of its agent, unless its values name one", async () => {
  const { db } = world.clinic;
  const seen = async () => (await world.people.staffOfA.ask("GET", `${API}calls/${world.a.endedId}`)).status;
  const set = (values: { branch_id: string | null; additional_info: string | null }) =>
    db.write((tx) => tx.updateTable("calls").set(values).where("id", "=", world.a.endedId).execute());
  expect(await seen()).toBe(200);
  await set({ branch_id: null, additional_info: null });
  expect(await seen()).toBe(200);
  await set({ branch_id: null, additional_info: JSON.stringify({ branch_id: BRANCH_B }) });
  expect(await seen()).toBe(404);
  await set({ branch_id: "", additional_info: null });
  expect(await seen()).toBe(404);
  await set({ branch_id: BRANCH_A, additional_info: null });
});

test("values of a call cannot carry it or its appointment into another branch", async () => {
  const { staffOfA } = world.people;
  const call = { agent_id: world.a.agentId, user_number: "+919810011166" };
  for (const additional_info of [{ branch_id: BRANCH_B }, { appointment_id: world.b.appointmentId }]) {
    const create = await staffOfA.ask("POST", `${API}calls`, { ...call, additional_info });
    const rows = [{ user_number: call.user_number, additional_info }];
    const campaign = await staffOfA.ask("POST", `${API}campaigns`, { name: "x", agent_id: call.agent_id, rows });
    const edit = await staffOfA.ask("PATCH", `${API}calls/${world.a.callId}`, { additional_info });
    expect([create.status, campaign.status, edit.status]).toEqual([404, 404, 404]);
  }
  expect(
    (await staffOfA.ask("POST", `${API}calls`, { ...call, additional_info: { branch_id: BRANCH_A } })).status,
  ).toBe(200);
  const noBranch = await staffOfA.ask("PATCH", `${API}agents/${world.a.agentId}`, { branch_id: null });
  expect(outcome(noBranch as never)).toBe("400 VALIDATION_ERROR");
});

test("a patient of both branches shows each branch its own calls, names and notes", async () => {
  const { staffOfA, staffOfB } = world.people;
  const number = "+919810044401";
  const make = (agentId: string, name: string) =>
    world.clinic.schedule({ agent_id: agentId, user_number: number, user_name: name });
  await make(world.a.agentId, "Meera Aye");
  await make(world.b.agentId, "Meera Bee");
  const id = world.app.services.contactIds.idOf(world.clinic.organisationId, number) ?? "";
  await staffOfA.ask("POST", `${API}contacts/${id}/notes`, { text: "Told to A" });
  await staffOfB.ask("POST", `${API}contacts/${id}/notes`, { text: "Told to B" });
  for (const [person, own, other] of [
    [staffOfA, ["Meera Aye", "Told to A"], ["Meera Bee", "Told to B"]],
    [staffOfB, ["Meera Bee", "Told to B"], ["Meera Aye", "Told to A"]],
  ] as const) {
    const page = (await person.ask("GET", `${API}contacts/${id}`)).text;
    const found = (await person.ask("POST", `${API}contacts/search`, { text: "Meera" })).text;
    expect(own.filter((text) => !page.includes(text))).toEqual([]);
    expect(other.filter((text) => (page + found).includes(text))).toEqual([]);
    expect(found).toContain(own[0]);
  }
});

test("a campaign's results show no row whose call, or whose values, are of another branch", async () => {
  const { staff, staffOfA } = world.people;
  const { db } = world.clinic;
  const row = (number: string, name: string, branch?: string) => ({
    user_number: number,
    user_name: name,
    ...(branch !== undefined && { additional_info: { branch_id: branch } }),
  });
  const made = await staff.ask("POST", `${API}campaigns`, {
    name: "Shared list",
    agent_id: world.a.agentId,
    start_at: "2026-12-02T10:00:00Z",
    rows: [
      row("+919810044411", "Row Plain"),
      row("+919810044412", "Row Own", BRANCH_A),
      row("+919810044413", "Row Other", BRANCH_B),
      row("+919810044414", "Row Called"),
    ],
  });
  expect(`${made.status} ${made.text}`).toStartWith("200");
  const id = (made.json as unknown as { campaign_id: string }).campaign_id;
  const callId = await world.clinic.schedule({
    agent_id: world.a.agentId,
    user_number: "+919810044414",
    user_name: "Row Called",
    additional_info: { branch_id: BRANCH_B },
  });
  await db.write((tx) =>
    tx.updateTable("campaign_rows").set({ call_id: callId }).where("contact_name", "=", "Row Called").execute(),
  );
  for (const path of ["results", "results.csv"]) {
    const named = async (person: Visitor) =>
      (await person.ask("GET", `${API}campaigns/${id}/${path}`)).text.match(/Row (?:Plain|Own|Other|Called)/g);
    expect(await named(staffOfA)).toEqual(["Row Plain", "Row Own"]);
    expect(await named(staff)).toEqual(["Row Plain", "Row Own", "Row Other", "Row Called"]);
  }
});

test("a contact's newest time is that of the own branch", async () => {
  const { staff, staffOfA, staffOfB } = world.people;
  const number = "+919810044421";
  const user_identifiers = [{ system: "urn:hospital", value: "MRN-44421" }];
  const call = { user_number: number, user_name: "Timely Tara", user_identifiers };
  await world.clinic.schedule({ ...call, agent_id: world.a.agentId });
  world.clinic.clock.pass(60_000);
  await world.clinic.schedule({ ...call, agent_id: world.b.agentId });
  const rows = await world.clinic.db.reader
    .selectFrom("calls")
    .select("created_at")
    .where("contact_number", "=", number)
    .orderBy("created_at")
    .execute();
  const [first, second] = rows.map(({ created_at }) => new Date(created_at).toISOString());
  expect(first).not.toBe(second);
  for (const text of ["Timely", "MRN-44421"]) {
    const at = async (person: Visitor) => {
      const found = await person.ask("POST", `${API}contacts/search`, { text });
      return (found.json as unknown as { at: string }[]).map((one) => one.at);
    };
    expect([text, await at(staffOfA), await at(staffOfB), await at(staff)]).toEqual([
      text,
      [first],
      [second],
      [second],
    ] as never);
  }
});

test("records of credits and consents name no call of another branch", async () => {
  const { staff, staffOfA } = world.people;
  const number = "+919810044431";
  const person = { user_number: number, user_name: "Consenting Chitra" };
  await world.clinic.schedule({ ...person, agent_id: world.a.agentId });
  const other = await world.clinic.schedule({ ...person, agent_id: world.b.agentId });
  const { organisationId, db, clock } = world.clinic;
  await db.write(async (tx) => {
    await tx
      .insertInto("credit_entries")
      .values({
        id: "crd_other",
        organisation_id: organisationId,
        at: clock.now(),
        amount: -1,
        reason: "call",
        call_id: other,
      })
      .execute();
  });
  const contactId = world.app.services.contactIds.idOf(organisationId, number) ?? "";
  await staff.ask("POST", `${API}contacts/${contactId}/consents`, { purpose: "service", basis: "written" });
  await db.write(async (tx) => {
    await tx.updateTable("consents").set({ call_id: other }).where("contact_number", "=", number).execute();
    await tx.updateTable("consent_changes").set({ call_id: other }).execute();
  });
  for (const path of ["settings", `contacts/${contactId}`]) {
    expect((await staff.ask("GET", `${API}${path}`)).text).toContain(other);
    const bound = await staffOfA.ask("GET", `${API}${path}`);
    expect(bound.status).toBe(200);
    expect(bound.text).not.toContain(other);
  }
});

test("a person who sees the whole organisation costs no question about ids", async () => {
  const { app, clinic, people } = world;
  let asked = 0;
  const subjects: ReachSubjects = {
    areWithin: async () => {
      asked += 1;
      return false;
    },
    changesWithin: async () => [],
  };
  const guard = createSessionGuard({
    sessionService: app.services.sessions,
    clock: clinic.clock,
    inFlight: createInFlight(),
    requestTimeoutMs: 1_000,
    ownOrigin: "",
    isSecure: false,
    subjects,
  });
  const routes = new Elysia()
    .use(createFaults(silentLogger, () => [], []))
    .use(guard)
    .get("/dashboard/api/calls/:call_id", () => "read", { role: "viewer" });
  const read = async ({ cookie }: { cookie: string }) => {
    const request = new Request(`http://localhost${API}calls/${world.a.endedId}`, { headers: { cookie } });
    rememberRequest(request, { id: "req_test", source: () => "192.0.2.1" });
    return (await routes.handle(request)).status;
  };
  for (const person of ["owner", "staff", "viewer"] as const) expect(await read(people[person])).toBe(200);
  expect(asked).toBe(0);
  expect(await read(people.staffOfA)).toBe(404);
  expect(asked).toBe(1);
});
