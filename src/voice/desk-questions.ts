// The calendar across a thread's border: the agent's side asks, the side that has the database answers.
import type { BookingDesk } from "./port.ts";

/** Survives structuredClone. */
export type DeskQuestion =
  | { kind: "appointment" }
  | { kind: "confirm" }
  | { kind: "requestChange" }
  | { kind: "offer"; most: number }
  | { kind: "book"; label: string };

type Answers = {
  appointment: Awaited<ReturnType<BookingDesk["appointment"]>>;
  confirm: boolean;
  requestChange: boolean;
  offer: Awaited<ReturnType<BookingDesk["offer"]>>;
  book: Awaited<ReturnType<BookingDesk["book"]>>;
};

export function createRemoteDesk(canBook: boolean, ask: (question: unknown) => Promise<unknown>): BookingDesk {
  // Both ends are in this file, so an answer is what its question asks for.
  const asked = <Kind extends DeskQuestion["kind"]>(question: Extract<DeskQuestion, { kind: Kind }>) =>
    ask(question) as Promise<Answers[Kind]>;
  return {
    canBook,
    appointment: () => asked({ kind: "appointment" }),
    confirm: () => asked({ kind: "confirm" }),
    requestChange: () => asked({ kind: "requestChange" }),
    offer: (most) => asked({ kind: "offer", most }),
    book: (label) => asked({ kind: "book", label }),
  };
}

export function answerFromDesk(desk: BookingDesk, question: DeskQuestion): Promise<Answers[DeskQuestion["kind"]]> {
  switch (question.kind) {
    case "appointment":
      return desk.appointment();
    case "confirm":
      return desk.confirm();
    case "requestChange":
      return desk.requestChange();
    case "offer":
      return desk.offer(question.most);
    case "book":
      return desk.book(question.label);
  }
}
