// The life of a call on the simulator, as an integrator sees it.
import { beforeAll, describe, expect, test } from "bun:test";
import { ask, createCall, expectError } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import {
  command,
  dialled,
  finished,
  newAgent,
  numberEnding,
  place,
  placeAndFinish,
  readCall,
  startQuick,
  talkative,
  type Call,
} from "../support/calls.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

let server: Running;
/** An agent without a calendar: it converses and books nothing. */
let agent: string;
beforeAll(async () => {
  server = await startQuick();
  const greeting = "Hello {{user_name}}. This is about your visit: {{visit}} with {{doctor}}.";
  agent = (await newAgent(server, { name: "Asha" })).agentId;
  await command(server, "agents", "update", agent, "--greeting", greeting);
});

const WAITING = ["scheduled", "queued"];

describe("the life of a call", () => {
  test("is created scheduled, and GET shows every state in order; a call in progress cannot be cancelled or deleted", async () => {
    const slow = await startQuick({
      RINGWARD_CALLS__DEFAULT_DELAY_SECONDS: "1",
      RINGWARD_TELEPHONY__SIMULATOR__SPEED: "4",
    });
    const number = numberEnding("0009");
    const askedAt = Date.now();
    const created = await ask(slow, "POST", "/v1/calls", {
      body: { agent_id: slow.demo["agent_id"], user_number: number },
    });
    expect(created.status).toBe(201);
    expect(created.data).toEqual({
      call_id: expect.stringMatching(/^call_\w{20,}$/),
      status: "scheduled",
      scheduled_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(Date.parse(String(created.data["scheduled_at"]))).toBeWithin(askedAt + 1_000, Date.now() + 1_001);

    const id = String(created.data["call_id"]);
    const seen: Call[] = [];
    const isOver = async () => {
      const call = await readCall(slow, id);
      if (call.status !== seen.at(-1)?.status) {
        seen.push(call);
        if (!WAITING.includes(call.status)) {
          expectError(await ask(slow, "POST", `/v1/calls/${id}/cancel`), 409, "CALL_NOT_CANCELLABLE");
        }
        if (call.status !== "completed") expectError(await ask(slow, "DELETE", `/v1/calls/${id}`), 404, "NOT_FOUND");
      }
      return call.status === "completed";
    };
    await until(isOver, { withinMs: 60_000, what: () => `seen so far: ${seen.map(({ status }) => status).join(" ")}` });

    const states = seen.map(({ status }) => status).filter((status) => status !== "queued");
    expect(states).toEqual(["scheduled", "initiated", "ringing", "in_progress", "completed"]);
    const [scheduled, initiated, , talking, completed] = seen.filter(({ status }) => status !== "queued");
    expect(scheduled).toMatchObject({ call_triggered_at: null, completed_at: null, error: null, call_recording: null });
    expect(scheduled!.next_attempt_at).toBe(scheduled!.scheduled_at);
    expect(initiated).toMatchObject({ next_attempt_at: null, hold_reason: null, completed_at: null });
    expect(initiated!.call_triggered_at).not.toBeNull();
    expect(talking).toMatchObject({ call_transcript: null, call_recording: null, call_analytics: null });
    expect(completed!.completed_at! > completed!.call_triggered_at!).toBe(true);
    expect(completed!.updated_at >= completed!.completed_at!).toBe(true);
    await slow.kill();
  });

  test("ends completed with transcript, recording, analysis and charge", async () => {
    const number = talkative();
    const call = await placeAndFinish(server, {
      agent_id: agent,
      user_number: number,
      user_name: "Test Patient",
      user_email: "patient@example.invalid",
      additional_info: { doctor: "Dr. Example", visit: "annual check-up", token_no: 7, nested: { list: [1, null] } },
    });
    expect(call).toMatchObject({
      status: "completed",
      call_direction: "outbound",
      call_to: number,
      call_from: null,
      agent_id: agent,
      agent_name: "Asha",
      contact_number: number,
      contact_name: "Test Patient",
      contact_email: "patient@example.invalid",
      contact_preferred_language: null,
      additional_info: { doctor: "Dr. Example", visit: "annual check-up", token_no: 7, nested: { list: [1, null] } },
      extracted_details: {
        answer: "acknowledged",
        answered_by: "voice",
        voice_turns: 2,
        keypad_turns: 0,
        spoke_with_contact: true,
        keys: "",
      },
      error: null,
      cancelled_at: null,
      hold_reason: null,
      next_attempt_at: null,
      missing_placeholders: [],
      scheduled_call_id: null,
      follows_call_id: null,
    });
    expect(call.call_analytics).toEqual({
      summary: "Asha called the contact. The contact heard the message.",
      sentiment: "neutral",
      next_steps: "None.",
      disposition: "session_ended",
    });
    const transcript = call.call_transcript!;
    expect(transcript.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
      "agent: Hello, this is the automatic assistant of Demo Hospital.",
      "agent: May we record this call?",
      "user: Yes.",
      "agent: Thank you. This call is recorded.",
      "agent: Hello Test Patient. This is about your visit: annual check-up with Dr. Example.",
      "agent: Am I speaking with Test Patient?",
      "user: Yes, speaking.",
      "agent: Thank you. That is all.",
      expect.stringMatching(
        /^agent: You can call us on plus one, five five five, [a-z]+( [a-z]+){2}, [a-z]+( [a-z]+){3}\.$/,
      ),
      "agent: To stop these calls, say stop calling, or press 9.",
      "agent: Thank you. Goodbye.",
    ]);
    const times = transcript.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(call.call_duration_seconds!).toBeGreaterThan(times.at(-1)!);
    expect(call.credits_consumed).toBe(Math.ceil(call.call_duration_seconds! / 60));
    expect(Object.keys(call).filter((field) => field.startsWith("user_"))).toEqual([]);
  });

  test("a scheduled_time with an offset is kept as UTC, and the call waits for it", async () => {
    const inTwoHours = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 2 * 3_600_000);
    const indian = new Date(inTwoHours.getTime() + 5.5 * 3_600_000).toISOString().replace(/\.000Z$/, "+05:30");
    const id = await createCall(server, { scheduled_time: indian });
    expect(await readCall(server, id)).toMatchObject({ status: "scheduled", scheduled_at: inTwoHours.toISOString() });
  });

  test("a call scheduled for a moment from now is dialled then and not before", async () => {
    const at = new Date(Date.now() + 3_000);
    const id = await createCall(server, { scheduled_time: at.toISOString(), user_number: talkative() });
    expect((await readCall(server, id)).status).toBe("scheduled");
    const call = await finished(server, id);
    const lateMs = Date.parse(call.call_triggered_at!) - at.getTime();
    expect(lateMs).toBeGreaterThanOrEqual(0);
    // A timer wakes the dispatcher; polling would take up to 30 s.
    expect(lateMs).toBeLessThan(15_000);
  });

  test("a scheduled call is cancelled once; repeats return the first time, and it is never dialled", async () => {
    const at = new Date(Date.now() + 3_000);
    const id = await createCall(server, { scheduled_time: at.toISOString(), user_number: talkative() });
    const first = await ask(server, "POST", `/v1/calls/${id}/cancel`);
    expect(first.status).toBe(200);
    expect(first.data).toEqual({ call_id: id, status: "cancelled", cancelled_at: expect.any(String) });
    const again = await ask(server, "POST", `/v1/calls/${id}/cancel`);
    expect({ status: again.status, data: again.data }).toEqual({ status: 200, data: first.data });

    // A call due after the cancelled one has ended, so the cancelled one would have been dialled by now.
    await finished(
      server,
      await createCall(server, {
        scheduled_time: new Date(at.getTime() + 100).toISOString(),
        user_number: talkative(),
      }),
    );
    const call = await readCall(server, id);
    expect(call).toMatchObject({
      status: "cancelled",
      cancelled_at: first.data["cancelled_at"],
      call_triggered_at: null,
    });
    expect(dialled(server.output())).not.toContain(id);
    expectError(await ask(server, "DELETE", `/v1/calls/${id}`), 404, "NOT_FOUND");
  });
});

