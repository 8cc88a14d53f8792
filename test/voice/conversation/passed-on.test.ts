// An appointment of the hospital's own system: the agent says that it passed the wish on, and nothing more.
import { describe, expect, test } from "bun:test";
import { analyseTalk } from "../../../src/voice/conversation/result.ts";
import { APPOINTMENT, moment, Talk } from "./talk.ts";

const OWNED = { ...APPOINTMENT, passedOn: ["cancel", "move"] as const };
const asked = (call: ConstructorParameters<typeof Talk>[0] = {}) =>
  new Talk(call).hears().says("yes").event({ type: "lookedUp", appointment: OWNED }).hears();

describe("cancelling", () => {
  const cancelled = () => asked().says("cancel_appointment").hears().says("yes");

  test("is asked for, passed on and told as that", () => {
    const talk = asked().says("cancel_appointment");
    expect(talk.words).toContain("Shall I tell the hospital that you want to cancel it?");
    expect(talk.hears().says("yes").action).toEqual({ do: "cancel" });
    talk.event({ type: "cancelled", isDone: true });
    expect(talk.words).toContain("I have told the hospital that you want to cancel your appointment.");
    expect(talk.words).not.toContain("is cancelled");
    expect(talk.state).toMatchObject({ outcome: "cancel_requested", appointment: OWNED });
  });

  test("can be taken back at the goodbye", () => {
    const talk = cancelled().event({ type: "cancelled", isDone: true });
    talk.says("no");
    expect(talk.action).toEqual({ do: "undo" });
  });

  test("has a result that says who decides", () => {
    const talk = cancelled().event({ type: "cancelled", isDone: true });
    const brief = { agentName: "City Clinic", direction: "outbound" } as Parameters<typeof analyseTalk>[0];
    const end = { state: talk.state, by: "us", hasSpoken: true, canTransfer: false } as Parameters<
      typeof analyseTalk
    >[1];
    expect(analyseTalk(brief, end).summary).toContain("The hospital's own system was told.");
  });
});

describe("another time", () => {
  test("that is named is passed on without an offer", () => {
    const talk = asked().means({ said: ["another_time"], moment: moment({ date: "2026-11-27", time: "15:00" }) });
    expect(talk.action).toMatchObject({ do: "requestChange", wish: { date: "2026-11-27", time: "15:00" } });
    talk.event({ type: "changeRequested", isDone: true });
    expect(talk.words).toContain("The hospital will call you to find another time.");
    expect(talk.state.outcome).toBe("change_requested");
  });

  test("that is not named is asked for once", () => {
    const talk = asked().says("another_time");
    expect(talk.words).toContain("Which day and time would suit you?");
    talk.hears().means({ moment: moment({ partOfDay: "morning" }) });
    expect(talk.action).toMatchObject({ do: "requestChange", wish: { partOfDay: "morning" } });
  });

  test("without an answer is passed on without a time", () => {
    const talk = asked().says("another_time").hears().says("no");
    expect(talk.action).toEqual({ do: "requestChange", wish: null });
  });
});
