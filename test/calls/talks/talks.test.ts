// The link between line and agent: language, booking desk, and result of a call.
import { describe, expect, test } from "bun:test";
import type { CallEnd } from "../../../src/calls/call/call-end.ts";
import type { CallRequest } from "../../../src/calls/talks/dial-plan.ts";
import { createTalks, type CallArrival, type TalkDeps } from "../../../src/calls/talks/talks.ts";
import { createLogger } from "../../../src/core/logger.ts";
import type { Arrival, CallOrder } from "../../../src/telephony/port.ts";
import { createRemoteDesk } from "../../../src/voice/desk-questions.ts";
import type { BookingDesk } from "../../../src/calendar/desk-port.ts";
import type { AgentBrief, Agreed, TalkResult } from "../../../src/voice/port.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { rejectionOf } from "../../support/temp.ts";

const desk = (date: string, given: Partial<BookingDesk> = {}): BookingDesk => ({
  canBook: true,
  appointment: () => Promise.resolve({ date, startTime: "10:30" }),
  confirm: () => Promise.resolve(true),
  cancel: () => Promise.resolve(true),
  requestChange: () => Promise.resolve(true),
  offer: (most) => Promise.resolve([{ label: `${most}`, date, startTime: "09:00", endTime: "09:30" }]),
  book: (label) => Promise.resolve({ label, date, startTime: "09:00", endTime: "09:30" }),
  ...given,
});

function request(callId: string, given: Partial<CallRequest> = {}): CallRequest {
  return {
    line: {
      callId,
      trunkId: "main",
      from: "+911140001000",
      to: "+919810012345",
      recordingFile: "/nowhere/a.wav",
      captureFile: null,
    },
    brief: {
      agentName: "Asha",
      voice: "warm",
      prompt: "Confirm the visit.",
      greeting: "Good morning.",
      contactName: "Meera",
      additionalInfo: { ward: "7" },
      transferTo: null,
      timeZone: "Asia/Kolkata",
    },
    languages: ["en-IN", "en-IN"],
    recorded: [],
    desk: null,
    ...given,
  };
}

const TALK: TalkResult = {
  transcript: [
    { speaker: "agent", text: "Good morning.", timestamp: 0 },
    { speaker: "user", text: "Pressed 1.", timestamp: 12.4 },
  ],
  analytics: null,
  extractedDetails: { keypad_answer: "acknowledged" },
};

function setStage(given: Partial<TalkDeps> = {}) {
  const clock = createManualClock();
  const logLines: string[] = [];
  const orders: CallOrder[] = [];
  const ends: { callId: string; end: CallEnd }[] = [];
  const arrivals: CallArrival[] = [];
  const agreements: { callId: string; agreed: Agreed }[] = [];
  const talks = createTalks({
    clock,
    logger: createLogger(clock, "debug", (line) => void logLines.push(line)),
    listener: {
      ringing() {},
      answered() {},
      agreed: async (callId, agreed) => void agreements.push({ callId, agreed }),
      ended: (callId, end) => void ends.push({ callId, end }),
      arrived: (arrival) => void arrivals.push(arrival),
    },
    carrier: () => ({
      name: "stage",
      lines: 1,
      trunkLines: () => ({ kind: "open", lines: 1 }),
      dial: (order) => void orders.push(structuredClone(order)),
      hangUp() {},
      async stop() {},
    }),
    speaks: (language) => language.startsWith("en"),
    spareOperator: null,
    ...given,
  });
  return {
    clock,
    talks,
    orders,
    ends,
    agreements,
    logLines,
    brief: () => orders.at(-1)!.brief as AgentBrief,
    deskOf: (callId: string) =>
      createRemoteDesk({ canBook: true }, (question) => talks.listener.asked(callId, question)),
    /** An inbound call; its events are recorded in order. */
    arrive(callId: string) {
      const answers: string[] = [];
      const arrival: Arrival = {
        callId,
        trunkId: "main",
        from: "+919810012345",
        to: "+911140001000",
        isToAccount: false,
        accept: (order) => void (orders.push(structuredClone(order)), answers.push("accepted")),
        reject: (why) => void answers.push(`rejected: ${why}`),
      };
      talks.listener.arrived(arrival);
      return { arrival: arrivals.at(-1)!, answers };
    },
  };
}

