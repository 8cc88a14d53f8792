// Suspected emergencies: a near match leads to the danger question, and anything but a denial leads to the fixed
// phrase. A callee who is not understood three times reaches a person and never a goodbye.
import { describe, expect, test } from "bun:test";
import { hearingNow, meaningOf } from "../../../src/voice/talking/hearing-words.ts";
import { FIRST_STATE } from "../../../src/voice/conversation/model.ts";
import { APPOINTMENT, Talk } from "./talk.ts";

const QUESTION = "Are you in pain or in danger?";
const PHRASE = "This may be an emergency.";

describe("a near-hit", () => {
  const asked = () => new Talk().identified().says("alarm_like");

  test("leads to the danger question in every question", () => {
    expect(asked().words).toBe(QUESTION);
    expect(new Talk().hears().says("alarm_like").words).toBe(QUESTION);
  });

  test.each([
    ["a yes", (talk: Talk) => talk.says("yes")],
    ["a likely yes", (talk: Talk) => talk.means({ said: ["yes"], sure: 0.6 })],
    ["another word of danger", (talk: Talk) => talk.says("alarm_like")],
    ["silence", (talk: Talk) => talk.event({ type: "silence" })],
    ["words that nobody understands", (talk: Talk) => talk.means({ text: "cast bin" })],
    ["a thank-you", (talk: Talk) => talk.says("thanks_or_bye")],
    ["key 1", (talk: Talk) => talk.presses("1")],
    ["a recogniser that fails twice", (talk: Talk) => talk.event({ type: "deaf" }).hears().event({ type: "deaf" })],
  ])("and %s after it to the fixed phrase and a person", (_, answer) => {
    const talk = answer(asked().hears());
    expect(talk.words).toContain(PHRASE);
    expect(talk.hears().does).toBe("consult");
    expect(talk.state.outcome).toBe("emergency");
  });

  test.each([
    ["a no", (talk: Talk) => talk.says("no")],
    ["No, I am fine", (talk: Talk) => talk.means({ text: "No, I am fine.", said: ["yes"], sure: 0.5 })],
    ["I am fine, thank you", (talk: Talk) => talk.means({ text: "I am fine, thank you.", said: ["yes"] })],
    ["Main theek hoon", (talk: Talk) => talk.means({ text: "Main theek hoon." })],
    ["key 2", (talk: Talk) => talk.presses("2")],
  ])("and %s back to what was asked before", (_, answer) => {
    const talk = answer(asked().hears());
    expect(talk.words).toContain("Will you come?");
    expect(talk.hears().says("yes").does).toBe("confirm");
  });

  test("of unclear words leads to the question, and unclear words again to a person", () => {
    const unclear = { said: ["alarm_like"] as const, sure: 0.5 };
    const talk = new Talk().identified().means(unclear);
    expect(talk.words).toEndWith(QUESTION);
    expect(talk.words).toContain("I did not understand");
    talk.hears().means(unclear);
    expect(talk.words).toContain(QUESTION);
    expect(talk.hears().means(unclear).words).toContain("I am connecting you to a person.");
  });

  test("by sound only: a meaningless answer repeats the question once, then a person decides", () => {
    const babble = { text: "I know when I'm tired." };
    const talk = new Talk()
      .identified()
      .means({ said: ["alarm_like"], sure: 0.6 })
      .hears();
    expect(talk.means(babble).words).toContain("I did not understand");
    expect(talk.words).toEndWith(QUESTION);
    expect(talk.hears().means(babble).words).toContain("I am connecting you to a person.");
    expect(talk.hears().does).toBe("transfer");
    expect(talk.state.outcome).toBe("not_understood");
  });

  test("by sound only, with two failures of the recogniser: a person decides", () => {
    const talk = new Talk()
      .identified()
      .means({ said: ["alarm_like"], sure: 0.6 })
      .hears();
    expect(talk.event({ type: "deaf" }).words).toContain("Press 1 for yes");
    expect(talk.hears().event({ type: "deaf" }).words).toContain("I am connecting you to a person.");
  });

  test.each([
    ["words without sense", { text: "Good evening." }],
    ["a yes", { text: "Yeah, so this is a programme.", said: ["yes"], sure: 0.6 }],
    ["a no", { text: "No.", said: ["no"] }],
  ] as const)("%s before the question was heard answers something else", (_, words) => {
    const talk = asked().means(words);
    expect(talk.words).toEndWith(QUESTION);
    expect(talk.hears().means({ text: "cast bin" }).words).toContain(PHRASE);
  });

  test("a key pressed before the question was heard answers the previous question", () => {
    expect(new Talk().identified().says("alarm_like").presses("1").does).toBe("confirm");
    expect(new Talk().identified().says("alarm_like").hears().presses("1").words).toContain(PHRASE);
  });

  test("the interrupted question keeps its number of attempts", () => {
    const talk = new Talk().identified().means({}).hears().means({}).hears();
    talk.says("alarm_like").hears().says("no");
    expect(talk.words).toContain("Will you come?");
    expect(talk.hears().means({}).words).toContain("Will you come?");
  });

  test("by sound only: a no to the second question resumes the call, silence counts as yes", () => {
    const asked = () =>
      new Talk()
        .identified()
        .means({ said: ["alarm_like"], sure: 0.6 })
        .hears()
        .means({ text: "cast bin" })
        .hears();
    expect(asked().says("no").words).toContain("Will you come?");
    expect(asked().event({ type: "silence" }).words).toContain(PHRASE);
  });

  test("by sound only: silence repeats the question once, and a second silence counts as yes", () => {
    const talk = new Talk()
      .identified()
      .means({ said: ["alarm_like"], sure: 0.6 })
      .hears();
    expect(talk.event({ type: "silence" }).words).toEndWith(QUESTION);
    expect(talk.hears().event({ type: "silence" }).words).toContain(PHRASE);
  });

  test("a clear request answers it, too", () => {
    expect(asked().hears().says("another_time").does).toBe("offer");
    expect(asked().hears().says("person").words).toBe("Please hold the line.");
  });

  test("leads to at most two questions; a clear cry still counts", () => {
    const talk = asked().hears().says("no").hears().says("alarm_like").hears().says("no").hears();
    expect(talk.says("alarm_like").words).not.toBe(QUESTION);
    expect(talk.says("emergency").words).toContain(PHRASE);
  });

  test("during calendar work leads to the question after the result was told", () => {
    const talk = new Talk().identified().says("yes");
    expect(talk.does).toBe("confirm");
    talk.says("alarm_like").event({ type: "confirmed", isDone: true });
    expect(talk.words).toContain("Your appointment is confirmed.");
    expect(talk.words).toEndWith(QUESTION);
    expect(talk.words).not.toContain("Goodbye");
    talk.hears().says("no");
    expect(talk.words).toContain("Goodbye");
    expect(talk.state.outcome).toBe("confirmed");
  });

  test("during the closing leads to the question, and silence then is not a goodbye", () => {
    const talk = new Talk().identified().says("yes").event({ type: "confirmed", isDone: true });
    expect(talk.words).toContain("Goodbye");
    expect(talk.says("alarm_like").words).toBe(QUESTION);
    expect(talk.hears().event({ type: "silence" }).words).toContain(PHRASE);
  });

  test("during the closing: after a no, only the interrupted phrases are repeated", () => {
    const told = new Talk().identified().says("yes").event({ type: "confirmed", isDone: true });
    expect(told.says("alarm_like").hears().says("no").words).toContain("Your appointment is confirmed.");
    const again = told.hearsOut().says("alarm_like").hears().says("no");
    expect(again.words).not.toContain("Your appointment is confirmed.");
    expect(again.words).toContain("Goodbye");
  });

  test("in a machine's greeting does not interrupt the message; a clear cry does", () => {
    const message = () => new Talk().says("machine");
    expect(message().words).toContain("sorry to have missed you");
    expect(message().means({ said: ["alarm_like"], sure: 0.6 }).words).toContain("sorry to have missed you");
    expect(message().says("emergency").words).toContain(PHRASE);
  });

  test("without a transfer target ends with the emergency number", () => {
    const talk = new Talk({ canTransfer: false }).identified().says("alarm_like").hears().says("yes");
    expect(talk.words).toContain("call the emergency number now");
    expect(talk.hears().does).toBe("hangUp");
    expect(talk.state.outcome).toBe("emergency");
  });
});

