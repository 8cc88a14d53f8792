// Drives the conversation table by hand: every phrase counts as told, and the calendar answers as scripted.
import type { SlotOffer } from "../../../src/calendar/desk-port.ts";
import type { NoticeKind } from "../../../src/payloads/lawful.ts";
import type { Phrase } from "../../../src/voice/conversation/phrase.ts";
import { english } from "../../../src/voice/conversation/phrases/en.ts";
import {
  FIRST_STATE,
  type TalkAction,
  type TalkCall,
  type TalkEvent,
  type TalkMove,
  type TalkState,
} from "../../../src/voice/conversation/model.ts";
import { firstTalkMove } from "../../../src/voice/conversation/opening.ts";
import { nextTalkMove } from "../../../src/voice/conversation/steps.ts";
import type { TalkContext } from "../../../src/voice/conversation/moves.ts";
import type { Intent, Meaning, Moment } from "../../../src/voice/understanding/meaning.ts";

export const CALL: TalkCall = {
  canBook: true,
  canTransfer: true,
  isOutbound: true,
  agentName: "City Clinic",
  contactName: "Asha",
  greeting: { name: "greeting", text: "Good morning.", recorded: "greeting" },
  greetingAsksIdentity: false,
};

export const OFFERS: readonly SlotOffer[] = [
  { label: "A", date: "2026-12-01", startTime: "10:30", endTime: "11:00" },
  { label: "B", date: "2026-12-03", startTime: "15:00", endTime: "15:30" },
];
export const APPOINTMENT = { date: "2026-11-20", startTime: "09:00" };

export const moment = (at: Partial<Moment>): Moment => ({
  date: null,
  dateEnd: null,
  time: null,
  partOfDay: null,
  conflict: false,
  ...at,
});

export const meaning = (words: Partial<Meaning> & { said?: readonly Intent[]; sure?: number } = {}): Meaning => ({
  text: words.text ?? "something",
  intents: (words.said ?? []).map((intent) => ({ intent, confidence: words.sure ?? 0.95 })),
  choice: words.choice ?? null,
  moment: words.moment ?? null,
  key: words.key ?? null,
});

export class Talk {
  state: TalkState = FIRST_STATE;
  action: TalkAction | null = null;
  readonly #told = new Set<string>();
  readonly #heard = new Set<NoticeKind>();
  readonly #context: TalkContext;

  constructor(call: Partial<TalkCall> = {}, more: Pick<TalkContext, "isLed" | "rules"> = {}) {
    this.#context = {
      call: { ...CALL, ...call },
      phrases: english,
      told: {
        isTold: ({ text }: Phrase) => this.#told.has(text),
        isHeard: (kind: NoticeKind) => this.#heard.has(kind),
      },
      now: { date: "2026-11-15", startTime: "12:00" },
      ...more,
    };
    this.#take(firstTalkMove(this.state, this.#context));
  }

  #take({ state, action }: TalkMove): void {
    this.state = state;
    if (action) this.action = action;
  }

  event(event: TalkEvent): this {
    this.#take(nextTalkMove(this.state, event, this.#context));
    return this;
  }

  /** Plays the current phrases to their end; after the closing the callee stays silent. */
  hears(): this {
    this.hearsOut();
    return this.state.stage === "leaving" ? this.event({ type: "silence" }) : this;
  }

  /** Plays the current phrases to their end. */
  hearsOut(): this {
    if (this.action?.do !== "say" && this.action?.do !== "lead")
      throw new Error(`It does ${this.action?.do} instead of speaking.`);
    for (const { text, notices = [] } of this.action.phrases) {
      this.#told.add(text);
      for (const kind of notices) this.#heard.add(kind);
    }
    return this.event({ type: "said", wasHeard: true });
  }

  says(...said: Intent[]): this {
    return this.event({ type: "heard", meaning: meaning({ said }) });
  }

  means(words: Parameters<typeof meaning>[0]): this {
    return this.event({ type: "heard", meaning: meaning(words) });
  }

  presses(key: string): this {
    return this.event({ type: "key", key });
  }

  /** Text of the current phrases. */
  get words(): string {
    return this.action?.do === "say" || this.action?.do === "lead"
      ? this.action.phrases.map(({ text }) => text).join(" ")
      : "";
  }

  get does(): string {
    return this.action?.do ?? "nothing";
  }

  /** Up to the appointment question. */
  identified(appointment: typeof APPOINTMENT | null = APPOINTMENT): this {
    return this.hears().says("yes").event({ type: "lookedUp", appointment }).hears();
  }
}
