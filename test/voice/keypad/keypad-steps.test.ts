// The keypad agent under every order of keys, silences and faults.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  FIRST_STATE,
  type KeypadCall,
  type KeypadEvent,
  type KeypadState,
  type Phase,
} from "../../../src/voice/keypad/keypad-model.ts";
import type { Sound } from "../../../src/telephony/port.ts";
import { nextMove } from "../../../src/voice/keypad/keypad-steps.ts";
import { english as words } from "../../../src/voice/keypad/lines/en.ts";
import { APPOINTMENT, OFFERS, setStage, soundOf } from "./stage.ts";

const CALL: KeypadCall = {
  words,
  canBook: true,
  canTransfer: true,
  isOutbound: true,
  hasRecordedMenu: false,
  recordedGreeting: null,
  message: { name: "message", text: "We will try again.", recorded: null },
};
const ALL_TOLD = { isTold: () => true, isUnderWay: () => false };
const NOTHING_TOLD = { isTold: () => false, isUnderWay: () => false };

const EVENTS: { [Type in KeypadEvent["type"]]: Extract<KeypadEvent, { type: Type }> } = {
  said: { type: "said", wasHeard: true },
  silence: { type: "silence" },
  key: { type: "key", key: "1" },
  machine: { type: "machine" },
  lookedUp: { type: "lookedUp", appointment: APPOINTMENT, canBeNamed: true },
  confirmed: { type: "confirmed", isDone: true },
  changeRequested: { type: "changeRequested", isDone: true },
  offered: { type: "offered", offers: OFFERS },
  booked: { type: "booked", slot: OFFERS[0] ?? null },
  joined: { type: "joined", isDone: true },
  declined: { type: "declined", isDone: true },
  undone: { type: "undone", isDone: true, appointment: APPOINTMENT },
  transferred: { type: "transferred", outcome: "answered" },
  unreachable: { type: "unreachable", isLate: true },
};

/** Phase → event → where it leads. What is not listed is ignored. */
const LEADS_TO: Record<Phase, Partial<Record<KeypadEvent["type"], Phase>>> = {
  greeting: { said: "lookingUp", key: "lookingUp", machine: "telling" },
  lookingUp: { lookedUp: "menu", key: "lookingUp", machine: "telling" },
  menu: { said: "listening", key: "confirming", machine: "telling" },
  listening: { silence: "menu", key: "confirming", machine: "telling" },
  confirming: { confirmed: "telling", unreachable: "telling" },
  requesting: { changeRequested: "telling", unreachable: "telling" },
  offering: { offered: "offers", unreachable: "telling" },
  offers: { said: "choosing", key: "booking" },
  choosing: { silence: "offers", key: "booking" },
  booking: { booked: "telling", unreachable: "telling" },
  announcing: { said: "transferring" },
  transferring: { transferred: "over" },
  telling: { said: "over" },
  undoing: { undone: "requesting", unreachable: "telling" },
  waitMenu: { said: "waitChoosing", key: "joining" },
  waitChoosing: { silence: "waitMenu", key: "joining" },
  joining: { joined: "telling", unreachable: "telling" },
  place: { said: "placeChoosing", key: "booking", machine: "telling" },
  placeChoosing: { silence: "place", key: "booking", machine: "telling" },
  stayMenu: { said: "stayChoosing", key: "declining" },
  stayChoosing: { silence: "stayMenu", key: "declining" },
  declining: { declined: "telling", unreachable: "telling" },
  over: {},
};

describe("every pair of phase and event is decided:", () => {
  for (const [phase, leads] of Object.entries(LEADS_TO) as [Phase, Partial<Record<string, Phase>>][]) {
    test(phase, () => {
      const state: KeypadState = {
        ...FIRST_STATE,
        phase,
        appointment: APPOINTMENT,
        hasAppointment: true,
        teller: words.appointment(APPOINTMENT),
        wasMenuHeard: true,
        offers: OFFERS,
      };
      for (const event of Object.values(EVENTS)) {
        const move = nextMove(state, event, CALL, ALL_TOLD);
        expect([event.type, move.state.phase]).toEqual([event.type, leads[event.type] ?? phase]);
        if (leads[event.type] === undefined) expect(move).toEqual({ state, action: null });
      }
    });
  }
});

