// Scripted calls shared by all carriers: the callee, the calendar's answers, and the callee's actions.
import type { Act } from "../../src/telephony/simulator/callee.ts";
import { isAgreement } from "../../src/voice/agreements.ts";
import { answerFromDesk, type DeskQuestion } from "../../src/voice/desk-questions.ts";
import type { BookingDesk, KnownAppointment, SlotOffer } from "../../src/calendar/desk-port.ts";
import type { AgentBrief } from "../../src/voice/port.ts";

export interface Script {
  /** Nobody is asked who they are. */
  isOpen?: boolean;
  transferTo?: string;
  transferIs?: "answered" | "refused";
  appointment?: KnownAppointment;
  /** Of the calendar, one answer after the other; without any it has no branch to book for. */
  offers?: readonly (readonly SlotOffer[])[];
  /** Slots that another caller books at the last moment. */
  gone?: readonly string[];
  /** In the middle of these words. */
  early?: { during: "greeting" | "menu"; act: Act };
  /** One after the other, each once these words were heard to their end. */
  steps?: readonly { heard: RegExp; act: Act }[];
}

const press = (key: string): Act => ({ do: "press", key });
/** Every menu ends like this. */
const MENU = /you do not want to be called again\.\s*$/;
const afterEach = (...keys: string[]) => keys.map((key) => ({ heard: MENU, act: press(key) }));

const appointment: KnownAppointment = { date: "2026-05-05", startTime: "10:30" };
const slot = (label: string, date: string): SlotOffer => ({ label, date, startTime: "09:00", endTime: "12:00" });
const PLACES = [slot("A", "2026-05-06"), slot("B", "2026-05-07"), slot("C", "2026-05-08")];
const OTHER_PLACES = [slot("D", "2026-05-11")];
const transferTo = "+911140002000";

export const SCRIPTS: Readonly<Record<string, Script>> = {
  "confirms the appointment": { appointment, steps: afterEach("1", "1") },
  "asks for another time and takes the second place": {
    appointment,
    offers: [PLACES],
    steps: afterEach("1", "2", "2", "1"),
  },
  "asks for another time and finds none that suits": { appointment, offers: [PLACES], steps: afterEach("1", "2", "0") },
  "chooses a place that is gone, and then another": {
    appointment,
    offers: [PLACES, OTHER_PLACES],
    gone: ["A"],
    steps: afterEach("1", "2", "1", "1", "1", "1"),
  },
  books: { offers: [PLACES], steps: afterEach("1", "1", "1", "1") },
  "wants to book where nothing is open": { offers: [[]], steps: afterEach("1", "1") },
  "has heard the message": { steps: afterEach("1", "1") },
  "presses a wrong key, then the right one": { appointment, steps: afterEach("1", "7", "1") },
  "wants to be called later": { appointment, steps: afterEach("4") },
  "does not want to be called again": { appointment, steps: afterEach("1", "9") },
  "is put through to a person": { transferTo, transferIs: "answered", steps: afterEach("3") },
  "is not put through, and confirms": {
    appointment,
    transferTo,
    transferIs: "refused",
    steps: afterEach("1", "3", "1"),
  },
  "is somebody else": { appointment, steps: afterEach("2", "2") },
  "is told openly, and confirms": { isOpen: true, appointment, steps: afterEach("1") },
  "says nothing": { appointment },
  "presses in the greeting, and again when they were asked": {
    appointment,
    early: { during: "greeting", act: press("1") },
    steps: afterEach("1", "1"),
  },
  "hangs up in the greeting": { appointment, early: { during: "greeting", act: { do: "hangUp" } } },
  "hangs up in the menu": { isOpen: true, early: { during: "menu", act: { do: "hangUp" } } },
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
    ...(script.isOpen && { announcesOpenly: true }),
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

/** Answers to the agent's questions: agreements are stored; everything else goes to the calendar. */
export const answeredBy = (desk: BookingDesk, question: unknown): Promise<unknown> =>
  isAgreement(question) ? Promise.resolve() : answerFromDesk(desk, question as DeskQuestion);

/** What the other side does next; null while it goes on listening. */
export function createReactions({ steps = [] }: Script): (heard: string) => Act | null {
  const left = [...steps];
  return (heard) => (left[0]?.heard.test(heard) === true ? (left.shift()?.act ?? null) : null);
}
