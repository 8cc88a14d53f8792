// A conversation in Hindi, for hospitals with a recogniser of their own.
import { expect, test } from "bun:test";
import { english } from "../../../src/voice/conversation/lines/en.ts";
import { hindi } from "../../../src/voice/conversation/lines/hi.ts";
import { linesIn } from "../../../src/voice/conversation/lines/languages.ts";
import type { Lines } from "../../../src/voice/conversation/lines/lines.ts";
import type { TalkCall } from "../../../src/voice/conversation/model.ts";
import type { SpokenLine } from "../../../src/voice/conversation/lines/spoken-line.ts";
import { canTalkIn } from "../../../src/voice/talking/talk-call.ts";
import { APPOINTMENT, OFFERS, setStage, SOUND_MS } from "../stage.ts";
import { setTalkingStage } from "./callee.ts";

const SLOT = OFFERS[0] ?? { label: "A", date: "2026-05-06", startTime: "09:00", endTime: "09:30" };
const HINTS = { canTransfer: true, isOutbound: true };
const MOMENT = { date: "2026-05-06", dateEnd: null, time: null, partOfDay: null, conflict: true };

function everyLine(lines: Lines, named: boolean): SpokenLine[] {
  const greeting: SpokenLine = { name: "greeting", text: "", recorded: null };
  const call: TalkCall = {
    canBook: true,
    canTransfer: true,
    isOutbound: true,
    agentName: "आशा",
    contactName: named ? "रवि" : null,
    greeting,
    greetingAsksIdentity: false,
  };
  const fixed = Object.values(lines).filter((each): each is SpokenLine => typeof each !== "function");
  return [
    ...fixed,
    lines.greeting({ greeting: "", agentName: "आशा" }),
    ...[lines.identity, lines.identityKeys, lines.whoIsCalling, lines.isPersonal, lines.fetch, lines.screened].map(
      (say) => say(call),
    ),
    ...[true, false].map((isTriedAgain) => lines.message({ ...call, isTriedAgain })),
    ...[lines.appointment, lines.cancel].map((say) => say(APPOINTMENT)),
    ...[lines.attendKeys, lines.bookKeys, lines.changeKeys, lines.messageKeys, lines.furtherKeys].map((say) =>
      say(HINTS),
    ),
    lines.offerByKey("1", SLOT),
    ...[1, 3].map((count) => lines.offer(0, count, SLOT)),
    lines.whichKeys(3),
    ...[lines.slot, lines.rescheduled, lines.booked].map((say) => say(SLOT)),
    lines.dayConflict(MOMENT),
    lines.dayConflict({ ...MOMENT, date: null }),
    lines.callbackTime(SLOT),
    lines.callLater(SLOT),
    lines.callLater(null),
    ...(["yes", "no", "another_time", "person", "backchannel"] as const).map((intent) => lines.doubt(intent)),
  ];
}

test("every line of it is in Devanagari, without a figure or a Latin letter", () => {
  for (const named of [true, false]) {
    for (const { text } of everyLine(hindi, named)) expect(text).toMatch(/^[\u0900-\u097F\s,?!]+$/);
  }
});

test("both languages have the same lines, with the same recordings in their place", () => {
  const kinds = (lines: Lines) => everyLine(lines, true).map(({ name, recorded }) => ({ name, recorded }));
  expect(kinds(hindi)).toEqual(kinds(english));
  expect(Object.keys(hindi).toSorted()).toEqual(Object.keys(english).toSorted());
});

test("there are words for English and Hindi", () => {
  expect(["en-IN", "hi", "Hindi", "ta-IN"].map(canTalkIn)).toEqual([true, true, true, false]);
  expect([linesIn("hi-IN"), linesIn("en"), linesIn("ta")]).toEqual([hindi, english, english]);
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

test("an alarm in Hindi leads to the fixed line", async () => {
  const stage = setTalkingStage({ brief: { language: "hi-IN", greeting: "नमस्ते।", transferTo: null } });
  await stage.answer();
  await stage.pass(2 * SOUND_MS + 100);
  await stage.says("मेरे सीने में बहुत दर्द हो रहा है");
  await stage.pass(100);
  expect(stage.heard()).toContain(hindi.emergencyAlone.text);
});

test("a call by keys asks who they are, tells the appointment and confirms it, all in Hindi", async () => {
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