describe("outcomes selected by the last four digits", () => {
  const failures = [
    ["0001", "busy"],
    ["0002", "no_answer"],
    ["0003", "invalid_number"],
    ["0004", "carrier_error"],
  ] as const;
  test.each(failures)(
    "…%s fails as %s: no duration, no credits, no media, and it cannot be deleted",
    async (digits, code) => {
      const call = await placeAndFinish(server, { user_number: numberEnding(digits) });
      expect(call).toMatchObject({
        status: "failed",
        error: { code, message: expect.stringMatching(/\S/) },
        call_duration_seconds: 0,
        credits_consumed: null,
        call_recording: null,
        call_transcript: null,
        call_analytics: null,
        extracted_details: null,
        scheduled_call_id: null,
      });
      expect(call.call_triggered_at).not.toBeNull();
      expect(call.completed_at).not.toBeNull();
      expectError(await ask(server, "DELETE", `/v1/calls/${call.call_id}`), 404, "NOT_FOUND");
      expectError(await ask(server, "POST", `/v1/calls/${call.call_id}/cancel`), 409, "CALL_NOT_CANCELLABLE");
    },
  );

  const conversations = [
    ["0005", "voicemail"],
    ["0006", "not_interested"],
    ["0007", "callback_scheduled"],
    ["0008", "transferred"],
    ["0009", "ended_by_customer"],
    ["0010", "session_ended"],
    ["0011", "not_interested"],
    ["4321", "session_ended"],
  ] as const;
  test.each(conversations)("…%s completes with the disposition %s", async (digits, disposition) => {
    const call = await placeAndFinish(server, {
      agent_id: agent,
      user_number: numberEnding(digits),
      user_name: "Somebody",
    });
    expect(call).toMatchObject({ status: "completed", error: null, call_analytics: { disposition } });
    expect(["positive", "neutral", "negative"]).toContain(call.call_analytics!.sentiment);
    expect(call.call_transcript!.length).toBeGreaterThan(0);
    expect(call.call_duration_seconds!).toBeGreaterThan(0);
    expect(call.credits_consumed).toBe(Math.ceil(call.call_duration_seconds! / 60));
    // The state of the number is unknown, so the callee is asked: a machine and an early hang-up give no yes.
    const isAgreed = !["0005", "0009"].includes(digits);
    expect(call.call_recording ?? "none").toContain(isAgreed ? `/media/${call.call_id}/recording.wav?` : "none");
    expect(call.scheduled_call_id === null).toBe(disposition !== "callback_scheduled");
  });

  test("a voicemail is not told the reason for the call", async () => {
    const call = await placeAndFinish(server, {
      user_number: numberEnding("0005"),
      additional_info: { visit: "fertility clinic", doctor: "Dr. Example" },
    });
    expect(call.call_transcript!.map(({ text }) => text).join(" ")).not.toContain("fertility clinic");
  });
});

