// The hospital's own recogniser, language model and voice fail during a call, separately and together: silence never
// exceeds three seconds, in English and Hindi.
import { describe, expect, test } from "bun:test";
import type { Clock } from "../../../src/core/clock.ts";
import { createOwnRecogniser } from "../../../src/speech/servers/recognition/own-recogniser.ts";
import { ServerFault, type ServerRole } from "../../../src/speech/servers/port.ts";
import { createServerVoice } from "../../../src/speech/servers/voice/server-voice.ts";
import { hindiClauses } from "../../../src/speech/tts/hindi/clauses.ts";
import type { Manner, Voice } from "../../../src/speech/tts/port.ts";
import { createTalkingAgent } from "../../../src/voice/talking/talking.ts";
import { scriptedChat } from "../model-led/scripted-chat.ts";
import type { ModelAnswer } from "../../support/patient/models.ts";
import { wordsOf } from "../turns/turn-script.ts";
import { setTalkingStage } from "./callee.ts";

const MOST_SILENCE_MS = 3_000;
const STEP_MS = 20;
/** Duration of a clause in any voice. */
const CLAUSE_MS = 1_200;
/** Synthesis time of the built-in voice per clause. */
const BUILT_IN_VOICE_MS = 300;
const BUILT_IN_RECOGNITION_MS = 220;
/** Pause before the callee answers. */
const PAUSE_MS = 400;
/** Pause before a key press: another key may be named. */
const KEYS_PAUSE_MS = 1_600;
const SPOKEN_MS = 500;

const FAULTS = ["none", "slow", "stalled", "429", "500", "garbage", "cut"] as const;
type Fault = (typeof FAULTS)[number];

const SLOW_MS: Readonly<Record<ServerRole, number>> = { recognition: 2_300, language: 2_300, voice: 2_300 };

const after = (clock: Clock, ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    signal?.addEventListener("abort", () => reject(new ServerFault("aborted")));
    if (Number.isFinite(ms)) clock.after(ms, resolve);
  });

/** When each is known. */
const AFTER_MS: Readonly<Record<Exclude<Fault, "slow">, number>> = {
  none: 80,
  stalled: Infinity,
  "429": 20,
  "500": 20,
  garbage: 20,
  cut: 400,
};

/** A server's answer or failure. */
async function answered<Value>(clock: Clock, role: ServerRole, fault: Fault, value: Value, signal: AbortSignal) {
  const ms = fault === "slow" ? SLOW_MS[role] : AFTER_MS[fault];
  await after(clock, ms, signal);
  if (fault === "429" || fault === "500") throw new ServerFault("status", Number(fault));
  if (fault === "garbage") throw new ServerFault("garbage");
  if (fault === "cut") throw new ServerFault("refused");
  return value;
}

const MODEL: Readonly<Record<Fault, ModelAnswer>> = {
  none: { text: "You can park behind the house.", afterMs: 80 },
  slow: { text: "You can park behind the house.", afterMs: SLOW_MS.language },
  stalled: { afterMs: Infinity },
  "429": { fails: "status" },
  "500": { fails: "status" },
  garbage: { fails: "garbage" },
  cut: { text: "You can park behind the house.", stallsAfter: 14 },
};

function builtInVoice(clock: Clock, language: string): Voice {
  let last = Promise.resolve();
  return {
    async speak(text) {
      const { length } = language.startsWith("hi") ? hindiClauses(text) : [text];
      for (let i = 0; i < length; i++) {
        last = last.then(() => after(clock, BUILT_IN_VOICE_MS));
        await last;
      }
      return { samples: new Int16Array(CLAUSE_MS * 8 * length).fill(1), lengthMs: CLAUSE_MS, words: text };
    },
    say: () => ({ next: async () => null, cancel() {} }),
  };
}

const WORDS = {
  "en-IN": { me: "Yes, speaking.", question: "Is there parking?", come: "Yes, I will come.", bye: "No, thank you." },
  "hi-IN": { me: "जी हाँ, बोल रहा हूँ।", question: "वहाँ पार्किंग है?", come: "हाँ, मैं आऊँगा।", bye: "नहीं।" },
} as const;
type Language = keyof typeof WORDS;

