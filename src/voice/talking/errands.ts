// Work outside the conversation: calendar requests and transfers. A timeout counts as a refusal.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { within } from "../../core/within.ts";
import type { ConsultEnd, Line } from "../../telephony/port.ts";
import type { TalkAction, TalkEvent } from "../conversation/model.ts";
import { askDesk, NOTHING_UNDONE } from "../desk-questions.ts";
import type { BookingDesk, KnownAppointment } from "../../calendar/desk-port.ts";

/** The calendar answers in milliseconds. A filler covers the wait; callers do not believe it for longer than this. */
const DESK_MOST_MS = 3.5 * SECOND_MS;
/** Exchanges give up after about 30 s of ringing, and the line has its own timeout; this is the last resort. */
const TRANSFER_MOST_MS = 90 * SECOND_MS;
/** More than three dates cannot be remembered by ear. */
const MOST_OFFERS = 3;

export type Errand = Exclude<TalkAction, { do: "say" | "lead" | "listen" | "hangUp" }>;
export type FoundAppointment = KnownAppointment | null | "unknown";

export interface Errands {
  /** Requested while the phone rings. */
  readonly lookedUp: Promise<FoundAppointment>;
  /** As far as known. */
  appointment(): FoundAppointment;
  run(errand: Errand, line: Line | null): Promise<TalkEvent>;
}

export function createErrands(options: {
  clock: Clock;
  logger: Logger;
  desk: BookingDesk | null;
  transferTo: string | null;
  /** A calendar request is pending. */
  waits(answered: Promise<unknown>): void;
  /** Calls the desk while the callee stays on the line. */
  consult(line: Line, target: string): Promise<ConsultEnd>;
}): Errands {
  const { clock, logger, desk, transferTo, waits, consult } = options;
  let found: FoundAppointment = "unknown";
  const lookedUp = lookUp();

  async function lookUp(): Promise<FoundAppointment> {
    if (!desk) return (found = null);
    found = await within(clock, DESK_MOST_MS, () => desk.appointment(), "unknown" as const);
    if (found === "unknown") logger.warn("appointment look-up for a call failed");
    return found;
  }

  async function ask<Value>(
    what: Errand["do"],
    question: (at: BookingDesk) => Promise<Value>,
    told: (answer: Value) => TalkEvent,
  ): Promise<TalkEvent> {
    const answering = askDesk(clock, desk, DESK_MOST_MS, question);
    waits(answering);
    const answer = await answering;
    if ("is" in answer) return told(answer.is);
    logger.warn("calendar request of an agent failed", { question: what });
    return { type: "unreachable", ...answer };
  }

  async function lookedUpEvent(): Promise<TalkEvent> {
    waits(lookedUp);
    const appointment = await lookedUp;
    return appointment === "unknown" ? { type: "unreachable", isLate: true } : { type: "lookedUp", appointment };
  }

  return {
    lookedUp,
    appointment: () => found,
    async run(errand, line) {
      switch (errand.do) {
        case "lookUp":
          return lookedUpEvent();
        case "confirm":
          return ask("confirm", (at) => at.confirm(), done("confirmed"));
        case "cancel":
          return ask("cancel", (at) => at.cancel(), done("cancelled"));
        case "requestChange":
          return ask("requestChange", (at) => at.requestChange(errand.wish), done("changeRequested"));
        case "offer":
          return ask(
            "offer",
            (at) => at.offer(MOST_OFFERS, errand.wish),
            (offers) => ({ type: "offered", offers }),
          );
        case "book":
          return ask(
            "book",
            (at) => at.book(errand.label, errand.name),
            (slot) => ({ type: "booked", slot }),
          );
        case "wait":
          return ask("wait", async (at) => at.wait?.(errand.wish, errand.name) ?? false, done("waited"));
        case "decline":
          return ask("decline", async (at) => at.decline?.(errand.stays) ?? false, done("placeDeclined"));
        case "undo":
          return ask("undo", undoneAt, (undone) => ({ type: "undone", ...undone }));
        case "consult": {
          const isThere = line !== null && transferTo !== null;
          return { type: "transferred", outcome: isThere ? await consult(line, transferTo) : "refused" };
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

const done =
  (type: "confirmed" | "cancelled" | "changeRequested" | "waited" | "placeDeclined") =>
  (isDone: boolean): TalkEvent => ({ type, isDone });

const undoneAt = async (desk: BookingDesk) => (await desk.undo?.()) ?? NOTHING_UNDONE;
