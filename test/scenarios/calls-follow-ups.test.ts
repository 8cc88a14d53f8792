// Follow-up calls: the callback agreed in the conversation, and the retry of the agent's policy.
import { beforeAll, describe, expect, test } from "bun:test";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { ask } from "../support/api-client.ts";
import { command, newAgent, numberEnding, placeAndFinish, readCall, startQuick, type Call } from "../support/calls.ts";

leaveNothingBehind();

const MINUTE_MS = 60_000;

let server: Running;
beforeAll(async () => {
  server = await startQuick();
});

/** The follow-up of `call`, checked to be linked both ways and to have the same contact. */
async function followUpOf(call: Call): Promise<Call> {
  expect(call.scheduled_call_id).toMatch(/^call_/);
  const next = await readCall(server, call.scheduled_call_id!);
  expect(next).toMatchObject({
    status: "scheduled",
    follows_call_id: call.call_id,
    scheduled_call_id: null,
    agent_id: call.agent_id,
    contact_number: call.contact_number,
    contact_name: call.contact_name,
    contact_email: call.contact_email,
    contact_preferred_language: call.contact_preferred_language,
    additional_info: call.additional_info,
  });
  return next;
}

const minutesAfter = (call: Call, next: Call) =>
  Math.round((Date.parse(next.scheduled_at!) - Date.parse(call.completed_at!)) / MINUTE_MS);

const contact = {
  user_name: "Test Patient",
  user_email: "patient@example.invalid",
  user_preferred_language: "en",
  additional_info: { doctor: "Dr. Example", visit: "annual check-up" },
};

describe("a callback agreed in the conversation", () => {
  test("becomes a new call at the agreed time, linked both ways", async () => {
    const call = await placeAndFinish(server, { ...contact, user_number: numberEnding("0007") });
    expect(call.call_analytics!.disposition).toBe("callback_scheduled");
    // "In half an hour" counts from the sentence, on the call's own clock, to a whole minute.
    expect([30, 31]).toContain(minutesAfter(call, await followUpOf(call)));
  });

  test("can be cancelled like any other call, and survives the deletion of the original call", async () => {
    const call = await placeAndFinish(server, { ...contact, user_number: numberEnding("0007") });
    const next = await followUpOf(call);
    expect((await ask(server, "DELETE", `/v1/calls/${call.call_id}`)).status).toBe(200);
    expect(await readCall(server, next.call_id)).toMatchObject({ status: "scheduled", contact_name: "Test Patient" });
    expect((await ask(server, "POST", `/v1/calls/${next.call_id}/cancel`)).data).toMatchObject({ status: "cancelled" });
  });
});

describe("an agent's retry policy", () => {
  const outcomes = [
    ["0001", "busy"],
    ["0002", "no_answer"],
    ["0005", "voicemail"],
  ] as const;
  test.each(outcomes)(
    "…%s: a new call follows where it names %s, and none where it does not",
    async (digits, outcome) => {
      const others = ["busy", "no_answer", "voicemail"].filter((name) => name !== outcome).join(",");
      const retry = ["--retry-attempts", "2", "--retry-minutes", "45", "--retry-outcomes", others];
      const { agentId } = await newAgent(server, { more: retry });
      const unnamed = await placeAndFinish(server, { agent_id: agentId, user_number: numberEnding(digits) });
      expect(unnamed.scheduled_call_id).toBeNull();

      await command(server, "agents", "update", agentId, "--retry-outcomes", outcome);
      const call = await placeAndFinish(server, { ...contact, agent_id: agentId, user_number: numberEnding(digits) });
      expect(call.status).toBe(outcome === "voicemail" ? "completed" : "failed");
      expect(minutesAfter(call, await followUpOf(call))).toBe(45);
    },
  );

  test("is off by default, and never retries after a real conversation", async () => {
    const plain = await placeAndFinish(server, { user_number: numberEnding("0001") });
    expect(plain.scheduled_call_id).toBeNull();
    const all = ["--retry-attempts", "3", "--retry-outcomes", "busy,no_answer,voicemail,interrupted"];
    const { agentId } = await newAgent(server, { more: all });
    for (const digits of ["0100", "0006", "0009", "0003", "0004"]) {
      const call = await placeAndFinish(server, { agent_id: agentId, user_number: numberEnding(digits) });
      expect([digits, call.scheduled_call_id]).toEqual([digits, null]);
    }
  });
});
