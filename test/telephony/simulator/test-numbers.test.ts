// The simulated callees of the test numbers, and the result of a call to each. The agent is the real one.
import { describe, expect, test } from "bun:test";
import { callEndOf } from "../../../src/calls/call/call-end.ts";
import { SIMULATED_OUTCOMES } from "../../../src/telephony/simulator/test-numbers.ts";
import { briefed, DESK, said, useSimulator } from "./stage.ts";

const stage = useSimulator();

describe("the last four digits choose what happens", () => {
  const CAN_TRANSFER = briefed({ transferTo: "+911140002000" });
  const pressed = (answer: string, keys: string) => ({ answer, keypad_answer: answer, keys });
  const EXPECTED = {
    "0001": { kind: "failed", code: "busy" },
    "0002": { kind: "failed", code: "no_answer" },
    "0003": { kind: "failed", code: "invalid_number" },
    "0004": { kind: "failed", code: "carrier_error" },
    "0005": { analytics: { disposition: "voicemail" }, extractedDetails: pressed("message_left", "") },
    "0006": { analytics: { disposition: "not_interested" }, extractedDetails: pressed("opted_out", "19") },
    "0007": {
      analytics: { disposition: "callback_scheduled" },
      extractedDetails: { ...pressed("call_later", "4"), callback_in_minutes: 30 },
      callbackInMinutes: 30,
    },
    "0008": { analytics: { disposition: "transferred" }, extractedDetails: pressed("transferred", "3") },
    "0009": { analytics: { disposition: "ended_by_customer" }, extractedDetails: pressed("none", "") },
    "0010": { analytics: { disposition: "session_ended" }, extractedDetails: pressed("acknowledged", "11") },
    "0011": { analytics: { disposition: "not_interested" }, extractedDetails: pressed("opted_out", "9"), optOut: true },
    "4711": { analytics: { disposition: "session_ended" }, extractedDetails: pressed("acknowledged", "11") },
  } as const;

  test.each(Object.entries(EXPECTED))("…%s has its own outcome, which the agent comes to", async (digits, expected) => {
    stage.dial({ to: `+91981001${digits}`, brief: CAN_TRANSFER });
    await stage.clock.advance(120_000);
    const end = callEndOf(stage.log.endOf("call-1"));
    expect(end).toMatchObject({ kind: "completed", ...expected });
    expect("callbackInMinutes" in end).toBe(digits === "0007");
  });

  test("every outcome in the table is described and tested here", () => {
    const tested = Object.keys(EXPECTED).filter((digits) => digits !== "4711");
    expect(SIMULATED_OUTCOMES.map(({ lastFourDigits }) => lastFourDigits)).toEqual(tested.toSorted());
    for (const { description } of SIMULATED_OUTCOMES) expect(description).toMatch(/^[A-Z].*\.$/);
  });

  test.each(["0005", "0006", "0007", "0008", "0009", "0010", "0011"])(
    "the summary of a call to …%s has two or three sentences",
    async (digits) => {
      const { analytics } = await stage.talk({ to: `+91981001${digits}`, brief: CAN_TRANSFER });
      expect([2, 3]).toContain(analytics!.summary.match(/[.](\s|$)/g)!.length);
      expect(analytics!.next_steps).not.toBe("");
    },
  );

  test("a callee who asks for a person is offered none if the agent has no transfer target, and hears the whole menu", async () => {
    const call = await stage.talk({ to: "+919810010008" });
    expect(call.extractedDetails).toMatchObject(pressed("none", ""));
  });

  test("a machine is left a message with neither the contact's name nor the purpose in it", async () => {
    const call = await stage.talk({ to: "+919810010005" });
    expect(said(call).slice(1)).toEqual([
      "user: The person you have called cannot come to the telephone. Please leave a message after the tone.",
      // The machine speaks first, and we do not know yet that it is one.
      expect.stringMatching(/^agent: If I am speaking with Meera, .*…$/),
      "agent: This is Asha. I am sorry to have missed you. Goodbye.",
    ]);
  });
});

test("who answers takes the first place that the agent offers, and it is booked", async () => {
  const booked: string[] = [];
  stage.desk = { ...DESK, book: async (label) => (booked.push(label), DESK.book(label)) };
  const call = await stage.talk({ brief: briefed({ desk: { canBook: true } }) });
  expect(booked).toEqual(["A"]);
  expect(call.analytics!.disposition).toBe("appointment_booked");
  const never = "agent: Press 9 if you do not want to be called again.";
  expect(said(call).slice(5)).toEqual([
    "user: Pressed 1.",
    "agent: These times are open.",
    "agent: Press 1 for Tuesday, the fifth of May, at ten thirty in the morning.",
    "agent: Press 0 if none of these suits you.",
    never,
    "user: Pressed 1.",
    "agent: Tuesday, the fifth of May, at ten thirty in the morning.",
    "agent: Shall I book it?",
    "agent: Press 1 for yes, or 2 for no.",
    never,
    "user: Pressed 1.",
    "agent: Thank you. Your appointment is on Tuesday, the fifth of May, at ten thirty in the morning.",
    "agent: Thank you. Goodbye.",
  ]);
});

test("who answers confirms the appointment that the agent tells of", async () => {
  let confirmed = 0;
  stage.desk = {
    ...DESK,
    appointment: async () => ({ date: "2026-05-05", startTime: "10:30" }),
    confirm: async () => ++confirmed > 0,
  };
  const call = await stage.talk({ brief: briefed({ desk: { canBook: true } }) });
  expect(confirmed).toBe(1);
  expect(call.extractedDetails).toEqual({
    answer: "confirmed",
    keypad_answer: "confirmed",
    answered_by: "keypad",
    voice_turns: 0,
    keypad_turns: 2,
    spoke_with_contact: true,
    keys: "11",
    appointment_date: "2026-05-05",
    appointment_time: "10:30",
  });
});
