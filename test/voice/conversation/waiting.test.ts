// The waiting list in a conversation: being put on it where nothing suits, and a place that has opened.
import { describe, expect, test } from "bun:test";
import { nextMove } from "../../../src/voice/keypad/keypad-steps.ts";
import { FIRST_STATE, type KeypadCall, type KeypadEvent, type Move } from "../../../src/voice/keypad/keypad-model.ts";
import { english as words } from "../../../src/voice/keypad/lines/en.ts";
import { OFFERS, Talk, moment } from "./talk.ts";

const [PLACE] = OFFERS;
const NOTHING = { type: "offered", offers: [] } as const;

describe("by voice, where nothing suits", () => {
  test("they are asked, and written down with a yes, near what they wished for", () => {
    const talk = new Talk({ canWait: true }).identified(null);
    talk.means({ said: ["another_time"], moment: moment({ date: "2026-12-01" }) }).event(NOTHING);
    expect(talk.words).toContain("Shall I put you on the waiting list?");
    talk.hears().says("yes");
    expect(talk.action).toMatchObject({ do: "wait", wish: { date: "2026-12-01" } });
    talk.event({ type: "waited", isDone: true });
    expect([talk.words.startsWith("You are on the waiting list."), talk.state.outcome]).toEqual([true, "waitlisted"]);
  });

  test("a no puts nobody on it, and what could not be written is not promised", () => {
    const asked = () => new Talk({ canWait: true }).identified(null).says("yes").event(NOTHING).hears();
    expect(asked().says("no").state.outcome).toBe("nothing_open");
    expect(asked().says("yes").event({ type: "waited", isDone: false }).state.outcome).toBe("not_saved");
  });

  test("without a waiting list they are told that nothing is open", () => {
    expect(new Talk().identified(null).says("yes").event(NOTHING).state.outcome).toBe("nothing_open");
  });

  test("whoever has tried every day that they can think of may wait as well", () => {
    const talk = new Talk({ canWait: true }).identified(null).says("yes");
    talk.event({ type: "offered", offers: OFFERS }).hears().says("no").hears().says("no");
    expect(talk.state.question).toBe("wait");
  });
});

describe("by voice, a place of the waiting list", () => {
  const offered = () =>
    new Talk({ hasPlace: true })
      .hears()
      .says("yes")
      .event({ type: "lookedUp", appointment: null })
      .event({ type: "offered", offers: [PLACE!] });

  test("is told after they said who they are, and booked with a yes to it", () => {
    const talk = offered();
    expect(talk.words).toMatch(/^A place has opened for you on .* Would you like it\?$/);
    // A yes that came before the words agrees to nothing.
    expect(offered().says("yes").does).toBe("say");
    talk.hears().says("yes");
    expect(talk.action).toEqual({ do: "book", label: "A", name: null });
    expect(talk.event({ type: "booked", slot: PLACE! }).state.outcome).toBe("booked");
  });

  test.each([
    ["yes", true, "stays_waiting"],
    ["no", false, "left_list"],
  ] as const)("is declined, and to staying on the list they say %s", (said, stays, outcome) => {
    const talk = offered().hears().says("no");
    expect(talk.words).toBe("Would you like to stay on the waiting list?");
    talk.hears().says(said);
    expect(talk.action).toEqual({ do: "decline", stays });
    expect(talk.event({ type: "placeDeclined", isDone: true }).state.outcome).toBe(outcome);
  });

  test("silence after a no keeps them on the list", () => {
    const talk = offered().hears().says("no").hears();
    for (let i = 0; i < 2; i++) talk.event({ type: "silence" }).hears();
    expect(talk.event({ type: "silence" }).action).toEqual({ do: "decline", stays: true });
  });

  test("that was taken back is never promised", () => {
    const none = new Talk({ hasPlace: true }).hears().says("yes").event({ type: "lookedUp", appointment: null });
    expect(none.event(NOTHING).state.outcome).toBe("place_gone");
    const late = offered().hears().says("yes").event({ type: "booked", slot: null });
    expect([late.state.outcome, late.words]).toEqual(["place_gone", expect.stringContaining("You stay on")]);
  });
});

describe("by keys", () => {
  const CALL: KeypadCall = {
    words,
    canBook: true,
    canTransfer: true,
    isOutbound: true,
    hasRecordedMenu: false,
    recordedGreeting: null,
    message: words.goodbye,
  };
  const told = { isTold: () => true, isUnderWay: () => false };
  const after = (call: Partial<KeypadCall>, ...events: KeypadEvent[]): Move => {
    let move: Move = { state: FIRST_STATE, action: null };
    for (const event of events) move = nextMove(move.state, event, { ...CALL, ...call }, told);
    return move;
  };
  const said: KeypadEvent = { type: "said", wasHeard: true };
  const key = (pressed: string): KeypadEvent => ({ type: "key", key: pressed });
  const none: KeypadEvent = { type: "lookedUp", appointment: null, canBeNamed: false };
  const place: KeypadEvent = { type: "offered", offers: [PLACE!] };

  test("nothing is open: 1 puts them on the list", () => {
    const asked = [said, none, said, key("2"), NOTHING];
    expect(after({ canWait: true }, ...asked).action).toEqual({ do: "say", lines: [words.nothingOpen, words.wait] });
    expect(after({ canWait: true }, ...asked, said, key("1")).action).toEqual({ do: "join" });
    const on = after({ canWait: true }, ...asked, said, key("1"), { type: "joined", isDone: true });
    expect(on.state.answer).toBe("waitlisted");
    expect(after({ canWait: true }, ...asked, said, key("2")).state.answer).toBe("nothing_open");
  });

  test("none suits: they may wait for another", () => {
    const move = after(
      { canWait: true },
      said,
      none,
      said,
      key("2"),
      { type: "offered", offers: OFFERS },
      said,
      key("0"),
    );
    expect(move.action).toEqual({ do: "say", lines: [words.wait] });
  });

  test("a place: 1 takes it, 2 asks whether they stay", () => {
    const offered = after({ hasPlace: true }, said, none, place);
    expect(offered.action).toEqual({ do: "say", lines: [words.place(PLACE!), words.placeKeys] });
    expect(after({ hasPlace: true }, said, none, place, key("1")).action).toEqual({ do: "book", label: "A" });
    const stays = after({ hasPlace: true }, said, none, place, said, key("2"), said, key("1"));
    expect(stays.action).toEqual({ do: "decline", stays: true });
    const leaves = after({ hasPlace: true }, said, none, place, said, key("2"), said, key("2"));
    expect(leaves.action).toEqual({ do: "decline", stays: false });
    expect(after({ hasPlace: true }, said, none, NOTHING).state.answer).toBe("place_gone");
  });
});