describe("the agent gets", () => {
  test("all of its data for the call, across a thread boundary", () => {
    const { talks, brief, orders } = setStage();
    talks.dial(request("a", { desk: desk("2026-05-05", { canBook: false }), recorded: [{ kind: "menu", key: "m1" }] }));
    expect(brief()).toEqual({
      agentName: "Asha",
      language: "en-IN",
      voice: "warm",
      prompt: "Confirm the visit.",
      greeting: "Good morning.",
      contactName: "Meera",
      additionalInfo: { ward: "7" },
      transferTo: null,
      timeZone: "Asia/Kolkata",
      direction: "outbound",
      desk: { canBook: false },
    });
    expect(orders[0]).toMatchObject({ callId: "a", trunkId: "main", clips: [{ name: "menu", key: "m1" }] });
  });

  test("the option to take its time, if the machine is configured so", () => {
    const { talks, brief } = setStage({ isUnhurried: true });
    talks.dial(request("a"));
    expect(brief().isUnhurried).toBe(true);
  });

  test("its transfer target: its own person, or else the fallback operator", () => {
    const { talks, brief } = setStage({ spareOperator: "+912200001111" });
    talks.dial(request("a"));
    expect(brief().transferTo).toBe("+912200001111");
    const own = request("b");
    talks.dial({ ...own, brief: { ...own.brief, transferTo: "sip:desk@hospital" } });
    expect(brief().transferTo).toBe("sip:desk@hospital");
  });
});

describe("the language of a call", () => {
  const languageOf = (languages: string[], recorded: CallRequest["recorded"] = []) => {
    const { talks, orders, brief } = setStage();
    talks.dial(request("a", { languages, recorded }));
    return orders.length === 0 ? null : brief().language;
  };

  test("is the requested one, if it can be spoken", () => {
    expect(languageOf(["en-GB", "hi-IN"])).toBe("en-GB");
  });

  test("is otherwise the agent's own, if that can be spoken", () => {
    expect(languageOf(["hi-IN", "en-IN"])).toBe("en-IN");
  });

  test("is the requested one if neither can be spoken and the greeting is recorded", () => {
    expect(languageOf(["hi-IN", "ta-IN"], [{ kind: "greeting", key: "g1" }])).toBe("hi-IN");
  });

  test("is marked as without a voice if only recordings are heard", () => {
    const isMute = (languages: string[]) => {
      const { talks, brief } = setStage();
      talks.dial(request("a", { languages, recorded: [{ kind: "greeting", key: "g1" }] }));
      return brief().isMute ?? false;
    };
    expect([isMute(["hi-IN", "ta-IN"]), isMute(["hi-IN", "en-IN"])]).toEqual([true, false]);
  });

  test("of an agent that cannot be heard is none", () => {
    expect(languageOf(["hi-IN", "ta-IN"])).toBeNull();
    expect(languageOf(["hi-IN", "ta-IN"], [{ kind: "menu", key: "m1" }])).toBeNull();
    expect(languageOf([])).toBeNull();
  });

  test("is none where no voice can say the notices, even if the greeting is recorded", () => {
    const { talks, orders } = setStage({ speaks: () => false });
    talks.dial(request("a", { languages: ["hi-IN", "hi-IN"], recorded: [{ kind: "greeting", key: "g1" }] }));
    expect(orders).toEqual([]);
  });
});

