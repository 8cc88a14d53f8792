// Joins the line and the agent of each call. Gives the carrier its order, answers the agent's questions next to the
// database, and combines both reports into the end of the call.
import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { Arrival, CallOrder, Carrier, CarrierListener, Failure, LineEnd } from "../../telephony/port.ts";
import { languageNamed, NOTICES_IN } from "../../speech/languages.ts";
import { NO_SERVERS, serversFor } from "../../speech/servers/choices.ts";
import type { SentNote } from "../../speech/servers/port.ts";
import type { TurnTimes } from "../../payloads/turn-times.ts";
import { isAgreement } from "../../voice/agreements.ts";
import { isSentReport } from "../../voice/sent-report.ts";
import { answerFromDesk, type DeskQuestion } from "../../voice/desk-questions.ts";
import type { BookingDesk, DeskAbilities } from "../../calendar/desk-port.ts";
import type { AgentBrief, Agreed, LedCounts, TalkResult } from "../../voice/port.ts";
import { callEndOf, type CallEnd } from "../call/call-end.ts";
import type { CallRequest } from "./dial-plan.ts";

/** An inbound call, for the decision whether to answer it. */
export interface CallArrival extends Omit<Arrival, "accept"> {
  accept(request: CallRequest): void;
}

/** Receives call events for the lifecycle. */
export interface CallListener extends Omit<CarrierListener, "ended" | "arrived" | "asked"> {
  ended(callId: string, end: CallEnd): void;
  arrived(arrival: CallArrival): void;
  /** An agreement with the callee. Resolves once it is stored. */
  agreed(callId: string, agreed: Agreed): Promise<void>;
}

export interface TalkDeps {
  clock: Clock;
  logger: Logger;
  listener: CallListener;
  /** A function, because carrier and talks depend on each other. */
  carrier: () => Carrier;
  /** Whether the built-in voice supports this language. */
  speaks: (language: string) => boolean;
  /** Operator for agents without a transfer target; null if there is none. */
  spareOperator: string | null;
  /** Listening agents wait longer before they answer. */
  isUnhurried?: boolean;
  /** Receives the turn times of a listening agent after its call. */
  measured?: (turns: readonly TurnTimes[]) => void;
  /** Receives the language model's counts of a call. */
  led?: (counts: LedCounts) => void;
}

export interface Talks {
  /** Starts the call and returns at once; events go to the listener. */
  dial(request: CallRequest): void;
  /** For the carrier. */
  readonly listener: CarrierListener;
}

const NOTHING_TO_SAY: Failure = {
  kind: "failed",
  code: "infrastructure_error",
  message:
    "The agent cannot be heard. Where no voice has its language, it needs a recorded greeting, and the built-in " +
    "English voice for the notices.",
};
const VOICE_FAILED: Failure = {
  kind: "failed",
  code: "infrastructure_error",
  message: "The voice failed before the callee heard who is calling. Nothing else was said, and the call was hung up.",
};

