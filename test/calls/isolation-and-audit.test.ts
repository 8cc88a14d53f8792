// Isolation of organisations, and an audit trail without personal data.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHospital, CONTACT_NUMBER, type Hospital } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

let hospital: Hospital;
let strangerKey: string;
beforeEach(async () => {
  hospital = await createHospital({ logged: true });
  await hospital.app.start();
  strangerKey = (await hospital.neighbour()).key;
});
afterEach(() => hospital.close());

const withoutId = (text: string) => text.replace(/req_\w+/, "req_…");

describe("another organisation's call", () => {
  test.each([
    ["GET", ""],
    ["POST", "/cancel"],
    ["DELETE", ""],
  ])("%s %s is answered exactly like an unknown one", async (method, path) => {
    const scheduled = await hospital.schedule();
    const completed = await hospital.dial({ user_number: "+919810000001" });
    hospital.carrier.talk(completed);
    await settle();
    const unknown = await hospital.request(method, `/v1/calls/call_unknown${path}`, { key: strangerKey });
    expect(unknown.status).toBe(404);
    for (const id of [scheduled, completed]) {
      const answer = await hospital.request(method, `/v1/calls/${id}${path}`, { key: strangerKey });
      expect([answer.status, withoutId(answer.text)]).toEqual([404, withoutId(unknown.text)]);
    }
    expect((await hospital.row(completed)).state).toBe("completed");
    expect((await hospital.row(scheduled)).state).not.toBe("cancelled");
  });

  test("is in no list, filtered or not", async () => {
    await hospital.schedule();
    for (const query of [
      "",
      `?agent_id=${hospital.agentId}`,
      `?contact_number=${encodeURIComponent(CONTACT_NUMBER)}`,
      "?status=scheduled",
    ]) {
      const answer = await hospital.request("GET", `/v1/calls${query}`, { key: strangerKey });
      expect(answer.json as object).toEqual({ data: [], next_cursor: null });
    }
  });

  test("does not come through a cursor of that organisation", async () => {
    for (let i = 0; i < 3; i++) await hospital.schedule();
    const own = await hospital.request("GET", "/v1/calls?limit=1");
    const answer = await hospital.request("GET", `/v1/calls?cursor=${String(own.json["next_cursor"])}`, {
      key: strangerKey,
    });
    expect(answer.json as object).toEqual({ data: [], next_cursor: null });
  });
});

describe("the audit trail", () => {
  test("records create, read, list, cancel and delete, each with its actor", async () => {
    const id = await hospital.dial({
      user_name: "Meera Iyer",
      user_email: "meera@example.org",
      additional_info: { visit: "cardiology" },
    });
    hospital.carrier.talk(id);
    await settle();
    await hospital.view(id);
    await hospital.request("GET", "/v1/calls");
    // Reads are recorded a moment later, in a batch.
    await hospital.clock.advance(200);
    const other = await hospital.schedule({ user_number: "+15555550100", user_name: "Ravi" });
    await hospital.request("POST", `/v1/calls/${other}/cancel`);
    await hospital.request("DELETE", `/v1/calls/${id}`);
    await settle();
    const entries = await hospital.db.reader
      .selectFrom("audit_entries")
      .selectAll()
      .where("action", "like", "call.%")
      .orderBy("at")
      .execute();
    const seen = entries.map(
      ({ action, subject_id }) =>
        `${action} ${subject_id === id ? "first" : subject_id === other ? "other" : String(subject_id)}`,
    );
    expect(seen.toSorted()).toEqual(
      [
        "call.created first",
        "call.read first",
        "call.listed null",
        "call.created other",
        "call.cancelled other",
        "call.erased first",
      ].toSorted(),
    );
    for (const entry of entries) {
      expect(entry.actor_kind).toBe("key");
      expect(entry.actor_id).toMatch(/^key_/);
      expect(entry.request_id).toMatch(/^req_/);
    }
  });

  test("contains no personal data, and neither does the log", async () => {
    const words = [
      "Meera Iyer",
      "meera@example.org",
      "cardiology",
      CONTACT_NUMBER,
      CONTACT_NUMBER.slice(1),
      "Good morning to you",
    ];
    const id = await hospital.dial({
      user_name: "Meera Iyer",
      user_email: "meera@example.org",
      additional_info: { visit: "cardiology" },
    });
    hospital.carrier.talk(id);
    await settle();
    await hospital.view(id);
    await hospital.request("GET", `/v1/calls?contact_number=${encodeURIComponent(CONTACT_NUMBER)}`);
    await hospital.post({ user_name: 3, user_email: "meera@example.org" });
    await hospital.request("DELETE", `/v1/calls/${id}`);
    await settle();
    const trail = JSON.stringify(await hospital.db.reader.selectFrom("audit_entries").selectAll().execute());
    const log = hospital.logLines.join("\n");
    expect(log).toContain("/v1/calls");
    for (const word of words) {
      expect(trail).not.toContain(word);
      expect(log).not.toContain(word);
    }
  });
});