describe("an emergency is handed over:", () => {
  const asked = () => new Talk().identified().says("emergency").hears();
  const told = (outcome: "busy" | "no_answer" | "refused") => asked().event({ type: "transferred", outcome });

  test("the desk is consulted first; after joining, the line stays open and the agent is silent", () => {
    const talk = asked();
    expect(talk.does).toBe("consult");
    talk.event({ type: "transferred", outcome: "joined" });
    expect(talk.state).toMatchObject({ stage: "over", outcome: "emergency", handover: "connected" });
    expect(talk.does).toBe("consult");
  });

  test.each([
    ["busy", "the line of the hospital is busy"],
    ["no_answer", "nobody answered at the hospital"],
    ["refused", "nobody can take your call"],
  ] as const)("%s comes back to them with the emergency number", (outcome, words) => {
    const talk = told(outcome);
    expect(talk.words).toContain(words);
    expect(talk.words).toContain("call the emergency number now");
    expect(talk.state).toMatchObject({ outcome: "emergency", handover: outcome });
    expect(talk.hears().does).toBe("hangUp");
  });

  test("the peer's exchange is asked to transfer if only it can call the desk", () => {
    const talk = asked().event({ type: "transferred", outcome: "unsupported" });
    expect(talk.does).toBe("transfer");
    expect(talk.event({ type: "transferred", outcome: "handed_over" }).does).toBe("hangUp");
    expect(talk.state).toMatchObject({ outcome: "emergency", handover: "handed_over" });
  });
});

