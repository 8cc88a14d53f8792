// Held-out paraphrases must be understood, and never as their opposite.
import { expect, test } from "bun:test";
import type { Intent } from "../../../src/voice/understanding/meaning.ts";
import { understand } from "../../../src/voice/understanding/understand.ts";
import { ASKED, HELD_OUT } from "./held-out.ts";
import { HEARING } from "./hearing.ts";

const heardAs = (intent: Intent, text: string) => understand(text, { ...HEARING, expecting: ASKED[intent] }).intents;

test("every intent has eight paraphrases or more", () => {
  const counts = Map.groupBy(HELD_OUT, ([intent]) => intent);
  for (const [intent, rows] of counts)
    expect({ intent, isEnough: rows.length >= 8 }).toEqual({ intent, isEnough: true });
});

test("nine in ten paraphrases are understood", () => {
  const missed = HELD_OUT.filter(([intent, text]) => heardAs(intent, text)[0]?.intent !== intent);
  expect(missed.length).toBeLessThan(HELD_OUT.length / 10);
});

test("no paraphrase of a no is taken for a sure yes, and none of a yes for a sure no", () => {
  const opposite: Partial<Record<Intent, Intent>> = {
    yes: "no",
    no: "yes",
    cancel_appointment: "yes",
    do_not_call: "yes",
  };
  for (const [intent, text] of HELD_OUT) {
    const wrong = heardAs(intent, text).find((likely) => likely.intent === opposite[intent]);
    expect({ text, confidence: Math.min(wrong?.confidence ?? 0, 0.8) }).not.toEqual({ text, confidence: 0.8 });
  }
});

test("every paraphrase of an alarm is heard as one", () => {
  for (const [intent, text] of HELD_OUT) {
    if (intent === "emergency")
      expect({ text, heard: heardAs(intent, text)[0]?.intent }).toEqual({ text, heard: "emergency" });
  }
});
