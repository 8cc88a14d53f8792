// Agents and their numbers: validation and separation of organisations.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR, type Actor } from "../../src/core/actor.ts";
import type { AgentInput } from "../../src/agents/checked-agent.ts";
import type { AppError } from "../../src/core/errors.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { rejectionOf } from "../support/temp.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital();
});
afterEach(() => hospital.close());

const agents = () => hospital.app.services.agents;
const create = (input: Partial<AgentInput>) =>
  agents().create(hospital.organisationId, { name: "Ravi", ...input }, CLI_ACTOR);

describe("an agent", () => {
  test("needs a name and nothing else", async () => {
    expect(await create({})).toMatchObject({
      agent_id: expect.stringMatching(/^agt_/),
      type: "outbound",
      name: "Ravi",
      language: "en-IN",
      retry_attempts: 0,
      retry_outcomes: [],
      calling_hours: { start: "09:00", end: "20:00", days: [0, 1, 2, 3, 4, 5, 6] },
      transfer_to: null,
      model_speech: "chosen",
      approved_answers: [],
    });
  });

  test("is returned as given", async () => {
    const input = {
      type: "inbound",
      language: "hi",
      voice: "warm",
      prompt: "Help {{user_name}}.",
      greeting: "Namaste.",
      retry_attempts: 3,
      retry_minutes: 15,
      retry_outcomes: ["busy", "voicemail"],
      calling_hours: { start: "09:00", end: "18:00", days: [1, 2, 3] },
      transfer_to: "sip:100@pbx.hospital.example",
      model_speech: "free",
      approved_answers: [{ question: "Where do I park?", answer: "Behind the house.", language: "en" }],
    };
    const { agent_id } = await create(input);
    expect((await agents().list(hospital.organisationId)).find((agent) => agent.agent_id === agent_id)).toMatchObject(
      input,
    );
  });

  test("whose model may speak freely appears in the audit trail and its versions", async () => {
    const { agent_id } = await create({});
    const change = (model_speech: string) =>
      agents().update(hospital.organisationId, agent_id, { model_speech }, CLI_ACTOR);
    await change("free");
    await change("free");
    await change("chosen");
    const noted = await hospital.db.reader
      .selectFrom("audit_entries")
      .select("detail")
      .where("action", "=", "agent.model_speech_changed")
      .where("subject_id", "=", agent_id)
      .orderBy("id")
      .execute();
    expect(noted.map(({ detail }) => detail)).toEqual(['{"model_speech":"free"}', '{"model_speech":"chosen"}']);
    const versions = await agents().versions(hospital.organisationId, agent_id);
    expect(versions.map(({ changed }) => changed)).toEqual([["model_speech"], ["model_speech"], []]);
  });

  test.each<Actor>([
    { kind: "key", id: "key_1" },
    { kind: "hook", id: null },
    { kind: "person", id: "per_1" },
    { kind: "person", id: "per_1", role: "staff" },
  ])("is not given a model's own words by %j", async (actor) => {
    const input = { name: "Ravi", model_speech: "free" };
    const refusal = await rejectionOf<AppError>(agents().create(hospital.organisationId, input, actor));
    expect(refusal.code).toBe("INSUFFICIENT_SCOPE");
  });

  test.each<[string, Partial<AgentInput>]>([
    ["name", { name: "  " }],
    ["name", { name: "n".repeat(101) }],
    ["type", { type: "both" }],
    ["language", { language: "english please" }],
    ["prompt", { prompt: "p".repeat(32_001) }],
    ["greeting", { greeting: "g".repeat(2_001) }],
    ["retry_attempts", { retry_attempts: 11 }],
    ["retry_attempts", { retry_attempts: 1.5 }],
    ["retry_minutes", { retry_minutes: 0 }],
    ["retry_outcomes", { retry_outcomes: ["completed"] }],
    ["transfer_to", { transfer_to: "0123" }],
    ["transfer_to", { transfer_to: "+19005550100" }],
    ["transfer_to", { transfer_to: "+870773123456" }],
    ["transfer_to", { transfer_to: "sip:+1-900-555-0100@pbx.example" }],
    ["transfer_to", { transfer_to: "sip:%2B19005550100;phone-context=x@pbx.example" }],
    ["transfer_to", { transfer_to: "sips:18765550100@pbx.example" }],
    ["transfer_to", { transfer_to: "1234567" }],
    ["transfer_to", { transfer_to: "+0221234" }],
    ["transfer_to", { transfer_to: "pbx.example" }],
    ["transfer_to", { transfer_to: "sip:pbx.example" }],
    ["transfer_to", { transfer_to: "sip:100@pbx.example?Replaces=x" }],
    ["transfer_to", { transfer_to: "sip:100@pbx.example>\r\nVia: x" }],
    ["transfer_to", { transfer_to: "sip:1\u00000@pbx.example" }],
    ["transfer_to", { transfer_to: `sip:${"1".repeat(190)}@pbx.example` }],
    ["model_speech", { model_speech: "loud" }],
    ["approved_answers", { approved_answers: [{ question: " ", answer: "Yes.", language: "" }] }],
    ["calling_hours", { calling_hours: { start: "18:00", end: "09:00", days: [1] } }],
  ])("with a wrong %s is refused", async (field, input) => {
    const refusal = await rejectionOf<AppError>(create(input));
    expect([refusal.code, refusal.details[0]?.field]).toEqual(["VALIDATION_ERROR", field]);
  });

  test.each<[string | null, string | null]>([
    ["+912212345678", "+912212345678"],
    [" sips:reception@[2001:db8::1]:5061;transport=tls ", "sips:reception@[2001:db8::1]:5061;transport=tls"],
    ["", null],
    [null, null],
  ])("sends callers on to %j", async (transfer_to, kept) => {
    expect((await create({ transfer_to })).transfer_to).toBe(kept);
  });

  test("with a target from before the rule can be changed in other fields", async () => {
    const { agent_id } = await create({});
    await hospital.db.write(async (tx) => {
      await tx.updateTable("agents").set({ transfer_to: "+19005550100" }).where("id", "=", agent_id).execute();
    });
    const change = (input: Partial<AgentInput>) => agents().update(hospital.organisationId, agent_id, input, CLI_ACTOR);
    expect(await change({ greeting: "Namaste." })).toMatchObject({ greeting: "Namaste." });
    expect((await rejectionOf<AppError>(change({ transfer_to: "+19765550100" }))).details[0]?.field).toBe(
      "transfer_to",
    );
  });

  test("is changed field by field", async () => {
    const { agent_id } = await create({ greeting: "Hello.", retry_attempts: 2, retry_outcomes: ["busy"] });
    const changed = await agents().update(hospital.organisationId, agent_id, { greeting: "Namaste." }, CLI_ACTOR);
    expect(changed).toMatchObject({ name: "Ravi", greeting: "Namaste.", retry_attempts: 2, retry_outcomes: ["busy"] });
  });

  test("of another organisation does not exist here", async () => {
    const other = await hospital.neighbour();
    const change = agents().update(hospital.organisationId, other.agentId, { name: "Mine" }, CLI_ACTOR);
    expect((await rejectionOf<AppError>(change)).code).toBe("NOT_FOUND");
    expect((await agents().list(hospital.organisationId)).map(({ agent_id }) => agent_id)).toEqual([hospital.agentId]);
  });
});