test("where the look-up failed, a recorded menu's key 1 still confirms, a spoken menu's does not", () => {
  const keyOne = (hasRecordedMenu: boolean) => {
    const call = { ...CALL, hasRecordedMenu };
    const failed = { type: "lookedUp", appointment: "unknown", canBeNamed: false } as const;
    const known = nextMove({ ...FIRST_STATE, phase: "lookingUp" }, failed, call, NOTHING_TOLD);
    return nextMove(known.state, { type: "key", key: "1" }, call, ALL_TOLD).action;
  };
  expect(keyOne(true)).toEqual({ do: "confirm" });
  expect(keyOne(false)).toMatchObject({ do: "say" });
});

const MOST_CALL_MS = 6 * 60_000;

type Fate = "done" | "nothing" | "fails" | "hangs";
const fate = fc.constantFrom<Fate>("done", "nothing", "fails", "hangs");

function meet<Value>(each: Fate, done: Value, nothing: Value): Promise<Value> {
  if (each === "fails") return Promise.reject(new Error("down"));
  return each === "hangs" ? new Promise(() => {}) : Promise.resolve(each === "done" ? done : nothing);
}

test("whatever is pressed and whatever fails, the call ends in bounded time, hung up once, nothing saved twice", async () => {
  const happening = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom("1", "2", "3", "4", "9", "0", "7", "#") },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 12_000 }) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { maxLength: 25 }),
      fc.record({
        appointment: fate,
        confirm: fate,
        change: fate,
        offer: fate,
        book: fate,
        voice: fate,
        transfer: fate,
      }),
      fc.boolean(),
      fc.boolean(),
      async (happenings, fates, canBook, isDeaf) => {
        const stage = setStage({
          isDeaf,
          recorded: isDeaf ? ["menu"] : [],
          voice: () => meet<Sound | null>(fates.voice, soundOf(1_000), null),
          transfer: () => meet<"answered" | "refused">(fates.transfer, "answered", "refused"),
          desk: {
            canBook,
            appointment: () => meet<typeof APPOINTMENT | null>(fates.appointment, APPOINTMENT, null),
            confirm: () => meet(fates.confirm, true, false),
            requestChange: () => meet(fates.change, true, false),
            offer: () => meet(fates.offer, OFFERS, []),
            book: (label) => meet(fates.book, OFFERS.find((offer) => offer.label === label) ?? null, null),
          },
        });
        await stage.answer();
        const startedAt = stage.clock.now();
        let presses = 0;
        for (const each of happenings) {
          const savedBefore = saved(stage.happened);
          if (typeof each === "number") {
            await stage.clock.advance(each);
            // Only a key that came before the appointment was known is still owed its effect.
            expect(saved(stage.happened) - savedBefore).toBeLessThanOrEqual(1);
          } else {
            presses++;
            await stage.press(each);
            expect(saved(stage.happened) - savedBefore).toBeLessThanOrEqual(1);
          }
        }
        await stage.clock.advance(Math.max(0, MOST_CALL_MS - (stage.clock.now() - startedAt)));
        expect(stage.count("hang up")).toBe(1);
        expect(stage.happened.at(-1)).toBe("hang up");
        expect(saved(stage.happened)).toBeLessThanOrEqual(presses);
        expect(stage.count("desk: confirm")).toBeLessThanOrEqual(1);
        expect(stage.count("desk: change")).toBeLessThanOrEqual(1);
        expect(stage.agent.ended("us").extractedDetails).not.toMatchObject({ keypad_answer: "unsettled" });
      },
    ),
    { numRuns: 150 },
  );
}, 180_000);

const saved = (happened: readonly string[]): number =>
  happened.filter((what) => what === "desk: confirm" || what.startsWith("desk: book")).length;
