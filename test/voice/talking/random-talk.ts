// Random speech, keys, silences and faults on a call with notices.
import { expect } from "bun:test";
import fc from "fast-check";
import type { AgentBrief, TalkResult } from "../../../src/voice/port.ts";
import { SOUND_MS, soundOf } from "../stage.ts";
import { setTalkingStage } from "./callee.ts";

const TEXTS = [
  "Yes.",
  "Yes, speaking.",
  "No.",
  "mhm",
  "",
  "Another day please.",
  "The second one.",
  "Tomorrow at ten.",
  "Who is this?",
  "What number can I call you back on?",
  "How do I stop these calls?",
  "Stop recording.",
  "Is this call recorded?",
  "I want to speak to a person.",
  "Call me later.",
  "Do not call me again.",
  "Wrong number.",
  "Bananas and",
  "I have chest pain.",
  "Please leave a message after the tone.",
];

type Happening =
  | { says: string; forMs: number; thenMs: number }
  | { press: string }
  | { passMs: number }
  | { breaks: "ears" | "recogniser" | "recognition" | "voice" };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      says: fc.constantFrom(...TEXTS),
      forMs: fc.integer({ min: 40, max: 1_500 }),
      thenMs: fc.integer({ min: 0, max: 1_500 }),
    }),
  },
  { weight: 3, arbitrary: fc.constantFrom("1", "1", "2", "3", "4", "9", "*", "0").map((press) => ({ press })) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 5_000 }).map((passMs) => ({ passMs })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("ears", "recogniser", "recognition", "voice").map((breaks) => ({ breaks }) as const),
  },
);

export const randomTalk = fc.record({
  happenings: fc.array(happening, { maxLength: 14 }),
  direction: fc.constantFrom("outbound" as const, "outbound" as const, "inbound" as const),
  announcesOpenly: fc.boolean(),
  greeting: fc.constantFrom(
    "",
    "Good morning.",
    "Hello, this is the automatic assistant of City Hospital. Am I speaking with Ravi?",
  ),
  isGreetingRecorded: fc.boolean(),
  /** The voice fails from this phrase on. */
  failsAt: fc.constantFrom(null, null, null, 0, 0, 1, 3),
  recording: fc.constantFrom<NonNullable<AgentBrief["recording"]>>("off", "announce", "ask"),
});

export async function play(talk: typeof randomTalk extends fc.Arbitrary<infer Talk> ? Talk : never) {
  const { happenings, isGreetingRecorded, failsAt, ...brief } = talk;
  let voiced = 0;
  let isVoiceBroken = false;
  const stage = setTalkingStage({
    brief: { ...brief, notices: { hospital: "City Hospital", callbackNumber: "+912212345678" } },
    recorded: isGreetingRecorded ? ["greeting", "menu", "goodbye"] : [],
    voice: async () => (isVoiceBroken || (failsAt !== null && voiced++ >= failsAt) ? null : soundOf(SOUND_MS)),
  });
  await stage.answer();
  for (const each of happenings) {
    if ("says" in each) await stage.says(each.says, each);
    else if ("press" in each) await stage.press(each.press);
    else if ("passMs" in each) await stage.pass(each.passMs);
    else if (each.breaks === "ears") stage.loseEars();
    else if (each.breaks === "recogniser") stage.recogniserHangs();
    else if (each.breaks === "voice") isVoiceBroken = true;
    else stage.willHear(null);
  }
  for (let i = 0; i < 40 && !stage.happened.includes("hang up"); i++) await stage.pass(4_000);
  expect(stage.logLines.join()).not.toContain("failed; the call is hung up");
  return { stage, result: stage.agent.ended("us") };
}

/** 1 if the appointment was mentioned, and then only after the opening was heard. */
export function noticedBefore({ notices = [], transcript }: TalkResult): 0 | 1 {
  const about = transcript.find(({ speaker, text }) => speaker === "agent" && /appointment|May \d|10:30/.test(text));
  if (!about) return 0;
  for (const kind of ["caller", "automatic"] as const) {
    const heardAt = notices.find((notice) => notice.kind === kind)?.heardAt ?? Infinity;
    expect(heardAt).toBeLessThanOrEqual(about.timestamp);
  }
  return 1;
}

/** 1 if the call was recorded: only after the notice was heard or a yes, and never after a withdrawal. */
export function recordedRightly(happened: readonly string[], { recording, notices = [] }: TalkResult): 0 | 1 {
  const switched = happened.filter((what) => what === "record" || what === "stop recording");
  const inOrder = ["record", "stop recording"] as const;
  expect(switched).toEqual(inOrder.slice(0, switched.length));
  expect(switched.length === 0).toBe(recording?.from === null);
  expect(switched.length === 2).toBe(recording?.until !== null);
  if (!recording || recording.from === null) return 0;
  expect(recording.mode).not.toBe("off");
  if (recording.mode === "ask") expect(recording.consent).not.toBeOneOf([null, "refused"]);
  const noticedAt = notices.find(({ kind }) => kind === "recording")?.heardAt ?? Infinity;
  expect(recording.from).toBeGreaterThanOrEqual(noticedAt);
  return 1;
}