describe("an agent that cannot be heard", () => {
  const unheard = { languages: ["hi-IN", "hi-IN"], desk: desk("2026-05-05") };
  const NOTHING_TO_SAY = { kind: "failed", code: "infrastructure_error", message: expect.stringContaining("record") };

  test("dials no call: it fails a moment later with instructions", async () => {
    const { clock, talks, orders, ends } = setStage();
    talks.dial(request("a", unheard));
    expect(ends).toEqual([]);
    await clock.advance(0);
    expect(orders).toEqual([]);
    expect(ends).toEqual([{ callId: "a", end: NOTHING_TO_SAY as never }]);
  });

  test("answers no call: the caller gets an unavailable response, and the stored call fails", async () => {
    const { clock, ends, arrive, deskOf } = setStage();
    const { arrival, answers } = arrive("in");
    arrival.accept(request("in", unheard));
    await clock.advance(0);
    expect(answers).toEqual(["rejected: unavailable"]);
    expect(ends).toEqual([{ callId: "in", end: NOTHING_TO_SAY as never }]);
    expect((await rejectionOf(deskOf("in").confirm())).message).toContain("no calendar");
  });
});

test("a call whose voice failed before the notices were heard says nothing about the callee", () => {
  const { talks, ends } = setStage();
  talks.dial(request("a"));
  const talk: TalkResult = { ...TALK, isUnnoticed: true };
  talks.listener.ended("a", { kind: "completed", durationSeconds: 3, talk, recorded: false });
  const code = "infrastructure_error" as const;
  const message = expect.stringContaining("voice failed") as never;
  const end = { kind: "failed", code, message, durationSeconds: 3, recorded: false, notices: [] } as const;
  expect(ends).toEqual([{ callId: "a", end }]);
});

describe("the desk", () => {
  test("that answers belongs to the agent's own call", async () => {
    const { talks, deskOf } = setStage();
    talks.dial(request("a", { desk: desk("2026-05-05") }));
    talks.dial(request("b", { desk: desk("2026-06-06") }));
    expect(await deskOf("a").appointment()).toEqual({ date: "2026-05-05", startTime: "10:30" });
    expect(await deskOf("b").appointment()).toEqual({ date: "2026-06-06", startTime: "10:30" });
  });

  test("receives every question unchanged", async () => {
    const asked: string[] = [];
    const { talks, deskOf } = setStage();
    talks.dial(
      request("a", {
        desk: desk("2026-05-05", {
          confirm: async () => (asked.push("confirm"), false),
          requestChange: async () => (asked.push("change"), true),
          offer: async (most) => (asked.push(`offer ${most}`), []),
          book: async (label) => (asked.push(`book ${label}`), null),
        }),
      }),
    );
    const at = deskOf("a");
    expect([await at.confirm(), await at.requestChange(), await at.offer(3), await at.book("B")]).toEqual([
      false,
      true,
      [],
      null,
    ]);
    expect(asked).toEqual(["confirm", "change", "offer 3", "book B"]);
  });

  test("of an inbound call answers as soon as the call is accepted", async () => {
    const { arrive, brief, deskOf } = setStage();
    const { arrival, answers } = arrive("in");
    arrival.accept(request("in", { desk: desk("2026-05-05") }));
    expect(answers).toEqual(["accepted"]);
    expect(brief().direction).toBe("inbound");
    expect(await deskOf("in").confirm()).toBe(true);
  });

  test("is closed for a call that has none, is over, was rejected or is unknown", async () => {
    const { talks, arrive, deskOf } = setStage();
    talks.dial(request("without"));
    talks.dial(request("over", { desk: desk("2026-05-05") }));
    talks.listener.ended("over", { kind: "failed", code: "busy", message: "." });
    const turnedAway = arrive("turned away");
    turnedAway.arrival.reject("no_line");
    expect(turnedAway.answers).toEqual(["rejected: no_line"]);
    const gaveUp = arrive("gave up");
    talks.listener.ended("gave up", { kind: "failed", code: "interrupted", message: "." });
    gaveUp.arrival.accept(request("gave up", { desk: desk("2026-05-05") }));
    for (const callId of ["without", "over", "turned away", "gave up", "unknown"])
      expect((await rejectionOf(deskOf(callId).confirm())).message).toContain("no calendar");
  });

  test("that fails is logged with its call and without personal data", async () => {
    const { talks, deskOf, logLines } = setStage();
    const confirm = () => Promise.reject(new TypeError("Meera has no visit on +919810012345"));
    talks.dial(request("a", { desk: desk("2026-05-05", { confirm }) }));
    await rejectionOf(deskOf("a").confirm());
    expect(logLines).toHaveLength(1);
    expect(JSON.parse(logLines[0]!)).toMatchObject({ level: "error", call_id: "a", error: "TypeError" });
    expect(logLines[0]).not.toContain("Meera");
    expect(logLines[0]).not.toContain("+91");
  });
});

