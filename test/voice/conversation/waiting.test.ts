// The waiting list in a conversation: joining it, and a place that opened.
import { describe, expect, test } from "bun:test";
import type { TalkCall } from "../../../src/voice/conversation/model.ts";
import { OFFERS, Talk, moment } from "./talk.ts";

const [PLACE] = OFFERS;
const NOTHING = { type: "offered", offers: [] } as const;

describe("by voice, where nothing suits", () => {
  test("the contact is asked, and joins with a yes and the wish", () => {
    const talk = new Talk({ canWait: true }).identified(null);
    talk.means({ said: ["another_time"], moment: moment({ date: "2026-12-01" }) }).event(NOTHING);
    expect(talk.words).toContain("Shall I put you on the waiting list?");
    talk.hears().says("yes");
    expect(talk.action).toMatchObject({ do: "wait", wish: { date: "2026-12-01" } });
    talk.event({ type: "waited", isDone: true });
    expect([talk.words.startsWith("You are on the waiting list."), talk.state.outcome]).toEqual([true, "waitlisted"]);
  });

  test("a no adds no entry, and a failed write is not promised", () => {
    const asked = () => new Talk({ canWait: true }).identified(null).says("yes").event(NOTHING).hears();
    expect(asked().says("no").state.outcome).toBe("nothing_open");
    expect(asked().says("yes").event({ type: "waited", isDone: false }).state.outcome).toBe("not_saved");
  });

  test("without a waiting list the agent says that nothing is open", () => {
    expect(new Talk().identified(null).says("yes").event(NOTHING).state.outcome).toBe("nothing_open");
  });

  test("a contact who declined several days may join, too", () => {
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

  test("is offered after identity, and booked with a yes", () => {
    const talk = offered();
    expect(talk.words).toMatch(/^A place has opened for you on .* Would you like it\?$/);
    // A yes before the words were told agrees to nothing.
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

  test("that was withdrawn is never promised", () => {
    const none = new Talk({ hasPlace: true }).hears().says("yes").event({ type: "lookedUp", appointment: null });
    expect(none.event(NOTHING).state.outcome).toBe("place_gone");
    const late = offered().hears().says("yes").event({ type: "booked", slot: null });
    expect([late.state.outcome, late.words]).toEqual(["place_gone", expect.stringContaining("You stay on")]);
  });
});

describe("by keys", () => {
  const BY_KEYS = { byKeys: { isSpoken: true, hasRecordedMenu: false } } as const;
  const asked = (call: Partial<TalkCall>) =>
    new Talk({ ...BY_KEYS, ...call }).hears().presses("1").event({ type: "lookedUp", appointment: null });
  const NEVER_AGAIN = "Press 9 if you do not want to be called again.";

  test("nothing is open: 1 puts them on the list", () => {
    const open = () => asked({ canWait: true }).hears().presses("1").event(NOTHING);
    expect(open().words).toBe(
      `I am sorry, there is no time open at the moment. Shall I put you on the waiting list? We will call you when a place opens. Press 1 for yes, or 2 for no. ${NEVER_AGAIN}`,
    );
    expect(open().hears().presses("1").does).toBe("wait");
    expect(open().hears().presses("1").event({ type: "waited", isDone: true }).state.outcome).toBe("waitlisted");
    expect(open().hears().presses("2").state.outcome).toBe("nothing_open");
  });

  test("no offer fits: joining the list is offered", () => {
    const offered = asked({ canWait: true }).hears().presses("1").event({ type: "offered", offers: OFFERS });
    expect(offered.hears().presses("0").state.question).toBe("wait");
  });

  test("a place: 1 takes it, 2 asks whether they stay", () => {
    const offered = () => asked({ hasPlace: true }).event({ type: "offered", offers: [PLACE!] });
    expect(offered().words).toEndWith(`Would you like it? Press 1 for yes, or 2 for no. ${NEVER_AGAIN}`);
    expect(offered().presses("1").state.stage).toBe("asking");
    expect(offered().hears().presses("1").action).toEqual({ do: "book", label: "A", name: null });
    const stays = () => offered().hears().presses("2").hears();
    expect(stays().presses("1").action).toEqual({ do: "decline", stays: true });
    expect(stays().presses("2").action).toEqual({ do: "decline", stays: false });
    expect(asked({ hasPlace: true }).event(NOTHING).state.outcome).toBe("place_gone");
  });

  test("an open announcement greets before it offers the place", () => {
    const told = new Talk({ ...BY_KEYS, hasPlace: true, announcesOpenly: true }).event({
      type: "lookedUp",
      appointment: null,
    });
    expect(told.event({ type: "offered", offers: [PLACE!] }).words).toStartWith("Good morning. A place has opened");
  });
});
