// Manual reminders, over the API and the dashboard: roles, isolation, and display.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { BRANCH, MONDAY, NEXT_MONDAY, on } from "../calendar/clinic.ts";
import { askDashboard, signedIn, type Visitor } from "../support/dashboard.ts";
import { outcome } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";
import { createWard, type Ward } from "./ward.ts";

const CONTACT = "+919810012345";

let ward: Ward;
let staff: Visitor;
beforeEach(async () => {
  ward = await createWard();
  staff = await signedIn(ward.app, ward.organisationId, "staff");
});
afterEach(() => ward.close());

const book = (date = MONDAY, changes: Record<string, unknown> = {}) =>
  ward.book(on(ward.window, date), { contact_name: "Meera", contact_number: CONTACT, ...changes });
const ask = (method: string, path: string, body?: unknown, who = staff) =>
  askDashboard(ward.app, method, `/dashboard/api/${path}`, {
    cookie: who.cookie,
    ...(body === undefined ? {} : { body }),
  });
const json = <T>({ text }: { text: string }) => JSON.parse(text) as T;
const round = () => ward.clock.advance(31_000);

describe("by hand", () => {
  test("a day is called, except for people who cannot be called, and each person once", async () => {
    await ward.app.services.doNotDisturb.add(ward.organisationId, "+919810000009", CLI_ACTOR);
    await book();
    await book(MONDAY, { contact_number: "+919810000002" });
    await book(MONDAY, { contact_number: null });
    await book(MONDAY, { contact_number: "+919810000009" });
    await book(NEXT_MONDAY, { contact_number: "+919810000003" });
    const { appointment_id } = await book(MONDAY, { contact_number: "+919810000004" });
    await ward.change(appointment_id, { status: "cancelled" });
    const wish = { branch_id: BRANCH, date: MONDAY, agent_id: ward.agentId };
    const found = { planned: 2, skipped: { no_number: 1, do_not_disturb: 1 } };
    expect(json<object>(await ask("POST", "reminders/check", wish))).toEqual(found);
    expect(await ward.rows()).toEqual([]);
    expect(json<object>(await ask("POST", "reminders", wish))).toEqual(found);
    await round();
    expect(ward.dialled()).toHaveLength(2);
    const again = { planned: 0, skipped: { no_number: 1, do_not_disturb: 1, under_way: 2 } };
    expect(json<object>(await ask("POST", "reminders", wish))).toEqual(again);
    expect((await ward.actionsOnRecord()).filter((action) => action === "reminder.requested")).toHaveLength(2);
  });

  test("replaces the rule's call of the same day", async () => {
    await ward.rule({ at: "15:00" });
    const { appointment_id } = await book();
    await ask("POST", "reminders", { appointment_ids: [appointment_id] });
    await round();
    ward.carrier.talk(ward.dialled()[0]!);
    await ward.goTo("2026-11-15T10:00:00Z");
    expect(await ward.fates()).toEqual(["cancelled: taken_back", "done: reached"]);
    expect(ward.dialled()).toHaveLength(1);
  });

  test("needs an outbound agent", async () => {
    const { appointment_id } = await book();
    const { status, text } = await ask("POST", "reminders", { appointment_ids: [appointment_id] });
    expect([status, text.includes("agent_id")]).toEqual([400, true]);
  });

  test("one appointment over the API", async () => {
    const { appointment_id } = await book();
    const remind = (id: string, key = ward.key) =>
      ward.request("POST", `/v1/appointments/${id}/remind`, { body: { agent_id: ward.agentId }, key });
    const answer = await remind(appointment_id);
    expect(answer.json.data as object).toEqual({ appointment_id, status: "planned", reason: null });
    expect((await remind(appointment_id)).json.data as object).toMatchObject({
      status: "skipped",
      reason: "under_way",
    });
    expect(outcome(await remind("apt_unknown"))).toBe("404 NOT_FOUND");
    expect(outcome(await remind(appointment_id, await ward.newKey(["appointments:read"])))).toBe(
      "403 INSUFFICIENT_SCOPE",
    );
    const neighbour = await ward.neighbour();
    const theirs = await ward.request("POST", `/v1/appointments/${appointment_id}/remind`, {
      body: { agent_id: neighbour.agentId },
      key: neighbour.key,
    });
    expect(outcome(theirs)).toBe("404 NOT_FOUND");
  });
});