describe("what the agent says", () => {
  test("placeholders without a value render empty and are listed", async () => {
    const call = await placeAndFinish(server, { additional_info: { visit: "annual check-up" } });
    expect(call.missing_placeholders.toSorted()).toEqual(["doctor", "user_name"]);
    expect(call.call_transcript!.map(({ text }) => text).join(" ")).not.toContain("{{");
    expect(call.call_transcript![4]!.text).toStartWith("Hello, this is Asha");
  });

  test("a greeting in any language is spoken as written, whatever the language of the call or its agent", async () => {
    const { agentId } = await newAgent(server, { more: ["--language", "hi-IN"] });
    await command(server, "agents", "update", agentId, "--greeting", "नमस्ते {{user_name}}।");
    for (const language of ["hi", undefined]) {
      const call = await placeAndFinish(server, {
        agent_id: agentId,
        user_name: "मीरा",
        ...(language !== undefined && { user_preferred_language: language }),
      });
      expect(call.contact_preferred_language).toBe(language ?? null);
      const said = call.call_transcript!.map(({ text }) => text);
      expect(said[0]).toBe("नमस्ते, मैं Demo Hospital की ऑटोमैटिक सहायक हूँ।");
      expect(said).toContain("नमस्ते मीरा।");
      expect(call.call_analytics!.disposition).toBe("session_ended");
    }
  });

  test("a changed greeting applies to calls that are not dialled yet", async () => {
    const { agentId } = await newAgent(server);
    await command(server, "agents", "update", agentId, "--greeting", "Namaste {{patient}}.");
    const call = await placeAndFinish(server, { agent_id: agentId, additional_info: { patient: "Asterisk" } });
    expect(call.call_transcript![4]!.text).toStartWith("Namaste Asterisk.");
  });
});

describe("legacy names", () => {
  test("contact_* are accepted for user_*", async () => {
    const number = talkative();
    const body = {
      agent_id: server.demo["agent_id"],
      contact_number: number,
      contact_name: "Legacy Patient",
      contact_email: "legacy@example.invalid",
      contact_preferred_language: "hi",
    };
    const { status, data } = await ask(server, "POST", "/v1/calls", { body });
    expect(status).toBe(201);
    expect(await readCall(server, String(data["call_id"]))).toMatchObject({
      contact_number: number,
      contact_name: "Legacy Patient",
      contact_email: "legacy@example.invalid",
      contact_preferred_language: "hi",
    });
  });

  test("unknown fields are ignored", async () => {
    const id = await place(server, { campaign: "autumn", user_age: 40 });
    expect(await readCall(server, id)).not.toContainAnyKeys(["campaign", "user_age"]);
  });
});
