// What the conversation has done for it by others: the calendar is asked, the call sent on. Whoever does not answer in time has
// refused.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { within } from "../../core/within.ts";
import type { Line } from "../../telephony/port.ts";
import type { TalkAction, TalkEvent } from "../conversation/model.ts";
import type { BookingDesk, KnownAppointment } from "../port.ts";

/** The calendar answers in milliseconds; a caller takes five seconds of silence for a dead line. */
const DESK_MOST_MS = 5 * SECOND_MS;
/** A phone rings for half a minute or so before a switchboard gives up; the line has its own end, this is the last one. */
const TRANSFER_MOST_MS = 90 * SECOND_MS;
/** More than three dates cannot be kept in mind by ear. */
const MOST_OFFERS = 3;

export type Errand = Exclude<TalkAction, { do: "say" | "lead" | "listen" | "hangUp" }>;
export type FoundAppointment = KnownAppointment | null | "unknown";

export interface Errands {
  /** Asked for while the phone rings. */
  readonly lookedUp: Promise<FoundAppointment>;
  /** As far as it is known by now. */
  appointment(): FoundAppointment;
  run(errand: Errand, line: Line | null): Promise<TalkEvent>;
}

export function createErrands(options: {
  clock: Clock;
  logger: Logger;
  desk: BookingDesk | null;
  transferTo: string | null;
}): Errands {
  const { clock, logger, desk, transferTo } = options;
  let found: FoundAppointment = "unknown";
  const lookedUp = lookUp();

  async function lookUp(): Promise<FoundAppointment> {
    if (!desk) return (found = null);
    found = await within(clock, DESK_MOST_MS, () => desk.appointment(), "unknown" as const);
    if (found === "unknown") logger.warn("An agent could not look up the appointment of its call.");
    return found;
  }

  async function ask<Value, Otherwise>(
    what: Errand["do"],
    question: (at: BookingDesk) => Promise<Value>,
    otherwise: Otherwise,
  ): Promise<Value | Otherwise> {
    const answer = desk ? await within(clock, DESK_MOST_MS, async () => ({ is: await question(desk) }), null) : null;
    if (answer) return answer.is;
    logger.warn("The calendar did not answer an agent.", { question: what });
    return otherwise;
  }

  return {
    lookedUp,
    appointment: () => found,
    async run(errand, line) {
      switch (errand.do) {
        case "lookUp":
          return { type: "lookedUp", appointment: await lookedUp };
        case "confirm":
          return { type: "confirmed", isDone: await ask("confirm", (at) => at.confirm(), false) };
        case "cancel":
          return { type: "cancelled", isDone: await ask("cancel", (at) => at.cancel(), false) };
        case "requestChange":
          return { type: "changeRequested", isDone: await ask("requestChange", (at) => at.requestChange(), false) };
        case "offer":
          return { type: "offered", offers: await ask("offer", (at) => at.offer(MOST_OFFERS, errand.wish), []) };
        case "book":
          return { type: "booked", slot: await ask("book", (at) => at.book(errand.label), "failed" as const) };
        case "wait":
          return { type: "waited", isDone: await ask("wait", async (at) => at.wait?.(errand.wish) ?? false, false) };
        case "decline": {
          const decline = async (at: BookingDesk) => at.decline?.(errand.stays) ?? false;
          return { type: "placeDeclined", isDone: await ask("decline", decline, false) };
        }
        case "transfer": {
          if (!line || transferTo === null) return { type: "transferred", outcome: "refused" };
          const send = () => line.transfer(transferTo);
          return { type: "transferred", outcome: await within(clock, TRANSFER_MOST_MS, send, "refused" as const) };
        }
      }
    },
  };
}