describe("rules in the dashboard", () => {
  test("are created by staff, read by viewers, and belong to one organisation", async () => {
    const viewer = await signedIn(ward.app, ward.organisationId, "viewer");
    expect((await ask("POST", "reminders/rules", { agent_id: ward.agentId }, viewer)).status).toBe(403);
    const made = await ask("POST", "reminders/rules", { agent_id: ward.agentId, branch_id: BRANCH.toUpperCase() });
    expect(made.status).toBe(200);
    const [rule] = json<{ rule_id: string; branch_id: string }[]>(
      await ask("GET", "reminders/rules", undefined, viewer),
    );
    expect(rule).toMatchObject({ branch_id: BRANCH, at: "10:00", tries: 3, enabled: true, agent_name: "Asha" });

    const { organisationId } = await ward.neighbour();
    const stranger = await signedIn(ward.app, organisationId, "owner");
    expect(json<unknown[]>(await ask("GET", "reminders/rules", undefined, stranger))).toEqual([]);
    expect((await ask("PATCH", `reminders/rules/${rule!.rule_id}`, { tries: 1 }, stranger)).status).toBe(404);
    expect((await ask("DELETE", `reminders/rules/${rule!.rule_id}`, undefined, stranger)).status).toBe(404);
    expect((await ask("POST", "reminders/rules", { agent_id: ward.agentId }, stranger)).status).toBe(400);
    expect((await ask("DELETE", `reminders/rules/${rule!.rule_id}`)).status).toBe(200);
    expect(json<unknown[]>(await ask("GET", "reminders/rules"))).toEqual([]);
  });

  test("with invalid values are rejected", async () => {
    const unknown = "0190a1b2-0000-7000-8000-0000000fffff";
    const wrong: [field: string, changes: object][] = [
      ["at", { at: "21:00" }],
      ["call_to", { call_from: "10:00", call_to: "10:30" }],
      ["branch_id", { branch_id: unknown }],
      ["appointment_type_id", { appointment_type_id: unknown }],
      ["agent_id", { agent_id: "agt_unknown" }],
      ["tries", { tries: 6 }],
    ];
    for (const [field, changes] of wrong) {
      const { status, text } = await ask("POST", "reminders/rules", { agent_id: ward.agentId, ...changes });
      expect([field, status, text.includes(`"field":"${field}"`)]).toEqual([field, 400, true]);
    }
  });

  test("preview how many people they would call tomorrow", async () => {
    await book(MONDAY);
    await book(NEXT_MONDAY);
    await book(NEXT_MONDAY, { contact_number: null });
    const preview = async (body: object) =>
      json<{ tomorrow: object }>(await ask("POST", "reminders/preview", body)).tomorrow;
    // Tomorrow is Monday the 16th; 7 days before the 23rd.
    expect(await preview({ days_before: 7 })).toEqual({ people: 1, without_number: 1 });
    expect(await preview({ days_before: 1 })).toEqual({ people: 0, without_number: 0 });
    expect(await preview({ timing: "hours_before", hours_before: 160 })).toEqual({ people: 1, without_number: 1 });
  });

  test("show the next calls and past results", async () => {
    await ward.rule({ at: "15:00" });
    const { appointment_id } = await book();
    type List = { data: Record<string, unknown>[] };
    const next = json<List>(await ask("GET", "reminders?view=next"));
    expect(next.data).toMatchObject([{ appointment_id, contact_name: "Meera", due_at: "2026-11-15T09:30:00.000Z" }]);
    await ward.change(appointment_id, { status: "cancelled" });
    expect(json<List>(await ask("GET", "reminders?view=next")).data).toEqual([]);
    const past = json<List>(await ask("GET", "reminders?view=past"));
    expect(past.data).toMatchObject([{ state: "cancelled", outcome: "appointment_cancelled" }]);
    await settle();
  });

  test("are applied to more appointments than fit in a batch, each once", async () => {
    const big = await ward.createWindow({ max_slots: 300, session: "Evening" });
    for (let i = 0; i < 205; i++) {
      await ward.book(on(big, NEXT_MONDAY), { contact_number: `+91981001${String(1000 + i)}` });
    }
    const id = await ward.rule({ at: "15:00" });
    await round();
    expect(await ward.rows()).toHaveLength(205);
    expect(new Set(await ward.fates())).toEqual(new Set(["pending"]));
    await ward.changeRule(id, { enabled: false });
    await round();
    expect(new Set(await ward.fates())).toEqual(new Set(["cancelled: rule_off"]));
    const rules = await ward.db.reader.selectFrom("reminder_rules").select("plan_after").execute();
    expect(rules).toEqual([{ plan_after: null }]);
  }, 180_000);
});
