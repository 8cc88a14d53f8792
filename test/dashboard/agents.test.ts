// The routes behind the Agents page, and the page's parsing of placeholders.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  bodyOf,
  reasonOf,
  EMPTY_FORM,
  formOf,
  piecesOf,
  placeholdersOf,
  type Agent,
} from "../../src/web/pages/agents/agent-form.ts";
import { renderTemplate } from "../../src/agents/template.ts";
import { signedInHospital, type SignedInHospital } from "./signed-in.ts";

let inside: SignedInHospital;
beforeAll(async () => {
  inside = await signedInHospital();
});
afterAll(() => inside.hospital.close());

interface ShownNumber {
  number: string;
  agent_id: string | null;
  concurrent_calls: number;
}
const numbers = async () => (await inside.ask("viewer", "GET", "numbers")).json as unknown as ShownNumber[];
const agents = async () => (await inside.ask("viewer", "GET", "agents")).json as unknown as Agent[];

describe("an agent", () => {
  test("round-trips through the server and the form", async () => {
    const form = {
      ...EMPTY_FORM,
      name: "Meera",
      retryAttempts: "2",
      retryOutcomes: ["busy", "voicemail"],
      hasHours: true,
      days: [5, 1],
      greeting: "Hello {{user_name}}",
    };
    const { status, json } = await inside.ask("staff", "POST", "agents", bodyOf(form));
    expect(status).toBe(200);
    const stored = (await agents()).find(({ name }) => name === "Meera")!;
    expect(stored as unknown).toEqual(json as unknown);
    expect(formOf(stored)).toEqual({ ...form, days: [1, 5] });
  });

  test("loses its calling hours when they are switched off", async () => {
    const { agent_id, ...rest } = (await agents()).find(({ name }) => name === "Meera")!;
    await inside.ask(
      "staff",
      "PATCH",
      `agents/${agent_id}`,
      bodyOf({ ...formOf({ agent_id, ...rest }), hasHours: false }),
    );
    expect((await agents()).find((agent) => agent.agent_id === agent_id)!.calling_hours).toBeNull();
  });

  test("announces its reason openly only if an editor enables it, and its versions record it", async () => {
    const made = (await inside.ask("staff", "POST", "agents", { name: "Ira" })).json as unknown as Agent;
    expect(made.open_announcements).toBe(false);
    const path = `agents/${made.agent_id}`;
    const change = { open_announcements: true };
    expect((await inside.ask("viewer", "PATCH", path, change)).status).toBe(403);
    expect((await inside.ask("staff", "PATCH", path, { open_announcements: "yes" })).status).toBe(400);
    expect((await inside.ask("staff", "PATCH", path, change)).json).toMatchObject(change);
    const versions = JSON.stringify((await inside.ask("viewer", "GET", `${path}/versions`)).json);
    expect(versions).toContain("open_announcements");
    await inside.ask("staff", "POST", `${path}/versions/1/restore`);
    expect((await agents()).find(({ agent_id }) => agent_id === made.agent_id)?.open_announcements).toBe(false);
  });

  test("is a service agent until an editor names another purpose, and its versions record it", async () => {
    const made = (await inside.ask("staff", "POST", "agents", { name: "Uma" })).json as unknown as Agent;
    expect(made).toMatchObject({ purpose: "service", dlt_entity_id: null, dlt_template_id: null });
    const path = `agents/${made.agent_id}`;
    const change = {
      purpose: "promotional",
      dlt_entity_id: "1201159012345678901",
      dlt_template_id: "1207161234567890123",
    };
    expect((await inside.ask("viewer", "PATCH", path, change)).status).toBe(403);
    expect((await inside.ask("staff", "PATCH", path, change)).json).toMatchObject(change);
    for (const wrong of [{ purpose: "marketing" }, { dlt_entity_id: "12a45" }, { dlt_template_id: "1".repeat(31) }]) {
      const { status, json } = await inside.ask("staff", "PATCH", path, wrong);
      expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining(Object.keys(wrong)[0]!)]);
    }
    const back = { purpose: "service", purpose_reason: "It only reminds of visits now." };
    expect((await inside.ask("staff", "PATCH", path, back)).status).toBe(403);
    expect((await inside.ask("staff", "POST", `${path}/versions/1/restore`)).status).toBe(403);
    for (const purpose_reason of [undefined, "too short", "x".repeat(501)]) {
      const { status, json } = await inside.ask("owner", "PATCH", path, { ...back, purpose_reason });
      expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining("purpose_reason")]);
    }
    expect((await inside.ask("owner", "POST", `${path}/versions/1/restore`)).status).toBe(400);
    expect((await inside.ask("owner", "PATCH", path, back)).json).toMatchObject({ purpose: "service" });
    const versions = (await inside.ask("viewer", "GET", `${path}/versions`)).json as unknown as { changed: string[] }[];
    expect(versions.map(({ changed }) => changed)).toEqual([["purpose"], Object.keys(change), []]);
    const shown = (await inside.ask("viewer", "GET", `${path}/versions/3`)).json;
    expect(JSON.stringify(shown)).toContain('"before":"promotional","after":"service"');
  });

  test("sends a reason from the form only if it stops being promotional", async () => {
    const made = (await inside.ask("staff", "POST", "agents", { name: "Eva", purpose: "promotional" })).json;
    const stored = made as unknown as Agent;
    const form = { ...formOf(stored), purposeReason: " It only reminds of visits now. " };
    expect(reasonOf(stored, form)).toEqual({});
    const reason = reasonOf(stored, { ...form, purpose: "service" });
    expect(reason).toEqual({ purpose_reason: "It only reminds of visits now." });
    const change = { ...bodyOf(form), purpose: "service", ...reason };
    const { json } = await inside.ask("owner", "PATCH", `agents/${stored.agent_id}`, change);
    expect(json).toMatchObject({ purpose: "service" });
  });

  test("has a recording mode of its own where an editor sets one, and its versions record it", async () => {
    const made = (await inside.ask("staff", "POST", "agents", { name: "Ila" })).json as unknown as Agent;
    expect(made).toMatchObject({ recording_mode: null });
    const path = `agents/${made.agent_id}`;
    const form = formOf({ ...made, recording_mode: "ask" });
    expect(bodyOf(form).recording_mode).toBe("ask");
    expect(bodyOf({ ...form, recordingMode: "" }).recording_mode).toBeNull();
    expect((await inside.ask("viewer", "PATCH", path, { recording_mode: "off" })).status).toBe(403);
    expect((await inside.ask("staff", "PATCH", path, { recording_mode: "off" })).json).toMatchObject({
      recording_mode: "off",
    });
    expect((await inside.ask("staff", "PATCH", path, { recording_mode: "loud" })).status).toBe(400);
    const versions = (await inside.ask("viewer", "GET", `${path}/versions`)).json as unknown as { changed: string[] }[];
    expect(versions.map(({ changed }) => changed)).toEqual([["recording_mode"], []]);
  });

  test("asks for consent to further calls where an editor says so", async () => {
    const made = (await inside.ask("staff", "POST", "agents", { name: "Uma" })).json as unknown as Agent;
    expect(made).toMatchObject({ asks_consent_for: null });
    const path = `agents/${made.agent_id}`;
    const form = formOf({ ...made, asks_consent_for: "promotional" });
    expect(bodyOf(form).asks_consent_for).toBe("promotional");
    expect(bodyOf({ ...form, asksConsentFor: "" }).asks_consent_for).toBeNull();
    const change = { asks_consent_for: "service" };
    expect((await inside.ask("viewer", "PATCH", path, change)).status).toBe(403);
    expect((await inside.ask("staff", "PATCH", path, change)).json).toMatchObject(change);
    expect((await inside.ask("staff", "PATCH", path, { asks_consent_for: "anything" })).status).toBe(400);
    const versions = (await inside.ask("viewer", "GET", `${path}/versions`)).json as unknown as { changed: string[] }[];
    expect(versions.map(({ changed }) => changed)).toEqual([["asks_consent_for"], []]);
  });

  test("uses a model's free speech only if an owner enables it; any editor can disable it", async () => {
    const free = { model_speech: "free" };
    const body = { ...bodyOf({ ...EMPTY_FORM, name: "Tara" }), ...free };
    for (const role of ["viewer", "staff"] as const) {
      expect((await inside.ask(role, "POST", "agents", body)).status).toBe(403);
    }
    expect((await agents()).filter(({ name }) => name === "Tara")).toEqual([]);

    const made = (await inside.ask("owner", "POST", "agents", body)).json as unknown as Agent;
    const path = `agents/${made.agent_id}`;
    expect(made.model_speech).toBe("free");
    // An existing value can stay beside another change.
    expect((await inside.ask("staff", "PATCH", path, { ...free, greeting: "Hello." })).status).toBe(200);
    expect((await inside.ask("staff", "PATCH", path, { model_speech: "chosen" })).status).toBe(200);
    const refused = await inside.ask("staff", "PATCH", path, free);
    expect([refused.status, refused.json["error"]]).toMatchObject([
      403,
      { code: "INSUFFICIENT_SCOPE", message: expect.stringContaining("Only an owner") },
    ]);
    // Restoring an earlier version does not bypass it.
    expect((await inside.ask("staff", "POST", `${path}/versions/1/restore`)).status).toBe(403);
    expect((await agents()).find(({ agent_id }) => agent_id === made.agent_id)?.model_speech).toBe("chosen");
    expect((await inside.ask("owner", "POST", `${path}/versions/1/restore`)).status).toBe(200);
    expect((await agents()).find(({ agent_id }) => agent_id === made.agent_id)?.model_speech).toBe("free");
    const noted = await inside.hospital.db.reader
      .selectFrom("audit_entries")
      .select(["actor_id", "detail"])
      .where("action", "=", "agent.model_speech_changed")
      .where("subject_id", "=", made.agent_id)
      .orderBy("id")
      .execute();
    expect(noted.map(({ detail }) => detail)).toEqual([
      '{"model_speech":"free"}',
      '{"model_speech":"chosen"}',
      '{"model_speech":"free"}',
    ]);
    expect(new Set(noted.map(({ actor_id }) => actor_id)).size).toBe(2);
  });

  test("cannot be created or changed by a viewer", async () => {
    const before = await agents();
    expect((await inside.ask("viewer", "POST", "agents", bodyOf({ ...EMPTY_FORM, name: "No" }))).status).toBe(403);
    expect((await inside.ask("viewer", "PATCH", `agents/${before[0]!.agent_id}`, { name: "No" })).status).toBe(403);
    expect(await agents()).toEqual(before);
  });
});

