// The wish not to be called again counts in every state of an outbound call, by key 9 and by clear words.
import { describe, expect, test } from "bun:test";
import { FIRST_STATE } from "../../../src/voice/conversation/model.ts";
import { agreedIn, finalOutcome } from "../../../src/voice/conversation/result.ts";
import type { AgentBrief } from "../../../src/voice/port.ts";
import { SOUND_MS } from "../stage.ts";
import { heardOut, setTalkingStage } from "../talking/callee.ts";
import { APPOINTMENT, OFFERS, Talk } from "./talk.ts";

const OPTED_OUT = "I have noted it. We will not call this number again. I am sorry to have troubled you.";
const agreed = ({ state }: Talk) => agreedIn(state, { timeZone: "Asia/Kolkata" } as AgentBrief);
const led = () => new Talk({}, { isLed: true });

const HOW = {
  "key 9": (talk: Talk) => talk.presses("9"),
  "clear words": (talk: Talk) => talk.says("do_not_call"),
} as const;

describe.each(Object.keys(HOW) as (keyof typeof HOW)[])("by %s", (how) => {
  const wishes = HOW[how];

  test("after a model's turn", () => {
    const talk = wishes(led().identified().means({ text: "Is there parking?" }));
    expect(talk.words).toStartWith(OPTED_OUT);
    expect(agreed(talk)).toEqual({ optOut: true });
  });

  test("while the calendar works: at once, and the result of the work is told first", () => {
    const talk = wishes(new Talk().identified().says("yes"));
    expect(agreed(talk)).toEqual({ optOut: true });
    talk.event({ type: "confirmed", isDone: true });
    expect(talk.words).toStartWith(`Thank you. Your appointment is confirmed. ${OPTED_OUT}`);
  });

  test("while the appointment is looked up, and while times are", () => {
    const known = wishes(new Talk().hears().says("yes")).event({ type: "lookedUp", appointment: APPOINTMENT });
    expect(known.words).toStartWith(OPTED_OUT);
    const offered = wishes(new Talk().identified().says("another_time")).event({ type: "offered", offers: OFFERS });
    expect(offered.words).toStartWith(OPTED_OUT);
  });

  test("during a transfer, whether it is answered or not", () => {
    const transfer = () => wishes(new Talk().identified().says("person").hears());
    expect(agreed(transfer())).toEqual({ optOut: true });
    const answered = transfer().event({ type: "transferred", outcome: "answered" });
    expect([answered.does, finalOutcome(answered.state)]).toEqual(["hangUp", "transferred"]);
    expect(agreed(answered)).toEqual({ optOut: true });
    expect(transfer().event({ type: "transferred", outcome: "refused" }).words).toContain(OPTED_OUT);
  });

  test("in an emergency it is noted, and help goes on", () => {
    const talk = wishes(new Talk().identified().says("emergency"));
    expect(talk.words).toContain("This may be an emergency.");
    expect(agreed(talk)).toEqual({ optOut: true });
    expect(talk.hears().does).toBe("consult");
  });

  test("while a message is left on a machine and a person picks up", () => {
    const talk = wishes(new Talk().hears().says("machine"));
    expect(talk.words).toStartWith(OPTED_OUT);
    expect(agreed(talk)).toEqual({ optOut: true });
  });

  test("never on an inbound call, whose number may be another person's", () => {
    const talk = wishes(new Talk({ isOutbound: false }).event({ type: "lookedUp", appointment: APPOINTMENT }).hears());
    expect(agreed(talk)).toEqual({});
  });
});

test("key 9 does not answer the question of danger", () => {
  const asked = new Talk()
    .identified()
    .means({ said: ["alarm_like"], sure: 0.8 })
    .hears()
    .presses("9");
  expect(asked.state.question).toBe("danger");
  expect(agreed(asked)).toEqual({ optOut: true });
  expect(asked.says("no").words).toStartWith(OPTED_OUT);
});

test("a callee who presses 9 and hangs up while the calendar works has opted out", () => {
  const { state } = new Talk().identified().says("another_time").presses("9");
  expect(state).not.toEqual(FIRST_STATE);
  expect(finalOutcome(state)).toBe("opted_out");
});

test("a person who picks up during the message is heard", async () => {
  for (const how of ["words", "key"] as const) {
    const stage = setTalkingStage({ brief: { notices: { hospital: "City Hospital", callbackNumber: null } } });
    await stage.answer();
    await heardOut(stage, 1);
    await stage.says("Please leave a message after the tone.", { forMs: 1_800 });
    await stage.pass(4_000);
    expect(stage.last()).toContain("sorry to have missed you");
    if (how === "key") await stage.press("9");
    else await stage.says("Hello, stop calling me.", { forMs: 900, thenMs: 900 });
    await stage.pass(SOUND_MS);
    expect(stage.heard()).toContain(OPTED_OUT);
    expect(stage.happened).toContain('agree {"optOut":true}');
  }
});
