// Unknown inbound callers are asked for their name before times are searched; they can book without one, too.
import { describe, expect, test } from "bun:test";
import { OFFERS, Talk } from "./talk.ts";

/** An inbound caller asks for an appointment. */
const caller = (more = {}) =>
  new Talk({ isOutbound: false, contactName: null, ...more }).event({ type: "lookedUp", appointment: null }).hears();
const wants = () => caller().says("yes");

/** From the offered times to the yes that books the first. */
const booksFirst = (talk: Talk) =>
  talk
    .event({ type: "offered", offers: OFFERS })
    .hears()
    .means({ choice: { index: 0, confidence: 0.95 } })
    .hears()
    .says("yes");

describe("the name of who calls us", () => {
  test("is asked before times are searched, read back once, and stored with the booking", () => {
    const talk = wants();
    expect(talk.words).toBe("May I have your name, please?");
    talk.hears().means({ text: "My name is asha rao." });
    expect(talk.words).toBe("Your name is Asha Rao. Is that right?");
    talk.hears().says("yes");
    expect(talk.action).toEqual({ do: "offer", wish: null });
    expect(booksFirst(talk).action).toEqual({ do: "book", label: "A", name: "Asha Rao" });
  });

  test("is stored with the waiting-list entry, too", () => {
    const talk = caller({ canWait: true }).says("yes").hears().means({ text: "Asha" }).hears().says("yes");
    talk.event({ type: "offered", offers: [] }).hears().says("yes");
    expect(talk.action).toEqual({ do: "wait", wish: null, name: "Asha" });
  });

  test("a time named before is searched afterwards", () => {
    const at = { date: "2026-12-01", dateEnd: null, time: "10:30", partOfDay: null, conflict: false } as const;
    const talk = caller().means({ moment: at }).hears().means({ text: "This is Asha" }).hears().says("yes");
    expect(talk.action).toEqual({ do: "offer", wish: at });
  });

  test("is not asked if known, on outbound calls, or for a reserved slot", () => {
    expect(caller({ contactName: "Asha" }).says("yes").does).toBe("offer");
    expect(
      new Talk({ contactName: null })
        .hears()
        .says("yes")
        .event({ type: "lookedUp", appointment: null })
        .hears()
        .says("yes").does,
    ).toBe("offer");
  });

  test("misheard once, it is asked again; the second time it is skipped", () => {
    const talk = wants().hears().means({ text: "Usher" }).hears().says("no");
    expect(talk.words).toBe("Please say your name once more.");
    talk.hears().means({ text: "Asher" });
    expect(talk.words).toBe("Your name is Asher. Is that right?");
    talk.hears().says("no");
    expect(talk.does).toBe("offer");
    expect(booksFirst(talk).action).toEqual({ do: "book", label: "A", name: null });
  });

  test("corrected in the same utterance, it is read back at once", () => {
    const talk = wants()
      .hears()
      .means({ text: "Usher" })
      .hears()
      .means({ text: "No, my name is Asha.", said: ["no"] });
    expect(talk.words).toBe("Your name is Asha. Is that right?");
    expect(talk.hears().says("yes").state.callerName).toBe("Asha");
  });

  test("after two silences, two misunderstandings, a refusal or a key, times are offered without it", () => {
    const silent = wants().hears().event({ type: "silence" });
    expect(silent.words).toContain("May I have your name");
    expect(silent.hears().event({ type: "silence" }).does).toBe("offer");
    const unclear = wants().hears().means({ text: "What do you need that for" });
    expect(unclear.words).toContain("May I have your name");
    expect(unclear.hears().means({ text: "I was at the market" }).does).toBe("offer");
    expect(
      wants()
        .hears()
        .means({ text: "No.", said: ["no"] }).does,
    ).toBe("offer");
    expect(wants().hears().presses("2").does).toBe("offer");
  });

  test("a caller without recognition is not asked; one whose recognition is lost is not asked again", () => {
    expect(caller().event({ type: "deaf" }).hears().presses("1").does).toBe("offer");
    expect(wants().hears().event({ type: "deaf" }).does).toBe("offer");
  });

  test("losing recognition during the read-back does not count as yes", () => {
    const talk = wants().hears().means({ text: "Asha" }).hears().event({ type: "deaf" });
    expect(talk.does).toBe("offer");
    expect(booksFirst(talk).action).toEqual({ do: "book", label: "A", name: null });
    const quiet = wants().hears().means({ text: "Asha" }).hears().event({ type: "silence" }).hears();
    expect(booksFirst(quiet.event({ type: "silence" })).action).toEqual({ do: "book", label: "A", name: null });
  });

  test("is asked once, however often times are searched", () => {
    const talk = wants().hears().means({ text: "Asha" }).hears().says("yes");
    talk.event({ type: "offered", offers: OFFERS }).hears().says("another_time").hears();
    expect(talk.says("yes").action).toEqual({ do: "offer", wish: null });
  });

  test("emergencies and requests for a person count here, too", () => {
    expect(
      wants()
        .hears()
        .means({ text: "chest pain", said: ["emergency"] }).words,
    ).toContain("emergency");
    expect(wants().hears().says("person").state.work).toBe("transfer");
  });

  test("an unclear name is asked again first; a second one leads to the danger question", () => {
    const unclear = { text: "ash are", said: ["alarm_like"], sure: 0.5 } as const;
    const once = wants()
      .hears()
      .means({ ...unclear, text: "I was at the" });
    expect(once.words).toContain("May I have your name");
    expect(once.hears().means({ ...unclear, text: "I was at the" }).words).toContain("Are you in pain or in danger?");
  });

  test("hanging up at the question leaves an open request", () => {
    expect(wants().hears().state.outcome).toBe("none");
  });
});