test("numbers of India's 140 and 1600 series can be registered", async () => {
  for (const number of ["+911409876543", "+911600123456"]) {
    expect((await inside.ask("owner", "POST", "numbers", { number })).status).toBe(200);
    expect((await numbers()).some((known) => known.number === number)).toBe(true);
  }
});

describe("the lines of a number", () => {
  const path = (number: string) => `numbers/${encodeURIComponent(number)}/lines`;

  test("are changed by an owner only, and audited", async () => {
    const [{ number, concurrent_calls }] = (await numbers()) as [ShownNumber];
    expect((await inside.ask("staff", "PUT", path(number), { concurrent_calls: 3 })).status).toBe(403);
    expect((await numbers())[0]!.concurrent_calls).toBe(concurrent_calls);
    expect((await inside.ask("owner", "PUT", path(number), { concurrent_calls: 3 })).status).toBe(200);
    expect((await numbers())[0]!.concurrent_calls).toBe(3);
    expect(await inside.hospital.actionsOnRecord()).toContain("phone_number.lines_changed");
  });

  test.each([0, 10_001])("are never %p", async (concurrent_calls) => {
    const [{ number }] = (await numbers()) as [ShownNumber];
    const { status, json } = await inside.ask("owner", "PUT", path(number), { concurrent_calls });
    expect([status, json.error.details?.[0]?.field]).toEqual([400, "concurrent_calls"]);
  });

  test("of another organisation are not accessible", async () => {
    await inside.hospital.neighbour();
    const theirs = await inside.hospital.db.reader
      .selectFrom("phone_numbers")
      .selectAll()
      .where("organisation_id", "!=", inside.hospital.organisationId)
      .executeTakeFirstOrThrow();
    expect((await inside.ask("owner", "PUT", path(theirs.number), { concurrent_calls: 1 })).status).toBe(404);
  });
});

describe("placeholders", () => {
  const template = "Hello {{user_name}}, {{ visit }} with {{doctor}} and {{doctor}}.";

  test("are listed once each, as the server lists missing ones", () => {
    expect(placeholdersOf(template)).toEqual(renderTemplate(template, {}).missing);
    expect(placeholdersOf(template)).toEqual(["user_name", "visit", "doctor"]);
  });

  test("are split from the text without losing a character", () => {
    const pieces = piecesOf(template);
    expect(pieces.map(({ text }) => text).join("")).toBe(template);
    expect(pieces.filter(({ isPlaceholder }) => isPlaceholder).map(({ text }) => text)).toEqual([
      "{{user_name}}",
      "{{ visit }}",
      "{{doctor}}",
      "{{doctor}}",
    ]);
    expect(piecesOf("")).toEqual([]);
  });
});