describe("a callee who is not understood three times", () => {
  const mumbles = (call = {}) => new Talk(call).identified().means({}).hears().means({}).hears().means({});

  test("reaches a person", () => {
    const talk = mumbles();
    expect(talk.words).toBe("I am sorry, I cannot understand you. I am connecting you to a person.");
    expect(talk.hears().does).toBe("transfer");
    talk.event({ type: "transferred", outcome: "answered" });
    expect(talk.state).toMatchObject({ outcome: "transferred", hasGivenUp: true });
  });

  test("is called back and told the emergency number if the transfer fails", () => {
    for (const talk of [
      mumbles().hears().event({ type: "transferred", outcome: "refused" }),
      mumbles({ canTransfer: false }),
    ]) {
      expect(talk.words).toContain("A person from the hospital will call you.");
      expect(talk.words).toContain("call the emergency number now");
      expect(talk.hears().does).toBe("hangUp");
      expect(talk.state.outcome).toBe("not_understood");
    }
  });

  test("and then stays silent reaches a person, too", () => {
    const talk = new Talk().identified().means({}).hears();
    talk.event({ type: "silence" }).hears();
    // The question was put three times by then.
    expect(talk.event({ type: "silence" }).words).toContain("I am connecting you to a person.");
  });
});

describe("what is heard as a near-hit", () => {
  const hearing = hearingNow(
    { ...FIRST_STATE, appointment: APPOINTMENT },
    "yes_no",
    { date: "2026-11-15", startTime: "12:00" },
    "en",
  );
  const intents = (text: string, more = {}) =>
    meaningOf({ text, confidence: 0.9, alarms: [], ...more }, hearing).intents.map(({ intent }) => intent);

  test.each([
    "I have cast pain.",
    "I have just pain.",
    "I have just been.",
    "There is so much blood here.",
    "My mother fell in the bathroom.",
    "I can breathe it.",
    "He cannot be properly.",
    "He is conscious again.",
    "My back hurts.",
  ])("%s", (text) => {
    expect(intents(text)).toContain("alarm_like");
  });

  test.each([
    "I have just been to the market.",
    "Shall I come for the blood test on Monday?",
    "My blood pressure is fine.",
    "I fell asleep.",
    "There is no pain any more.",
    "I am not in pain.",
    "I take my tablets every morning.",
    "Is the heart doctor there?",
    "Yes, I will be there.",
  ])("and not: %s", (text) => {
    expect(intents(text)).not.toContain("alarm_like");
    expect(intents(text)).not.toContain("emergency");
  });

  test("alternative hypotheses of the recogniser, and uncertain matches of the spotter", () => {
    expect(intents("I have paid it.")).not.toContain("alarm_like");
    expect(intents("I have paid it.", { others: ["I have chest pain."] })).toContain("alarm_like");
    expect(intents("I have paid it.", { others: ["I had paid it."] })).not.toContain("alarm_like");
    expect(intents("I have paid it.", { nearAlarms: ["chest pain"] })).toContain("alarm_like");
  });

  test("a clear alarm is not a near match", () => {
    expect(intents("I have chest pain.")).toEqual(["emergency"]);
  });
});

describe("the answer to the question, in words", () => {
  const answer = (text: string) => {
    const talk = new Talk().identified().says("alarm_like").hears();
    const hearing = hearingNow(talk.state, "yes_no", { date: "2026-11-15", startTime: "12:00" }, "hi-IN");
    return talk.event({ type: "heard", meaning: meaningOf({ text, confidence: 0.9, alarms: [] }, hearing) }).words;
  };

  test.each([
    "Yes, I am.",
    "I am not well.",
    "No, I am not fine.",
    "He is not okay.",
    "I do not feel well.",
    "I have pain, and I cannot walk.",
    "No, but my father fell.",
    "हाँ, दर्द है।",
    "Haan ji.",
    "मैं ठीक नहीं हूँ।",
    "Tabiyat theek nahi hai.",
    "Bahut dard hai, chal nahi sakta.",
    "बहुत दर्द है, चल नहीं सकता।",
  ])("danger: %s", (text) => expect(answer(text)).toContain(PHRASE));

  test.each([
    "No.",
    "No, I am fine.",
    "I am fine, there is no pain.",
    "No, I am not in danger.",
    "नहीं।",
    "जी नहीं।",
    "नहीं, सब ठीक है।",
    "मैं ठीक हूँ।",
    "Sab theek hai.",
    "Nahi, koi dard nahi hai.",
    "नहीं, दर्द नहीं है।",
  ])("none: %s", (text) => expect(answer(text)).toContain("Will you come?"));
});