describe("a phone number", () => {
  const add = (number: string, more: { agentId?: string; concurrentCalls?: number } = {}) =>
    agents().addNumber(hospital.organisationId, { number, ...more }, CLI_ACTOR);

  test("belongs to one organisation, once", async () => {
    await add("+15555550177");
    expect((await rejectionOf<AppError>(add("+15555550177"))).code).toBe("CONFLICT");
    const other = await hospital.neighbour();
    const again = agents().addNumber(other.organisationId, { number: "+15555550177" }, CLI_ACTOR);
    expect((await rejectionOf<AppError>(again)).code).toBe("CONFLICT");
  });

  test("must be dialable, with 1 to 10,000 lines", async () => {
    expect((await rejectionOf<AppError>(add("12"))).code).toBe("INVALID_PHONE_NUMBER");
    for (const concurrentCalls of [0, -1, 1.5, 10_001]) {
      expect((await rejectionOf<AppError>(add("+15555550177", { concurrentCalls }))).details[0]?.field).toBe(
        "concurrent_calls",
      );
    }
  });

  test("cannot be assigned to or taken from another organisation's agent", async () => {
    const other = await hospital.neighbour();
    expect((await rejectionOf<AppError>(add("+15555550177", { agentId: other.agentId }))).code).toBe("NOT_FOUND");
    const theirs = (await agents().listNumbers(other.organisationId))[0]!.number;
    const taking = agents().assignNumber(hospital.organisationId, theirs, hospital.agentId, CLI_ACTOR);
    expect((await rejectionOf<AppError>(taking)).code).toBe("NOT_FOUND");
  });

  test("is on its trunk, and calls waiting for one are re-evaluated", async () => {
    const { trunks } = hospital.app.services;
    const { trunk_id } = await trunks.create(hospital.organisationId, { name: "Main", host: "pbx.example" }, CLI_ACTOR);
    const onTrunk = await agents().addNumber(
      hospital.organisationId,
      { number: "+15555550177", trunkId: trunk_id },
      CLI_ACTOR,
    );
    expect(onTrunk.trunk_id).toBe(trunk_id);
    const callId = await hospital.schedule();
    await hospital.db.write((tx) =>
      tx
        .updateTable("calls")
        .set({ state: "queued", hold_reason: "number_has_no_trunk", next_at: hospital.clock.now() + 60_000 })
        .where("id", "=", callId)
        .execute(),
    );
    const [first] = await agents().listNumbers(hospital.organisationId);
    await agents().setTrunk(hospital.organisationId, first!.number, trunk_id, CLI_ACTOR);
    expect((await hospital.row(callId)).next_at).toBe(hospital.clock.now());
    await agents().setTrunk(hospital.organisationId, "+15555550177", null, CLI_ACTOR);
    expect((await agents().listNumbers(hospital.organisationId)).map((number) => number.trunk_id)).toEqual([
      trunk_id,
      null,
    ]);
    expect(await hospital.actionsOnRecord()).toContain("phone_number.trunk_changed");
  });

  test("cannot be put on or taken from another organisation's trunk", async () => {
    const other = await hospital.neighbour();
    const { trunks } = hospital.app.services;
    const { trunk_id } = await trunks.create(other.organisationId, { name: "Main", host: "pbx.example" }, CLI_ACTOR);
    const adding = agents().addNumber(
      hospital.organisationId,
      { number: "+15555550177", trunkId: trunk_id },
      CLI_ACTOR,
    );
    expect((await rejectionOf<AppError>(adding)).code).toBe("NOT_FOUND");
    await add("+15555550177");
    const putting = agents().setTrunk(hospital.organisationId, "+15555550177", trunk_id, CLI_ACTOR);
    expect((await rejectionOf<AppError>(putting)).code).toBe("NOT_FOUND");
    const theirs = (await agents().listNumbers(other.organisationId))[0]!.number;
    const taking = agents().setTrunk(hospital.organisationId, theirs, null, CLI_ACTOR);
    expect((await rejectionOf<AppError>(taking)).code).toBe("NOT_FOUND");
  });
});
