// The agent on the simulated line with the callees of its test numbers: each call runs to its end.
import { expect, test } from "bun:test";
import { silentLogger } from "../../../src/core/logger.ts";
import { createSimulator } from "../../../src/telephony/simulator/simulator.ts";
import { CALLEES } from "../../../src/telephony/simulator/callee.ts";
import { simulatedEars } from "../../../src/voice/simulated-ears.ts";
import { simulatedVoice } from "../../../src/voice/simulated-speech.ts";
import { createCallAgents } from "../../../src/voice/call-agents.ts";
import type { TalkResult } from "../../../src/voice/port.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { answeredBy, briefOf, deskOf, type Script } from "../../telephony/agent-scripts.ts";
import { callOrder, createCarrierLog } from "../../telephony/carrier-log.ts";

const APPOINTMENT = { date: "2026-05-05", startTime: "10:30" };
const OFFERS = [[{ label: "A", date: "2026-05-06", startTime: "09:00", endTime: "09:30" }]];

async function called(callee: keyof typeof CALLEES, script: Script) {
  const clock = createManualClock();
  const asked: string[] = [];
  const log = createCarrierLog();
  const desk = deskOf(script, asked);
  const carrier = createSimulator({
    clock,
    logger: silentLogger,
    speed: 1,
    lines: 1,
    createCallAgent: createCallAgents(simulatedVoice, () => simulatedEars),
    courseFor: () => ({ kind: "talks", ringSeconds: 1, callee: CALLEES[callee] }),
  })({ ...log, asked: (_, question) => answeredBy(desk, question) });
  carrier.dial({ ...callOrder({ callId: "a", recordingFile: "/nowhere/a.wav" }), brief: briefOf(script) });
  await clock.advance(180_000);
  const end = log.endOf("a");
  if (end.kind !== "completed") throw new Error(end.message);
  return { asked, ...(end.talk as TalkResult), durationSeconds: end.durationSeconds };
}

test("an agreeable callee confirms the appointment by voice", async () => {
  const { asked, transcript, extractedDetails, durationSeconds, turns } = await called("agreeable", {
    appointment: APPOINTMENT,
  });
  expect(asked).toEqual(["appointment", "confirm"]);
  expect(extractedDetails).toMatchObject({ answer: "confirmed", answered_by: "voice", keys: "" });
  const users = transcript.filter(({ speaker }) => speaker === "user").map(({ text }) => text);
  expect(users).toEqual(["Yes, speaking.", "Yes, I will come."]);
  const seconds = transcript.map(({ timestamp }) => timestamp);
  expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
  expect(durationSeconds).toBeLessThan(60);
  expect(turns).toBeUndefined();
});

test("an agreeable callee without an appointment books the first offer", async () => {
  const { asked, analytics } = await called("agreeable", { offers: OFFERS });
  expect(asked).toEqual(["appointment", "offer 3", "book A"]);
  expect(analytics?.disposition).toBe("appointment_booked");
});

test("a busy callee is called again", async () => {
  const { analytics, callbackAt, callbackInMinutes } = await called("busyNow", { appointment: APPOINTMENT });
  expect(analytics?.disposition).toBe("callback_scheduled");
  expect(callbackAt ?? callbackInMinutes).toBeDefined();
});

test("a callee who wants a person is transferred", async () => {
  const { analytics } = await called("wantsPerson", { appointment: APPOINTMENT, transferTo: "+911140002000" });
  expect(analytics?.disposition).toBe("transferred");
});

test("a callee who is not interested is let go", async () => {
  const { analytics, asked } = await called("notInterested", { appointment: APPOINTMENT });
  expect(analytics?.disposition).toBe("not_interested");
  expect(asked).toEqual(["appointment"]);
});

test("a voicemail is left a message without the contact's name", async () => {
  const { analytics, transcript } = await called("voicemail", { appointment: APPOINTMENT });
  expect(analytics?.disposition).toBe("voicemail");
  const message = transcript.findLast(({ speaker }) => speaker === "agent")?.text ?? "";
  expect(message).toContain("sorry to have missed you");
  expect(message).not.toContain("Meera");
});
