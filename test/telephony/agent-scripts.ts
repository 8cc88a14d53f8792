// What people do on the telephone, told once for every carrier: whom the agent calls, what its calendar answers, and what
// the other side does when it has heard enough.
import type { Act } from "../../src/telephony/simulator/callee.ts";
import { isAgreement } from "../../src/voice/agreements.ts";
import { answerFromDesk, type DeskQuestion } from "../../src/voice/desk-questions.ts";
import type { AgentBrief, BookingDesk, KnownAppointment, SlotOffer } from "../../src/voice/port.ts";

export interface Script {
  transferTo?: string;
  transferIs?: "answered" | "refused";
  appointment?: KnownAppointment;
  /** Of the calendar, one answer after the other; without any it has no branch to book for. */
  offers?: readonly (readonly SlotOffer[])[];
  /** Places that somebody else takes in the last moment. */
  gone?: readonly string[];
  /** In the middle of these words. */
  early?: { during: "greeting" | "menu"; act: Act };
  /** One after the other, each once these words were heard to their end. */
  steps?: readonly { heard: RegExp; act: Act }[];
}

const press = (key: string): Act => ({ do: "press", key });
const MENU = /you do not want this call\.\s*$/;
const OFFERS = /none of these suits you\.\s*$/;
const afterMenu = (key: string) => ({ heard: MENU, act: press(key) });
const afterOffers = (key: string) => ({ heard: OFFERS, act: press(key) });

const appointment: KnownAppointment = { date: "2026-05-05", startTime: "10:30" };
const slot = (label: string, date: string): SlotOffer => ({ label, date, startTime: "09:00", endTime: "12:00" });
const PLACES = [slot("A", "2026-05-06"), slot("B", "2026-05-07"), slot("C", "2026-05-08")];
const OTHER_PLACES = [slot("D", "2026-05-11")];
const transferTo = "+911140002000";

export const SCRIPTS: Readonly<Record<string, Script>> = {
  "confirms the appointment": { appointment, steps: [afterMenu("1")] },
  "asks for another time and takes the second place": {
    appointment,
    offers: [PLACES],
    steps: [afterMenu("2"), afterOffers("2")],
  },
  "asks for another time and finds none that suits": {
    appointment,
    offers: [PLACES],
    steps: [afterMenu("2"), afterOffers("0")],
  },
  "chooses a place that is gone, and then another": {
    appointment,
    offers: [PLACES, OTHER_PLACES],
    gone: ["A"],
    steps: [afterMenu("2"), afterOffers("1"), afterOffers("1")],
  },
  books: { offers: [PLACES], steps: [afterMenu("2"), afterOffers("1")] },
  "wants to book where nothing is open": { offers: [[]], steps: [afterMenu("2")] },
  "has heard the message": { steps: [afterMenu("1")] },
  "presses a wrong key, then the right one": { appointment, steps: [afterMenu("7"), afterMenu("1")] },
  "wants to be called later": { appointment, steps: [afterMenu("4")] },
  "does not want the call": { appointment, steps: [afterMenu("9")] },
  "is put through to a person": { transferTo, transferIs: "answered", steps: [afterMenu("3")] },
  "is not put through, and confirms": {
    appointment,
    transferTo,
    transferIs: "refused",
    steps: [afterMenu("3"), afterMenu("1")],
  },
  "says nothing": { appointment },
  "presses in the greeting, and again when the appointment was told": {
    appointment,
    early: { during: "greeting", act: press("1") },
    steps: [afterMenu("1")],
  },
  "hangs up in the greeting": { appointment, early: { during: "greeting", act: { do: "hangUp" } } },
  "hangs up in the menu": { early: { during: "menu", act: { do: "hangUp" } } },
};

export const GREETING = "Good morning, this is Asha from the City Hospital.";
export const isMenu = (text: string): boolean => text.startsWith("Press 1 if") || text.startsWith("Press 1 to");

export function briefOf(script: Script): AgentBrief {
  return {
    agentName: "Asha",
    language: "en-IN",
    voice: "warm",
    prompt: "Confirm tomorrow's visit.",
    greeting: GREETING,
    contactName: "Meera",
    timeZone: "Asia/Kolkata",
    additionalInfo: {},
    transferTo: script.transferTo ?? null,
    direction: "outbound",
    desk: { canBook: script.offers !== undefined },
  };
}

/** `asked` becomes what the agent asked for, in order. */
export function deskOf(script: Script, asked: string[]): BookingDesk {
  const offers = [...(script.offers ?? [])];
  let open: readonly SlotOffer[] = [];
  const hasOne = script.appointment !== undefined;
  return {
    canBook: script.offers !== undefined,
    appointment: async () => (asked.push("appointment"), script.appointment ?? null),
    confirm: async () => (asked.push("confirm"), hasOne),
    cancel: () => Promise.resolve(true),
    requestChange: async () => (asked.push("change"), hasOne),
    async offer(most) {
      asked.push(`offer ${most}`);
      open = offers.shift() ?? [];
      return open.slice(0, most);
    },
    async book(label) {
      asked.push(`book ${label}`);
      return script.gone?.includes(label) ? null : (open.find((place) => place.label === label) ?? null);
    },
  };
}

/** What is asked of whoever placed the call: what is agreed on is kept, everything else is for the calendar. */
export const answeredBy = (desk: BookingDesk, question: unknown): Promise<unknown> =>
  isAgreement(question) ? Promise.resolve() : answerFromDesk(desk, question as DeskQuestion);

/** What the other side does next; null while it goes on listening. */
export function createReactions({ steps = [] }: Script): (heard: string) => Act | null {
  const left = [...steps];
  return (heard) => (left[0]?.heard.test(heard) === true ? (left.shift()?.act ?? null) : null);
}
