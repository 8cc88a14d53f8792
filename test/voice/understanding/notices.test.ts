// Questions about the notices of a call, and the wish not to be recorded, in English, Hinglish and Devanagari.
import { describe, expect, test } from "bun:test";
import type { Expecting, Intent } from "../../../src/voice/understanding/meaning.ts";
import { understand } from "../../../src/voice/understanding/understand.ts";
import { HEARING } from "./hearing.ts";

const first = (text: string, expecting: Expecting, language: string) =>
  understand(text, { ...HEARING, expecting, language }).intents[0];

const TABLE: Partial<Record<Intent, readonly (readonly [language: string, text: string])[]>> = {
  callback_number: [
    ["en", "What number can I call you back on?"],
    ["en", "Which number should I call?"],
    ["en", "What is your phone number?"],
    ["en", "Can I have your number please?"],
    ["en", "Give me the number again."],
    ["en", "How can I reach you?"],
    ["en", "Is there a callback number?"],
    ["hi", "Kis number par call karun?"],
    ["hi", "Aapka number kya hai?"],
    ["hi", "Mujhe number bataiye."],
    ["hi", "किस नंबर पर कॉल करूँ?"],
    ["hi", "आपका नंबर क्या है?"],
  ],
  how_to_stop: [
    ["en", "How do I stop these calls?"],
    ["en", "How can I stop getting these calls?"],
    ["en", "How do I opt out?"],
    ["en", "What should I press to stop these calls?"],
    ["hi", "Ye call kaise band karun?"],
    ["hi", "ये कॉल कैसे बंद करूँ?"],
  ],
  stop_recording: [
    ["en", "Stop recording."],
    ["en", "Please stop recording this call."],
    ["en", "Don't record me."],
    ["en", "I do not want to be recorded."],
    ["en", "Turn off the recording."],
    ["hi", "Recording band karo."],
    ["hi", "Record mat kijiye."],
    ["hi", "रिकॉर्डिंग बंद कीजिए।"],
    ["hi", "रिकॉर्ड मत करो।"],
  ],
  // Wishes, and words near the rules above.
  do_not_call: [
    ["en", "Stop calling."],
    ["en", "Stop calling me."],
    ["en", "Stop these calls."],
    ["hi", "Call mat kijiye."],
    ["hi", "कॉल मत कीजिए।"],
    ["hi", "call band karo"],
  ],
  call_later: [["en", "Call me back later."]],
  wrong_number: [["en", "You have the wrong number."]],
  who_is_this: [["en", "Am I speaking to a recording?"]],
};

describe.each(Object.entries(TABLE))("%s", (intent, rows) => {
  for (const [language, text] of rows)
    for (const expecting of ["identity", "yes_no", "anything"] as const)
      test(`${text} (${expecting})`, () => {
        const { intent: heard, confidence = 0 } = first(text, expecting, language) ?? {};
        expect({ heard, isSure: confidence >= 0.8 }).toEqual({ heard: intent as Intent, isSure: true });
      });
});
