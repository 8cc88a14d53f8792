// The routes behind daily tasks of staff: language, lock, names, and archiving.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { App } from "../../src/compose/app.ts";
import { PASSWORD, signedIn, type Visitor } from "../support/dashboard.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";

let hospital: Hospital;
let app: App;
let owner: Visitor;
beforeAll(async () => {
  hospital = await createHospital();
  ({ app } = hospital);
  owner = await signedIn(app, hospital.organisationId, "owner");
}, 180_000);
afterAll(() => hospital.close());

const ask = (method: string, path: string, body?: unknown) => owner.ask(method, `/dashboard/api/${path}`, body);
const statusOf = async (method: string, path: string, body?: unknown) => (await ask(method, path, body)).status;
const list = async (path: string) => (await ask("GET", path)).json as unknown as Record<string, unknown>[];

describe("the own language", () => {
  test("is stored with the person, and follows the browser until it is chosen", async () => {
    const language = async () =>
      ((await ask("GET", "session")).json as unknown as { person: { language: string | null } }).person.language;
    expect(await language()).toBeNull();
    expect(await statusOf("PUT", "account/language", { language: "hi" })).toBe(200);
    expect(await language()).toBe("hi");
    expect(await statusOf("PUT", "account/language", { language: "Klingon!" })).toBe(400);
    expect(await statusOf("PUT", "account/language", { language: null })).toBe(200);
  }, 180_000);
});

describe("a locked session", () => {
  test("is rejected everywhere until its password is given, and reported by the welcome route", async () => {
    const welcome = async () => (await ask("GET", "welcome")).json as unknown as Record<string, unknown>;
    expect(await statusOf("POST", "lock")).toBe(200);
    expect(await welcome()).toMatchObject({ signed_in: true, locked: true });
    expect(await statusOf("GET", "session")).toBe(403);
    expect(await statusOf("GET", "calls")).toBe(403);
    const wrong = await ask("POST", "unlock", { password: "not the password" });
    expect([wrong.status, wrong.json.error.details?.[0]?.field]).toEqual([400, "password"]);
    expect(await statusOf("GET", "session")).toBe(403);
    expect(await statusOf("POST", "unlock", { password: PASSWORD })).toBe(200);
    expect(await statusOf("GET", "session")).toBe(200);
    expect(await welcome()).toMatchObject({ signed_in: true, locked: false });
  }, 180_000);

  test("locks after a number of minutes that owners choose", async () => {
    expect((await ask("GET", "settings")).json).toMatchObject({ organisation: { idle_lock_minutes: 15 } });
    expect(await statusOf("PUT", "settings/idle-lock", { idle_lock_minutes: 30 })).toBe(200);
    expect(await statusOf("PUT", "settings/idle-lock", { idle_lock_minutes: -1 })).toBe(400);
    expect((await ask("GET", "session")).json).toMatchObject({ organisation: { idle_lock_minutes: 30 } });
  }, 180_000);
});

test("people are renamed and sign in with the new address; one in use is rejected", async () => {
  const person = (email: string) => ({ email, name: "Somebody", role: "viewer", password: PASSWORD });
  await ask("POST", "people", person("first@example.test"));
  await ask("POST", "people", person("second@example.test"));
  const rename = (email: string) => statusOf("PUT", "people/first@example.test/name", { name: "Somebody Else", email });
  expect(await rename("second@example.test")).toBe(409);
  expect(await rename("no address")).toBe(400);
  expect(await rename("third@example.test")).toBe(200);
  expect(await statusOf("POST", "login", { email: "third@example.test", password: PASSWORD })).toBe(200);
  expect(await statusOf("POST", "login", { email: "first@example.test", password: PASSWORD })).toBe(401);
}, 180_000);

