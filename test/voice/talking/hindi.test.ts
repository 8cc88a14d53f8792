// A conversation in Hindi with the hospital's own recogniser.
import { expect, test } from "bun:test";
import { english } from "../../../src/voice/conversation/phrases/en.ts";
import { hindi } from "../../../src/voice/conversation/phrases/hi.ts";
import { phrasesIn } from "../../../src/voice/conversation/phrases/languages.ts";
import type { Phrases } from "../../../src/voice/conversation/phrases/phrases.ts";
import type { TalkCall } from "../../../src/voice/conversation/model.ts";
import type { Phrase } from "../../../src/voice/conversation/phrase.ts";
import { canTalkIn } from "../../../src/voice/talking/talk-call.ts";
import { APPOINTMENT, OFFERS, setStage, SOUND_MS } from "../stage.ts";
import { setTalkingStage } from "./callee.ts";

const SLOT = OFFERS[0] ?? { label: "A", date: "2026-05-06", startTime: "09:00", endTime: "09:30" };
const HINTS = { canTransfer: true, isOutbound: true };
const MOMENT = { date: "2026-05-06", dateEnd: null, time: null, partOfDay: null, conflict: true };

function everyPhrase(phrases: Phrases, named: boolean): Phrase[] {
  const greeting: Phrase = { name: "greeting", text: "", recorded: null };
  const call: TalkCall = {
    canBook: true,
    canTransfer: true,
    isOutbound: true,
    agentName: "आशा",
    contactName: named ? "रवि" : null,
    greeting,
    greetingAsksIdentity: false,
  };
  const fixed = Object.values(phrases).filter((each): each is Phrase => typeof each !== "function");
  return [
    ...fixed,
    phrases.greeting({ greeting: "", agentName: "आशा" }),
    ...[
      phrases.identity,
      phrases.identityKeys,
      phrases.whoIsCalling,
      phrases.isPersonal,
      phrases.fetch,
      phrases.screened,
    ].map((say) => say(call)),
    ...[true, false].map((isTriedAgain) => phrases.message({ ...call, isTriedAgain })),
    ...[phrases.appointment, phrases.cancel].map((say) => say(APPOINTMENT)),
    ...[phrases.attendKeys, phrases.bookKeys, phrases.changeKeys, phrases.messageKeys, phrases.furtherKeys].map((say) =>
      say(HINTS),
    ),
    phrases.offerByKey("1", SLOT),
    ...[1, 3].map((count) => phrases.offer(0, count, SLOT)),
    phrases.whichKeys(3),
    ...[phrases.slot, phrases.rescheduled, phrases.booked].map((say) => say(SLOT)),
    phrases.dayConflict(MOMENT),
    phrases.dayConflict({ ...MOMENT, date: null }),
    phrases.callbackTime(SLOT),
    phrases.callLater(SLOT),
    phrases.callLater(null),
    ...(["yes", "no", "another_time", "person", "backchannel"] as const).map((intent) => phrases.doubt(intent)),
  ];
}

test("every phrase is in Devanagari, without digits or Latin letters", () => {
  for (const named of [true, false]) {
    for (const { text } of everyPhrase(hindi, named)) expect(text).toMatch(/^[\u0900-\u097F\s,?!]+$/);
  }
});

test("both languages have the same phrases, with the same recordings", () => {
  const kinds = (phrases: Phrases) => everyPhrase(phrases, true).map(({ name, recorded }) => ({ name, recorded }));
  expect(kinds(hindi)).toEqual(kinds(english));
  expect(Object.keys(hindi).toSorted()).toEqual(Object.keys(english).toSorted());
});

test("phrases exist for English and Hindi", () => {
  expect(["en-IN", "hi", "Hindi", "ta-IN"].map(canTalkIn)).toEqual([true, true, true, false]);
  expect([phrasesIn("hi-IN"), phrasesIn("en"), phrasesIn("ta")]).toEqual([hindi, english, english]);
});

test("a Hindi call goes from the greeting to a confirmed appointment", async () => {
  const stage = setTalkingStage({ brief: { language: "hi-IN", greeting: "नमस्ते, सिटी अस्पताल से बोल रही हूँ।" } });
  await stage.answer();
  await stage.pass(2 * SOUND_MS + 100);
  expect(stage.last()).toBe("क्या मैं Ravi से बात कर रही हूँ?");
  await stage.says("जी हाँ, बोल रहा हूँ।");
  await stage.pass(2 * SOUND_MS + 100);
  expect(stage.last()).toBe(hindi.attend.text);
  await stage.says("हाँ, मैं आऊँगा।");
  await stage.pass(2 * SOUND_MS + 100);
  expect(stage.count("desk: confirm")).toBe(1);
  expect(stage.last()).toBe(hindi.goodbye.text);
  expect(stage.agent.ended("us").extractedDetails).toMatchObject({ answer: "confirmed", answered_by: "voice" });
});

test("an alarm in Hindi leads to the fixed phrase", async () => {
  const stage = setTalkingStage({ brief: { language: "hi-IN", greeting: "नमस्ते।", transferTo: null } });
  await stage.answer();
  await stage.pass(2 * SOUND_MS + 100);
  await stage.says("मेरे सीने में बहुत दर्द हो रहा है");
  await stage.pass(100);
  expect(stage.heard()).toContain(hindi.emergencyAlone.text);
});

test("a keypad call asks for identity, tells and confirms the appointment in Hindi", async () => {
  const stage = setStage({ brief: { language: "hi-IN", greeting: "", contactName: "रवि" } });
  await stage.answer();
  await stage.clock.advance(2 * SOUND_MS);
  expect(stage.heard()[1]).toStartWith("अगर मैं रवि से बात कर रही हूँ, तो एक दबाइए।");
  await stage.press("1");
  await stage.clock.advance(2 * SOUND_MS);
  expect(stage.heard()).toContain(hindi.appointment(APPOINTMENT).text);
  await stage.press("1");
  expect(stage.happened).toContain("desk: confirm");
  expect(stage.happened).toContain(`play ${hindi.confirmed.text}`);
});