/** `from`: the first turn that fails; 0 is while it rings. */
function call(language: Language, faulty: Partial<Record<ServerRole, Fault>>, from: number) {
  const turn = { number: 0 };
  const faultOf = (role: ServerRole): Fault => (turn.number >= from ? (faulty[role] ?? "none") : "none");
  let recogniser: ReturnType<typeof createOwnRecogniser> | null = null;
  let heard = "";
  const stage = setTalkingStage({
    brief: { language, greeting: language === "hi-IN" ? "नमस्ते।" : "Hello.", agentName: "आशा", contactName: null },
    recognise(words, clock) {
      heard = words?.text ?? "";
      recogniser ??= createOwnRecogniser({
        clock,
        hasBuiltIn: language === "en-IN",
        transcriber: {
          transcribe: (_, signal) => answered(clock, "recognition", faultOf("recognition"), heard, signal),
          warm() {},
          close() {},
        },
      });
      return recogniser.recognise(new Int16Array(800), async () => {
        await after(clock, BUILT_IN_RECOGNITION_MS);
        return wordsOf(heard);
      });
    },
    createAgent(given) {
      const { clock } = given;
      const manner: Manner = { language, voice: "warm", mark: (text) => text };
      const voice = createServerVoice({
        clock,
        builtIn: builtInVoice(clock, language),
        speaker: {
          speak: (_, signal) =>
            answered(clock, "voice", faultOf("voice"), new Int16Array(CLAUSE_MS * 8).fill(1), signal),
          warm() {},
          close() {},
        },
      });
      const chat = scriptedChat(clock, () => MODEL[faultOf("language")]);
      return createTalkingAgent({
        ...given,
        tools: { ...given.tools, chat, say: (text, pace = "usual") => voice.say(text, { ...manner, pace }) },
      });
    },
  });
  return { stage, turn };
}

/** The callee asks once about parking, and presses a key once keys were named. */
function createCallee(language: Language) {
  const { me, question, come, bye } = WORDS[language];
  let hasAsked = false;
  return (heard: readonly string[]): { says: string } | { presses: string } => {
    if (heard.some((line) => KEYS.test(line))) return { presses: "1" };
    const last = heard.at(-1) ?? "";
    if (/moment to talk|बात कर सकते/.test(last)) return { says: me };
    if (!/Will you come|आएँगे/.test(last)) return { says: bye };
    const says = hasAsked ? come : question;
    hasAsked = true;
    return { says };
  };
}

const KEYS = /press|दबाइए|दो।$/i;
const MOST_REPLIES = 12;

/** Runs a call. Returns the longest silence and the words before it. */
async function longestSilence(language: Language, faulty: Partial<Record<ServerRole, Fault>>, from: number) {
  const { stage, turn } = call(language, faulty, from);
  const reply = createCallee(language);
  const longest = { ms: 0, after: "" };
  let [plays, speaksForMs, silentMs, answered] = [0, 0, 0, 0];

  async function step(isSpeaking = false): Promise<void> {
    await (isSpeaking ? stage.voice(STEP_MS) : stage.pass(STEP_MS));
    const played = stage.played();
    const newMs = played.slice(plays).reduce((sum, { lengthMs }) => sum + lengthMs, 0);
    plays = played.length;
    speaksForMs = Math.max(0, speaksForMs - STEP_MS) + newMs;
    silentMs = speaksForMs > 0 || isSpeaking ? 0 : silentMs + STEP_MS;
    if (silentMs > longest.ms) [longest.ms, longest.after] = [silentMs, stage.last() ?? ""];
  }
  const isOver = () => stage.happened.includes("hang up");
  const isTheirTurn = () => {
    const last = plays > answered ? (stage.last() ?? "") : "";
    return silentMs >= (last.endsWith("?") ? PAUSE_MS : KEYS.test(last) ? KEYS_PAUSE_MS : Infinity);
  };

  await stage.clock.advance(3_000);
  await stage.answer();
  for (let replies = 0; replies < MOST_REPLIES && !isOver(); replies++) {
    for (let ms = 0; ms < 60_000 && !isTheirTurn() && !isOver(); ms += STEP_MS) await step();
    if (isOver()) break;
    turn.number++;
    const answer = reply(stage.heard().slice(answered));
    answered = plays;
    silentMs = 0;
    if ("presses" in answer) await stage.press(answer.presses);
    else {
      stage.willHear(answer.says);
      for (let ms = 0; ms < SPOKEN_MS; ms += STEP_MS) await step(true);
    }
  }
  return { ...longest, confirmed: stage.count("desk: confirm"), said: stage.heard() };
}

const ROLES: readonly ServerRole[] = ["recognition", "language", "voice"];

describe.each(["en-IN", "hi-IN"] as const)("on a call in %s", (language) => {
  const cases = ROLES.flatMap((role) => FAULTS.map((fault) => ({ role, fault })));
  test.each(cases)("with a $role server that is $fault", async ({ role, fault }) => {
    const { ms, after: last, confirmed, said } = await longestSilence(language, { [role]: fault }, 2);
    expect({ isTooLong: ms > MOST_SILENCE_MS, ms, last, said }).toMatchObject({ isTooLong: false });
    expect(confirmed).toBe(1);
  });

  test.each(FAULTS)("with all three %s, from the first ring on", async (fault) => {
    const all = { recognition: fault, language: fault, voice: fault };
    const { ms, after: last, confirmed, said } = await longestSilence(language, all, 0);
    expect({ isTooLong: ms > MOST_SILENCE_MS, ms, last, said }).toMatchObject({ isTooLong: false });
    expect(confirmed).toBe(1);
  });
});