describe("records created by mistake", () => {
  test("a number is removed, and can be added again", async () => {
    const number = "+911140009999";
    const numbers = async () => (await list("numbers")).map((row) => row["number"]);
    expect(await statusOf("POST", "numbers", { number })).toBe(200);
    expect(await statusOf("DELETE", `numbers/${encodeURIComponent(number)}`)).toBe(200);
    expect(await numbers()).not.toContain(number);
    expect(await statusOf("DELETE", `numbers/${encodeURIComponent(number)}`)).toBe(404);
    expect(await statusOf("POST", "numbers", { number })).toBe(200);
    expect(await numbers()).toContain(number);
  }, 180_000);

  test("an agent is archived and its numbers are released, but not while it has planned calls", async () => {
    const made = (await ask("POST", "agents", { name: "Mistake" })).json as unknown as { agent_id: string };
    await ask("POST", "numbers", { number: "+911140008888", agent_id: made.agent_id });
    const planned = await hospital.schedule();
    expect(await statusOf("POST", `agents/${hospital.agentId}/archive`)).toBe(409);
    expect(planned).toStartWith("call_");
    expect(await statusOf("POST", `agents/${made.agent_id}/archive`)).toBe(200);
    expect((await list("agents")).map((row) => row["agent_id"])).not.toContain(made.agent_id);
    expect((await list("numbers")).find((row) => row["number"] === "+911140008888")).toMatchObject({ agent_id: null });
    expect(await statusOf("PUT", "numbers/%2B911140008888/agent", { agent_id: made.agent_id })).toBe(404);
  }, 180_000);

  test("an archived agent is listed separately and restored unchanged, without its numbers", async () => {
    const archived = async () => (await list("agents/archived")).map((row) => row["agent_id"]);
    const made = (await ask("POST", "agents", { name: "Missed", greeting: "Good day" })).json as unknown as {
      agent_id: string;
    };
    expect(await archived()).not.toContain(made.agent_id);
    expect(await statusOf("POST", `agents/${made.agent_id}/archive`)).toBe(200);
    expect(await archived()).toContain(made.agent_id);
    expect(await statusOf("POST", `agents/${made.agent_id}/unarchive`)).toBe(200);
    expect(await archived()).not.toContain(made.agent_id);
    const back = (await list("agents")).find((row) => row["agent_id"] === made.agent_id);
    expect(back).toMatchObject({ name: "Missed", greeting: "Good day" });
    expect(await statusOf("POST", "agents/agt_nobody/unarchive")).toBe(404);
  }, 180_000);

  test("a branch is archived, and restored when it is used again; one with open windows stays", async () => {
    const id = "0190a000-0000-7000-8000-00000000abcd";
    const branches = async () =>
      ((await ask("GET", "calendar/configuration")).json as unknown as { branches: { branch_id: string }[] }).branches;
    const isThere = async () => (await branches()).some(({ branch_id }) => branch_id === id);
    await ask("PUT", `calendar/branches/${id}`, { name: "Mistake" });
    expect(await statusOf("POST", `calendar/branches/${id}/archive`)).toBe(200);
    expect(await isThere()).toBeFalse();
    expect(await statusOf("POST", `calendar/branches/${id}/archive`)).toBe(404);
    const window = { branch_id: id, day: "monday", session: "Morning", max_slots: 5, ai_slots: 2 };
    expect(await statusOf("POST", "calendar/windows", window)).toBeLessThan(300);
    expect(await isThere()).toBeTrue();
    expect(await statusOf("POST", `calendar/branches/${id}/archive`)).toBe(409);
  }, 180_000);
});

test("the audit log names people and keys, and is filtered by actor and time", async () => {
  const page = async (query: string) =>
    (await ask("GET", `audit?${query}`)).json as unknown as { data: Record<string, unknown>[] };
  const [entry] = (await page("action=branch.archived")).data;
  expect(entry).toMatchObject({ actor_kind: "person", actor_name: "The owner" });
  const mine = await page(`actor_id=${String(entry?.["actor_id"])}&action=branch.archived`);
  expect(mine.data.length).toBe(1);
  expect((await page("actor_id=per_nobody")).data).toEqual([]);
  expect((await page("to=2001-01-01T00:00:00Z")).data).toEqual([]);
  expect(await statusOf("GET", "audit?from=yesterday")).toBe(400);
  const csv = await ask("GET", "audit/export?action=branch.archived");
  expect(csv.status).toBe(200);
}, 180_000);
