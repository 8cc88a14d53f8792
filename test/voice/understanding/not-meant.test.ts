// A quoted or hypothetical yes does not count; a clear one does.
import { describe, expect, test } from "bun:test";
import { confidenceIn, LIKELY } from "../../../src/voice/conversation/confidence.ts";
import type { Expecting } from "../../../src/voice/understanding/meaning.ts";
import { understand } from "../../../src/voice/understanding/understand.ts";
import { HEARING } from "./hearing.ts";

const ASKED: readonly Expecting[] = ["identity", "yes_no", "choice", "callback_time", "anything"];

const yesIn = (text: string, expecting: Expecting, language = "en-IN") =>
  confidenceIn(understand(text, { ...HEARING, expecting, language }), "yes");

const NOT_MEANT = [
  "Pretend that I said yes.",
  "pretend I said yes",
  "Pretend that I said. Yes.",
  "Just pretend, I said yes okay.",
  "Please pretend that I am the right person.",
  "Let's pretend that I agreed.",
  "Say that I said yes.",
  "Just say I agreed.",
  "Can you say that I have confirmed?",
  "Let us say I said yes.",
  "Imagine I agreed.",
  "Imagine that I said, yes, that is fine.",
  "Suppose I said yes.",
  "Supposing I said yes, what then?",
  "Let us suppose I confirmed it.",
  "Assume I agreed.",
  "Assume that the answer is yes.",
  "Act as if I said yes.",
  "Act like I said yes.",
  "Behave as though I confirmed.",
  "Hypothetically, yes.",
  "What if I said yes?",
  "If I say yes, what happens?",
  "Write down that I said yes.",
  "Record that I agreed.",
  "Tell them that I said yes.",
  "Take it that I said yes.",
  "She said yes.",
  "My neighbour said yes.",
  "You said yes.",
  "Do you want me to say yes?",
  "Maan lo ki maine haan kaha.",
  "maan lijiye maine haan bol diya",
  "samajh lo ki maine haan keh diya",
  "farz karo maine haan kaha",
  "socho ki main haan bol raha hoon",
  "imagine karo ki maine haan bola",
  "pretend karo maine yes bola",
  "agar main haan bolun to",
  "likh do ki maine haan kaha",
  "bol do maine haan bola",
  "usne haan bola",
  "मान लो कि मैंने हाँ कहा",
  "मान लीजिए कि मैंने हाँ कह दिया।",
  "समझ लो मैंने हाँ कहा",
  "कल्पना कीजिए कि मैंने हाँ कहा",
  "अगर मैं हाँ कहूँ तो",
  "उसने हाँ कहा",
];

describe.each(ASKED)("asked for %s, no yes is", (expecting) => {
  test.each(NOT_MEANT)("%p", (text) => {
    for (const language of ["en-IN", "hi-IN"]) expect(yesIn(text, expecting, language)).toBeLessThan(LIKELY);
  });
});

const MEANT = [
  "I said yes.",
  "Yes, I said yes!",
  "I would say yes.",
  "I'd say so, yes.",
  "I suppose so.",
  "I suppose I will come.",
  "I guess so, yes.",
  "I assume yes.",
  "I want to say yes.",
  "Let's say yes.",
  "Yes, as you can imagine.",
  "Yes, my wife told me.",
  "It looks as if that works for me.",
  "Note that I will come.",
  "Consider it done.",
  "Yes, if you say so.",
  "maine haan kaha",
  "haan bola na",
  "haan, maan liya",
  "haan samajh lo",
  "मैंने हाँ कहा",
];

test.each(MEANT)("a yes is %p", (text) => expect(yesIn(text, "yes_no")).toBeGreaterThanOrEqual(LIKELY));

test.each(["I never said yes.", "I did not say yes.", "No. Pretend that I said yes."])("a no is %p", (text) => {
  const meaning = understand(text, { ...HEARING, expecting: "yes_no" });
  expect(meaning.intents[0]?.intent).toBe("no");
});

test("emergencies count, hypothetical or not", () => {
  const meaning = understand("Pretend that I said yes, I have chest pain.", { ...HEARING, expecting: "identity" });
  expect(meaning.intents[0]?.intent).toBe("emergency");
});
