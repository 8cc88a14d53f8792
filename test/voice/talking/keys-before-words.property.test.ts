// Random keys at random times: a key pressed before its words confirms, moves and books nothing, and the appointment is
// not told before identity.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { english as words } from "../../../src/voice/conversation/phrases/en.ts";
import type { SlotOffer } from "../../../src/calendar/desk-port.ts";
import { APPOINTMENT, OFFERS, setStage, soundOf } from "../stage.ts";

const OTHER_OFFERS: SlotOffer[] = [
  { label: "A", date: "2026-05-11", startTime: "10:00", endTime: "10:30" },
  { label: "B", date: "2026-05-07", startTime: "17:15", endTime: "17:45" },
];
/** The last tenth of a sentence is the end of its last word. */
const TOLD = 0.9;

type Happening = { press: string } | { waitMs: number } | { hold: boolean };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("1", "2", "3", "0", "7").map((press) => ({ press })) },
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 6_000 }).map((waitMs) => ({ waitMs })) },
  { weight: 1, arbitrary: fc.boolean().map((hold) => ({ hold })) },
);

const circumstances = fc.record({
  ringing: fc.array(fc.constantFrom("1", "2", "3"), { maxLength: 3 }),
  happenings: fc.array(happening, { maxLength: 30 }),
  /** Whether slots were requested by then. */
  isAtTheOffers: fc.boolean(),
  lengthsMs: fc.array(fc.integer({ min: 20, max: 4_000 }), { minLength: 3, maxLength: 6 }),
  lookUpMs: fc.integer({ min: 0, max: 2_400 }),
  hasAppointment: fc.boolean(),
  hasRecordedMenu: fc.boolean(),
  isOpen: fc.boolean(),
  isDeaf: fc.boolean(),
  isFirstPlaceGone: fc.boolean(),
});

const IDENTITY = "If I am speaking with Ravi";

test("an appointment is told, confirmed, moved or booked only by a key pressed after its words were played", async () => {
  const done = { confirm: 0, change: 0, book: 0, identity: 0 };
  await fc.assert(
    fc.asyncProperty(circumstances, async (given) => {
      let atLastKey = new Map<string, number>();
      let sounds = 0;
      let offers = OFFERS;
      const faults: string[] = [];
      const lookUp = Promise.withResolvers<typeof APPOINTMENT | null>();
      const mustHaveHeard = (text: string) => {
        if ((atLastKey.get(text) ?? 0) < TOLD) faults.push(text);
      };
      const aboutTheAppointment = (what: "confirm" | "change") => {
        done[what]++;
        if (given.hasAppointment) mustHaveHeard(words.appointment(APPOINTMENT).text);
        return Promise.resolve(true);
      };
      let isKnown = given.isOpen;
      const isAsked = () =>
        [...stage.playedShares()].some(([text, share]) => text.startsWith(IDENTITY) && share >= TOLD);
      const stage = setStage({
        brief: { announcesOpenly: given.isOpen },
        isDeaf: given.isDeaf,
        recorded: given.hasRecordedMenu ? ["menu"] : [],
        voice: () => Promise.resolve(soundOf(given.lengthsMs[sounds++ % given.lengthsMs.length]!)),
        transfer: () => Promise.resolve("refused"),
        desk: {
          appointment: () => lookUp.promise,
          confirm: () => aboutTheAppointment("confirm"),
          requestChange: () => aboutTheAppointment("change"),
          offer: () => Promise.resolve(offers),
          book(label) {
            done.book++;
            const at = offers.findIndex((offer) => offer.label === label);
            mustHaveHeard(words.slot(offers[at]!).text);
            if (!given.isFirstPlaceGone || offers === OTHER_OFFERS) return Promise.resolve(offers[at] ?? null);
            offers = OTHER_OFFERS;
            return Promise.resolve(null);
          },
        },
      });
      stage.clock.after(given.lookUpMs, () => lookUp.resolve(given.hasAppointment ? APPOINTMENT : null));
      for (const key of given.ringing) stage.agent.keyPressed(key);
      await stage.answer();
      const known: Happening[] = given.isOpen ? [] : [{ waitMs: 14_000 }, { press: "1" }];
      const toOffers = given.hasAppointment || given.hasRecordedMenu ? "2" : "1";
      const first: Happening[] = given.isAtTheOffers ? [...known, { waitMs: 16_000 }, { press: toOffers }] : [];
      for (const each of [...first, ...given.happenings]) {
        if ("waitMs" in each) await stage.clock.advance(each.waitMs);
        else if ("hold" in each) {
          if (each.hold) stage.hold();
          else stage.resume();
        } else {
          atLastKey = stage.playedShares();
          isKnown ||= each.press === "1" && isAsked();
          await stage.press(each.press);
        }
        if (stage.heard().includes(words.appointment(APPOINTMENT).text)) {
          done.identity++;
          if (!isKnown) faults.push("It was told to somebody who had not said who they are.");
        }
      }
      await stage.clock.advance(60_000);
      expect(faults).toEqual([]);
    }),
    { numRuns: 400 },
  );
  // Otherwise an agent that does nothing would pass.
  for (const count of Object.values(done)) expect(count).toBeGreaterThan(0);
}, 180_000);
