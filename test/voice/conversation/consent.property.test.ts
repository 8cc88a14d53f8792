// Whatever is said, pressed or suggested in any order: consent comes only from a clear yes to the question, after it
// was heard to its end, and never beside a wish for no more calls.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { english } from "../../../src/voice/conversation/phrases/en.ts";
import type { TalkEvent } from "../../../src/voice/conversation/model.ts";
import { agreedIn } from "../../../src/voice/conversation/result.ts";
import type { AgentBrief } from "../../../src/voice/port.ts";
import type { Intent } from "../../../src/voice/understanding/meaning.ts";
import { APPOINTMENT, OFFERS, Talk, meaning } from "./talk.ts";

const QUESTION = english.mayCall("promotional").text;
const INTENTS: readonly Intent[] = [
  ..."yes no another_time cancel_appointment person do_not_call not_interested call_later thanks_or_bye".split(" "),
  ..."backchannel hold_on repeat who_is_this stop_recording alarm_like emergency wrong_number".split(" "),
] as Intent[];

const heard = fc
  .record({
    said: fc.uniqueArray(fc.constantFrom(...INTENTS), { maxLength: 2 }),
    sure: fc.constantFrom(0.5, 0.85, 0.95),
    text: fc.constantFrom("something", "okay bye", "yes", "no", "I cannot come"),
  })
  .map((words): TalkEvent => ({ type: "heard", meaning: meaning(words) }));
const key = fc
  .constantFrom("1", "1", "2", "3", "4", "9", "0", "*")
  .map((pressed): TalkEvent => ({ type: "key", key: pressed }));
const other = fc.constantFrom<TalkEvent>(
  { type: "silence" },
  { type: "deaf" },
  { type: "unled" },
  { type: "led", suggestion: { do: "end" }, ending: "whole" },
  { type: "led", suggestion: null, ending: "question" },
);
/** Half of the turns are played to their end. */
const turn = fc.record({ event: fc.oneof({ weight: 4, arbitrary: heard }, key, other), isPlayed: fc.boolean() });

/** What the calendar and the line answer to the agent's own actions. */
const ANSWERS: Readonly<Partial<Record<string, TalkEvent>>> = {
  lookUp: { type: "lookedUp", appointment: APPOINTMENT },
  confirm: { type: "confirmed", isDone: true },
  cancel: { type: "cancelled", isDone: true },
  requestChange: { type: "changeRequested", isDone: true },
  offer: { type: "offered", offers: OFFERS },
  book: { type: "booked", slot: OFFERS[0]! },
  undo: { type: "undone", isDone: true, appointment: APPOINTMENT },
  transfer: { type: "transferred", outcome: "refused" },
  consult: { type: "transferred", outcome: "no_answer" },
};

function isClearYes(event: TalkEvent): boolean {
  if (event.type === "key") return event.key === "1";
  if (event.type !== "heard") return false;
  const sure = (intent: Intent) => event.meaning.intents.some((one) => one.intent === intent && one.confidence >= 0.8);
  return sure("yes") && !event.meaning.intents.some(({ intent }) => intent === "no" || intent === "not_interested");
}

test("no consent without a clear yes to the question", () => {
  let given = 0;
  fc.assert(
    fc.property(fc.boolean(), fc.array(turn, { minLength: 2, maxLength: 20 }), (isLed, turns) => {
      const talk = new Talk({ asksConsentFor: "promotional" }, isLed ? { isLed } : {}).identified();
      talk.says("yes").event({ type: "confirmed", isDone: true });
      let wasPlayed = false;
      for (const { event, isPlayed } of turns) {
        for (let left = 5; left > 0 && talk.does in ANSWERS && talk.state.stage === "working"; left--)
          talk.event(ANSWERS[talk.does]!);
        if (isPlayed && talk.does === "say" && talk.state.stage !== "over") {
          wasPlayed ||= talk.words.includes(QUESTION);
          talk.hearsOut();
        }
        const before = talk.state;
        talk.event(event);
        const { consent, outcome, isOptedOut } = talk.state;
        const isOut = outcome === "opted_out" || isOptedOut;
        if (consent === "given" && before.consent !== "given") {
          given += 1;
          // A key over the question of danger, before that was heard, answers the question before it.
          const answered = before.beforeDanger?.question ?? before.question;
          expect([answered, wasPlayed, isClearYes(event)]).toEqual(["consent", true, true]);
        }
        const agreed = agreedIn(talk.state, { asksConsentFor: "promotional", timeZone: "UTC" } as AgentBrief);
        if (isOut) expect(agreed).toEqual({ optOut: true });
        expect(agreed.consent?.isGiven === true).toBe(consent === "given" && !isOut);
      }
    }),
    { numRuns: 500, seed: 36 },
  );
  expect(given).toBeGreaterThan(20);
});
