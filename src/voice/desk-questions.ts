// Booking desk across threads: the agent's thread asks, the thread with the database answers.
import type { Clock } from "../core/clock.ts";
import { within } from "../core/within.ts";
import type { BookingDesk, DeskAbilities, TimeWish, Undone } from "../calendar/desk-port.ts";

/** Survives structuredClone. */
export type DeskQuestion =
  | { kind: "appointment" }
  | { kind: "confirm" }
  | { kind: "cancel" }
  | { kind: "requestChange"; wish: TimeWish | null }
  | { kind: "offer"; most: number; wish: TimeWish | null }
  | { kind: "book"; label: string; name: string | null }
  | { kind: "wait"; wish: TimeWish | null; name: string | null }
  | { kind: "decline"; stays: boolean }
  | { kind: "undo" };

type Answers = {
  appointment: Awaited<ReturnType<BookingDesk["appointment"]>>;
  confirm: boolean;
  cancel: boolean;
  requestChange: boolean;
  offer: Awaited<ReturnType<BookingDesk["offer"]>>;
  book: Awaited<ReturnType<BookingDesk["book"]>>;
  wait: boolean;
  decline: boolean;
  undo: Undone;
};

export function createRemoteDesk(
  { canBook, canWait = false, hasPlace = false }: DeskAbilities,
  ask: (question: unknown) => Promise<unknown>,
): BookingDesk {
  // Both ends are in this file, so the cast holds.
  const asked = <Kind extends DeskQuestion["kind"]>(question: Extract<DeskQuestion, { kind: Kind }>) =>
    ask(question) as Promise<Answers[Kind]>;
  return {
    canBook,
    canWait,
    hasPlace,
    appointment: () => asked({ kind: "appointment" }),
    confirm: () => asked({ kind: "confirm" }),
    cancel: () => asked({ kind: "cancel" }),
    requestChange: (wish = null) => asked({ kind: "requestChange", wish }),
    offer: (most, wish = null) => asked({ kind: "offer", most, wish }),
    book: (label, name = null) => asked({ kind: "book", label, name }),
    wait: (wish, name = null) => asked({ kind: "wait", wish, name }),
    decline: (stays) => asked({ kind: "decline", stays }),
    undo: () => asked({ kind: "undo" }),
  };
}

const REFUSED = Promise.resolve(false);
export const NOTHING_UNDONE: Undone = { isDone: false, appointment: null };

export function answerFromDesk(desk: BookingDesk, question: DeskQuestion): Promise<Answers[DeskQuestion["kind"]]> {
  switch (question.kind) {
    case "appointment":
      return desk.appointment();
    case "confirm":
      return desk.confirm();
    case "cancel":
      return desk.cancel();
    case "requestChange":
      return desk.requestChange(question.wish);
    case "offer":
      return desk.offer(question.most, question.wish);
    case "book":
      return desk.book(question.label, question.name);
    case "wait":
      return desk.wait?.(question.wish, question.name) ?? REFUSED;
    case "decline":
      return desk.decline?.(question.stays) ?? REFUSED;
    case "undo":
      return desk.undo?.() ?? Promise.resolve(NOTHING_UNDONE);
  }
}

/** The desk's answer, or whether it failed or timed out. Never rejects. */
export function askDesk<Value>(
  clock: Clock,
  desk: BookingDesk | null,
  mostMs: number,
  question: (at: BookingDesk) => Promise<Value>,
): Promise<{ is: Value } | { isLate: boolean }> {
  const answer = async () => {
    try {
      return desk ? { is: await question(desk) } : { isLate: false };
    } catch {
      return { isLate: false };
    }
  };
  return within(clock, mostMs, answer, { isLate: true });
}
