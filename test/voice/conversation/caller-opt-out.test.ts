// An inbound caller with a known number can stop the calls. They are asked first.
import { expect, test } from "bun:test";
import { APPOINTMENT, Talk } from "./talk.ts";

const QUESTION = "Shall we never call this number again?";

/** An inbound call, up to the question for the appointment. */
const called = () =>
  new Talk({ isOutbound: false, isCallerKnown: true }).event({ type: "lookedUp", appointment: APPOINTMENT }).hears();

for (const sure of [0.6, 0.95])
  test(`the wish is asked once, whether it was understood well or not (${sure})`, () => {
    const talk = called().means({ said: ["do_not_call"], sure });
    expect(talk.words).toBe(QUESTION);
    expect(talk.state.outcome).toBe("none");
    expect(talk.hears().says("yes").state.outcome).toBe("opted_out");
  });

test("key 9 asks, and answers the question", () => {
  const talk = called().presses("9");
  expect(talk.words).toBe(QUESTION);
  expect(talk.hears().presses("9").state.outcome).toBe("opted_out");
  expect(called().presses("9").hears().presses("1").state.outcome).toBe("opted_out");
});

test("the same wish again is a yes", () => {
  expect(called().says("do_not_call").hears().says("do_not_call").state.outcome).toBe("opted_out");
});

test("a no goes back to the question before", () => {
  const talk = called().says("do_not_call").hears().says("no");
  expect(talk.state.outcome).toBe("none");
  expect(talk.words).toContain("Will you come?");
});

test("silence stores nothing", () => {
  const talk = called().says("do_not_call").hears();
  for (let i = 0; i < 3; i++) {
    talk.event({ type: "silence" });
    if (talk.does === "say") talk.hearsOut();
  }
  expect(talk.state.outcome).toBe("none");
});

test("at the closing the wish is asked, and the appointment stays confirmed", () => {
  const closing = () => called().says("yes").event({ type: "confirmed", isDone: true });
  const asked = closing().says("do_not_call");
  expect(asked.words).toBe(QUESTION);
  expect(asked.state.outcome).toBe("confirmed");
  expect(asked.hears().says("yes").state.outcome).toBe("opted_out");
  const kept = closing().hearsOut().presses("9").hears().says("no");
  expect(kept.state).toMatchObject({ outcome: "confirmed", stage: "telling" });
});

test("on a line with recordings alone, which cannot ask, key 9 stops the calls", () => {
  const byKeys = { isSpoken: false, hasRecordedMenu: true };
  const talk = new Talk({ isOutbound: false, isCallerKnown: true, byKeys });
  talk.event({ type: "lookedUp", appointment: APPOINTMENT }).hears().presses("9");
  expect(talk.state.outcome).toBe("opted_out");
});
