// The trial patients with a good, a bad and an absurd model, and without one: every call has the same outcome.
import { describe, expect, test } from "bun:test";
import { addDays, wallTime } from "../../../src/core/zones.ts";
import { ordinal } from "../../../src/speech/tts/spoken-number.ts";
import type { BookingDesk, SlotOffer } from "../../../src/calendar/desk-port.ts";
import { trials } from "../../support/patient/cases.ts";
import { replyTo, type Exchange } from "../../support/patient/patient.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { MODELS } from "../../support/patient/models.ts";
import type { Expected, Trial } from "../../support/patient/trial.ts";
import { setLedCall, type LedCall } from "./led-call.ts";
import type { ChatScript } from "./scripted-chat.ts";

const ZONE = "Asia/Kolkata";
const NOW = createManualClock().now();
const TODAY = wallTime(NOW, ZONE).date;
const BEFORE = { date: addDays(TODAY, 3), startTime: "09:00" };

interface Calendar extends BookingDesk {
  shows: Expected["calendar"];
  date: string | null;
  name: string | null;
}

/** One slot every morning, nearest to the wish first. */
function calendarFor({ about }: Trial): Calendar {
  let offered: SlotOffer[] = [];
  const calendar: Calendar = {
    shows: about === "appointment" ? "unchanged" : "none",
    date: null,
    name: null,
    canBook: true,
    appointment: async () => (about === "appointment" ? BEFORE : null),
    confirm: async () => Boolean((calendar.shows = "confirmed")),
    cancel: async () => Boolean((calendar.shows = "cancelled")),
    requestChange: async () => Boolean((calendar.shows = "change_requested")),
    async offer(most, wish) {
      const from = wish?.date ?? addDays(TODAY, 1);
      offered = Array.from({ length: most }, (_, i) => ({
        label: "ABC"[i] ?? "?",
        date: addDays(from, i),
        startTime: "10:00",
        endTime: "10:30",
      }));
      return offered;
    },
    async book(label, name = null) {
      calendar.name = name;
      const slot = offered.find((each) => each.label === label) ?? null;
      if (slot) calendar.shows = about === "appointment" ? "moved" : "booked";
      calendar.date = slot?.date ?? null;
      return slot;
    },
    async undo() {
      calendar.shows = about === "appointment" ? "unchanged" : "none";
      calendar.date = null;
      return { isDone: true, appointment: about === "appointment" ? BEFORE : null };
    },
  };
  return calendar;
}

/** "the twenty-fifth of" as recognisers write it. */
const asRecognised = (text: string) =>
  text.replaceAll(/\bthe ([a-z]+(?: [a-z]+)?) of\b/g, (whole, spoken: string) => {
    const day = Array.from({ length: 31 }, (_, i) => i + 1).find((each) => ordinal(each) === spoken);
    return day === undefined ? whole : `the ${writtenOrdinal(day)} of`;
  });
const writtenOrdinal = (day: number) =>
  `${day}${day > 10 && day < 14 ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th")}`;

/** The patient listens to the agent's turn and answers by the script. */
async function talkThrough(call: LedCall, trial: Trial): Promise<void> {
  const { replies, atAnswer } = trial;
  const exchanges: Exchange[] = [];
  await call.answer();
  if (atAnswer) await call.hear(atAnswer.says);
  let heard = 0;
  let hasInterrupted = false;
  for (let turns = 0; turns < 30 && !call.happened.includes("hang up"); turns++) {
    const interruption = replies.find(({ interruptsAfterMs }) => interruptsAfterMs !== undefined);
    if (interruption && !hasInterrupted) {
      hasInterrupted = true;
      await call.clock.advance(interruption.interruptsAfterMs ?? 0);
      await call.hear(interruption.says ?? "");
    }
    await call.untilTheirTurn();
    const words = asRecognised(call.heard().slice(heard).join(" "));
    heard = call.heard().length;
    const reply = replyTo(words, exchanges, trial);
    exchanges.push({ heard: words, replied: reply?.says ?? reply?.presses ?? "" });
    if (reply?.says !== undefined) await call.hear(reply.says);
    if (reply?.thenSays) {
      await call.clock.advance(reply.thenSays.afterMs);
      await call.hear(reply.thenSays.says);
    }
    if (reply?.says !== undefined) continue;
    if (reply?.presses !== undefined) await call.press(reply.presses);
    else await call.clock.advance(9_000);
  }
}

describe.each([...Object.keys(MODELS), "not at all"])("with a model that answers %s", (name) => {
  const model = MODELS[name] ?? (() => ({ fails: "refused" as const }));
  const script: ChatScript = ({ tools }, turn) =>
    model(
      tools.map((tool) => tool.name),
      turn,
    );
  // Excluded: callees who hang up, callees who speak only after the keys were named, and scripts that need a desk or
  // several times a day.
  const led = trials(NOW).filter(
    ({ replies, name, desk, times }) =>
      !replies.some(({ hangsUp }) => hangsUp) &&
      !name.startsWith("nothing that makes sense") &&
      desk === undefined &&
      times !== "several",
  );
  test.each(led.map((trial) => [trial.name, trial] as const))(
    "%s",
    async (_, trial) => {
      const calendar = calendarFor(trial);
      const probe = () => name !== "not at all";
      const call = setLedCall(script, {
        bookingDesk: calendar,
        probe,
        // As in the trials, the desk does not answer.
        consult: () => Promise.resolve("refused"),
        brief:
          trial.about === "call_in"
            ? { contactName: null, direction: "inbound", agentName: "City" }
            : { contactName: "Asha", agentName: "City" },
      });
      await talkThrough(call, trial);
      expect(call.happened).toContain("hang up");
      const { extractedDetails, analytics, transcript, optOut, callbackAt, callbackInMinutes } = call.agent.ended("us");
      const { expected } = trial;
      expect(expected.answers).toContain(String(extractedDetails?.["answer"]));
      expect(analytics?.disposition).toBe(expected.disposition as never);
      expect([expected.calendar, expected.orCalendar]).toContain(calendar.shows);
      if (expected.contactName !== undefined) expect(calendar.name).toBe(expected.contactName);
      if (expected.date !== undefined) expect(calendar.date).toBe(expected.date);
      expect(optOut ?? false).toBe(expected.optsOut ?? false);
      expect(callbackInMinutes).toBeUndefined();
      expect(callbackAt).toBe(expected.followsUpAt);
      const sent = (how: string) => call.happened.some((what) => what.startsWith(how));
      expect(sent("transfer")).toBe(expected.answers.includes("transferred"));
      expect(sent("consult")).toBe(expected.answers.includes("emergency"));
      const ours = transcript.filter(({ speaker }) => speaker === "agent").map(({ text }) => text);
      if (expected.neverSays) expect(ours.join(" ")).not.toMatch(expected.neverSays);
      expect(ours.join(" ")).not.toMatch(/cancer|It is booked/);
    },
    30_000,
  );
});