export function createTalks(deps: TalkDeps): Talks {
  const { clock, logger, listener, carrier, speaks } = deps;
  /** Of live calls, including inbound calls that still ring. */
  const desks = new Map<string, BookingDesk | null>();
  const sent = createSentByCalls();

  /** Null if the agent would be silent, or no voice could say the notices: such a call is not dialled. */
  function orderFor(request: CallRequest, direction: AgentBrief["direction"]): CallOrder | null {
    const { line, languages, recorded, desk } = request;
    const language = languages.find((each) => speaks(each) || hasOwnVoice(request, each));
    if (language === undefined && !(hasGreeting(request) && speaks(NOTICES_IN))) return null;
    const brief: AgentBrief = {
      ...request.brief,
      transferTo: request.brief.transferTo ?? deps.spareOperator,
      language: language ?? languages[0] ?? "",
      direction,
      desk: desk && abilitiesOf(desk),
      ...modelsOf(request, language ?? languages[0] ?? ""),
      ...(deps.isUnhurried && { isUnhurried: true }),
      ...(language === undefined && { isMute: true }),
    };
    return { ...line, clips: recorded.map(({ kind, key }) => ({ name: kind, key })), brief };
  }

  /** Reported asynchronously, like a carrier does, because the caller may be in the middle of an operation. */
  const failSoon = (callId: string, end: Failure) => void clock.after(0, () => listener.ended(callId, end));

  function arrived(arrival: Arrival): void {
    const { callId } = arrival;
    desks.set(callId, null);
    listener.arrived({
      ...arrival,
      reject(why) {
        desks.delete(callId);
        arrival.reject(why);
      },
      accept(request) {
        const order = orderFor(request, "inbound");
        if (!order) {
          desks.delete(callId);
          arrival.reject("unavailable");
          failSoon(callId, NOTHING_TO_SAY);
          return;
        }
        // If the caller hung up meanwhile, the call has ended and needs no desk.
        if (desks.has(callId)) desks.set(callId, request.desk);
        arrival.accept(order);
      },
    });
  }

  async function asked(callId: string, question: unknown): Promise<unknown> {
    if (isAgreement(question)) return listener.agreed(callId, question.agreed);
    if (isSentReport(question)) return sent.keep(callId, desks.has(callId) ? question.sent : null);
    const desk = desks.get(callId);
    if (!desk) throw new Error("The call has no calendar.");
    try {
      // Sent by an agent in voice/ and passed through the carrier unread.
      return await answerFromDesk(desk, question as DeskQuestion);
    } catch (error) {
      logger.error("A question of a call's agent could not be answered.", { call_id: callId, error: kindOf(error) });
      throw error;
    }
  }

  return {
    dial(request) {
      const { callId } = request.line;
      const order = orderFor(request, "outbound");
      if (!order) {
        failSoon(callId, NOTHING_TO_SAY);
        return;
      }
      desks.set(callId, request.desk);
      carrier().dial(order);
    },
    listener: {
      ...listener,
      arrived,
      asked,
      ended(callId, end) {
        desks.delete(callId);
        const ended = callEndOf(unlessUnnoticed(end), sent.take(callId));
        if (ended.kind === "completed" && ended.turns) deps.measured?.(ended.turns);
        if (ended.kind === "completed" && ended.led) deps.led?.(ended.led);
        listener.ended(callId, ended);
      },
    },
  };
}

const hasGreeting = ({ recorded }: CallRequest): boolean => recorded.some(({ kind }) => kind === "greeting");

/** Nothing was learned about the callee of a call whose voice failed before the notices were heard. */
function unlessUnnoticed(end: LineEnd): LineEnd {
  if (end.kind === "failed") return end;
  return (end.talk as TalkResult).isUnnoticed ? { ...end, ...VOICE_FAILED } : end;
}

/** Only the error's kind, because its message may name the contact. */
const kindOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Data sent to model servers per call so far, because a line's thread may die before it reports at the end. */
function createSentByCalls() {
  const sent = new Map<string, readonly SentNote[]>();
  return {
    /** Null: the call is over. */
    keep: (callId: string, notes: readonly SentNote[] | null) => notes && sent.set(callId, notes).size,
    take(callId: string): readonly SentNote[] | undefined {
      const known = sent.get(callId);
      sent.delete(callId);
      return known;
    },
  };
}

/** The hospital's own voice server can be used for languages with built-in phrases. */
function hasOwnVoice({ servers = NO_SERVERS }: CallRequest, language: string): boolean {
  return languageNamed(language) !== null && serversFor(servers, language).voice !== null;
}

function modelsOf({ servers = NO_SERVERS }: CallRequest, language: string): Pick<AgentBrief, "models"> {
  const models = serversFor(servers, language);
  return Object.values(models).some((server) => server !== null) ? { models } : {};
}

const abilitiesOf = ({ canBook, canWait, hasPlace }: BookingDesk): DeskAbilities => ({
  canBook,
  ...(canWait && { canWait }),
  ...(hasPlace && { hasPlace }),
});