test("agreements of an agent are reported with its call, with or without a desk", async () => {
  const { talks, agreements } = setStage();
  talks.dial(request("a"));
  talks.dial(request("b", { desk: desk("2026-05-05") }));
  await talks.listener.asked("a", { kind: "agree", agreed: { optOut: true } });
  await talks.listener.asked("b", { kind: "agree", agreed: { callbackInMinutes: 30 } });
  expect(agreements).toEqual([
    { callId: "a", agreed: { optOut: true } },
    { callId: "b", agreed: { callbackInMinutes: 30 } },
  ]);
});

test("the data sent to model servers is known even if the line's thread dies", async () => {
  const { talks, ends } = setStage();
  talks.dial(request("a"));
  const sent = [{ server: "s", host: "h", role: "voice", requests: 1, bytesOut: 2, bytesIn: 3, ms: 4, failures: 0 }];
  await talks.listener.asked("a", { kind: "sent", sent });
  // Of a finished call.
  await talks.listener.asked("b", { kind: "sent", sent });
  const broken = { kind: "failed", code: "interrupted", message: "The line broke off." } as const;
  talks.listener.ended("a", broken);
  talks.listener.ended("b", broken);
  expect(ends.map(({ end }) => end)).toEqual([{ ...broken, sent } as CallEnd, broken]);
});

describe("the end of a call", () => {
  test("combines the line's report and the agent's result; nothing is said after it", () => {
    const { talks, ends } = setStage();
    talks.dial(request("a"));
    talks.listener.ended("a", { kind: "completed", durationSeconds: 12.3, recorded: true, talk: TALK });
    expect(ends).toEqual([
      {
        callId: "a",
        end: {
          kind: "completed",
          durationSeconds: 12.3,
          recorded: true,
          transcript: [
            { speaker: "agent", text: "Good morning.", timestamp: 0 },
            { speaker: "user", text: "Pressed 1.", timestamp: 12.3 },
          ],
          analytics: null,
          extractedDetails: { keypad_answer: "acknowledged" },
        },
      },
    ]);
  });

  test("of a failed line is reported as it is", () => {
    const { talks, ends } = setStage();
    talks.dial(request("a"));
    talks.listener.ended("a", { kind: "failed", code: "busy", message: "They are on the phone." });
    expect(ends).toEqual([{ callId: "a", end: { kind: "failed", code: "busy", message: "They are on the phone." } }]);
  });
});

describe("the organisation's own servers", () => {
  const server = (name: string, languages: string[]) => ({
    kind: "command" as const,
    id: name,
    name,
    command: [name],
    languages,
    totalMs: 1_000,
  });
  const servers = {
    language: [],
    recognition: [server("ears", [])],
    voice: [server("hindi voice", ["hi"]), server("every voice", [])],
  };

  test("are passed with the call, for its language", () => {
    const { talks, brief } = setStage();
    talks.dial(request("call_1", { servers }));
    expect(brief().language).toBe("en-IN");
    expect([brief().models?.voice?.name, brief().models?.recognition?.name]).toEqual(["every voice", "ears"]);
  });

  test("speak a language the built-in voice lacks, if there are phrases for it", () => {
    const { talks, brief } = setStage();
    talks.dial(request("call_1", { servers, languages: ["hi-IN", "en-IN"] }));
    expect([brief().language, brief().models?.voice?.name]).toEqual(["hi-IN", "hindi voice"]);
    talks.dial(request("call_2", { servers, languages: ["ta-IN", "en-IN"] }));
    expect(brief().language).toBe("en-IN");
  });

  test("are left out if there are none", () => {
    const { talks, brief } = setStage();
    talks.dial(request("call_1"));
    expect("models" in brief()).toBe(false);
  });
});
