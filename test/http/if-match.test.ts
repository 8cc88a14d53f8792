// ETag and If-Match on every record of the API that a client reads and changes: a change that names an older version
// changes nothing, and one that names none is made as before.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BRANCH, createClinic, MONDAY, on, type Clinic } from "../calendar/clinic.ts";
import { outcome } from "../support/hospital.ts";

interface Changed {
  path: string;
  method: "PATCH" | "PUT";
  /** Three changes of the same field. */
  changes: [object, object, object];
}

const RULE = { branch_id: BRANCH, timing: "day_before" };
let clinic: Clinic;
const records = new Map<string, Changed>();

async function made(collection: string, body: object, id: string): Promise<string> {
  const { status, json, text } = await clinic.request("POST", `/v1/${collection}`, { body });
  if (status !== 201) throw new Error(`POST ${collection} answered ${status}: ${text}`);
  return `/v1/${collection}/${String(json.data[id])}`;
}

const patched = (path: string, ...changes: Changed["changes"]): Changed => ({ path, method: "PATCH", changes });
const named = (path: string) => patched(path, { name: "One" }, { name: "Two" }, { name: "Three" });

beforeAll(async () => {
  clinic = await createClinic({ settings: { RINGWARD_PLANS__BASE__WEBHOOK_ENDPOINTS: "unlimited" } });
  const window = await clinic.createWindow();
  const visit = await clinic.book(on(window, MONDAY), { contact_name: "Asha Rao" });
  const question = { url: "https://rules.example/ask", fails: "open" };
  await clinic.request("PUT", "/v1/call-question", { body: question });
  const endpoint = { url: "https://receiver.example/other", event_types: ["call.completed"] };
  const number = { number: "+15555559999", agent_id: clinic.agentId };
  const all: Record<string, Changed> = {
    agents: named(`/v1/agents/${clinic.agentId}`),
    "phone-numbers": patched(
      await made("phone-numbers", number, "phone_number_id"),
      { concurrent_calls: 2 },
      { concurrent_calls: 3 },
      { concurrent_calls: 4 },
    ),
    appointments: patched(
      `/v1/appointments/${visit.appointment_id}`,
      { notes: "One" },
      { notes: "Two" },
      { notes: "Three" },
    ),
    "appointment-slots": patched(
      `/v1/appointment-slots/${window.calendar_id}`,
      { max_slots: 11 },
      { max_slots: 12 },
      { max_slots: 13 },
    ),
    branches: named(await made("branches", { name: "North" }, "branch_id")),
    services: named(await made("services", { name: "Dialysis" }, "appointment_type_id")),
    "webhook-endpoints": patched(
      await made("webhook-endpoints", endpoint, "endpoint_id"),
      { description: "One" },
      { description: "Two" },
      { description: "Three" },
    ),
    sources: named(await made("sources", { name: "Records", kind: "api" }, "source_id")),
    "reminder-rules": patched(
      await made("reminder-rules", { ...RULE, agent_id: clinic.agentId }, "rule_id"),
      { tries: 1 },
      { tries: 2 },
      { tries: 4 },
    ),
    "call-question": {
      path: "/v1/call-question",
      method: "PUT",
      changes: [
        { ...question, url: "https://rules.example/1" },
        { ...question, url: "https://rules.example/2" },
        { ...question, url: "https://rules.example/3" },
      ],
    },
    trunks: named(await made("trunks", { name: "Main", host: "pbx.example" }, "trunk_id")),
  };
  for (const [name, record] of Object.entries(all)) records.set(name, record);
});
afterAll(() => clinic.close());

/** The collections whose routes declare a version. */
const tagged = () =>
  new Set(
    clinic.app.routes().flatMap((route) => {
      const { hooks } = route as { hooks?: { detail?: Record<string, unknown> } };
      return hooks?.detail?.["x-tagged"] === true ? [route.path.split("/")[2] ?? ""] : [];
    }),
  );

test("every record that can be read and changed alone has a version", () => {
  expect([...tagged()].toSorted()).toEqual([...records.keys()].toSorted());
});

describe.each([
  "agents",
  "phone-numbers",
  "appointments",
  "appointment-slots",
  "branches",
  "services",
  "webhook-endpoints",
  "sources",
  "reminder-rules",
  "call-question",
  "trunks",
])("of %s", (name) => {
  const record = () => records.get(name)!;
  const read = async () => {
    const answer = await clinic.request("GET", record().path);
    return { tag: answer.headers.get("etag") ?? "", data: answer.json.data as object };
  };
  const change = (index: number, tag?: string) => {
    const headers = tag === undefined ? {} : { "if-match": tag };
    return clinic.request(record().method, record().path, { body: record().changes[index], headers });
  };

  test("a change based on the version that was read is made, and one based on an older version is not", async () => {
    const first = await read();
    expect(first.tag).toMatch(/^"[0-9a-f]{16}"$/);
    expect((await read()).tag).toBe(first.tag);
    const answer = await change(0, first.tag);
    const second = await read();
    expect([outcome(answer), answer.headers.get("etag")]).toEqual(["200 ok", second.tag]);
    expect(second.tag).not.toBe(first.tag);
    const stale = await change(1, first.tag);
    expect(outcome(stale)).toBe("412 PRECONDITION_FAILED");
    expect(Object.keys(stale.json.error).toSorted()).toEqual(["code", "message", "request_id"]);
    expect(await read()).toEqual(second);
  });

  test("of two changes at once that are based on the same version, one is made", async () => {
    const { tag } = await read();
    const answers = await Promise.all([change(1, tag), change(2, tag)]);
    expect(answers.map(outcome).toSorted()).toEqual(["200 ok", "412 PRECONDITION_FAILED"]);
  });

  test("a change without a version is made, and so is one of any version", async () => {
    expect(outcome(await change(0))).toBe("200 ok");
    expect(outcome(await change(1, "*"))).toBe("200 ok");
    expect(outcome(await change(2, `"other", ${(await read()).tag}`))).toBe("200 ok");
  });
});
