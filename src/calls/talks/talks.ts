// Joins the line and the agent of each call: the carrier is told what to dial and what to give its agent, the agent's
// questions are answered here, beside the database, and what both report becomes the end of the call.
import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { Arrival, CallOrder, Carrier, CarrierListener, Failure, LineEnd } from "../../telephony/port.ts";
import { languageNamed } from "../../speech/languages.ts";
import { NO_SERVERS, serversFor } from "../../speech/servers/choices.ts";
import type { SentNote } from "../../speech/servers/port.ts";
import type { TurnTimes } from "../../payloads/turn-times.ts";
import { isAgreement } from "../../voice/agreements.ts";
import { isSentReport } from "../../voice/sent-report.ts";
import { answerFromDesk, type DeskQuestion } from "../../voice/desk-questions.ts";
import type { BookingDesk, DeskAbilities } from "../../calendar/desk-port.ts";
import type { AgentBrief, Agreed, LedCounts } from "../../voice/port.ts";
import { callEndOf, type BrokenCall, type CallEnd } from "../call/call-end.ts";
import type { CallRequest } from "./dial-plan.ts";

/** A call that arrives, for whoever decides about it. */
export interface CallArrival extends Omit<Arrival, "accept"> {
  accept(request: CallRequest): void;
}

/** What becomes of calls, as the lifecycle hears it. */
export interface CallListener extends Omit<CarrierListener, "ended" | "arrived" | "asked"> {
  ended(callId: string, end: CallEnd): void;
  arrived(arrival: CallArrival): void;
  /** Something was agreed on with the callee. Resolves once it is on disk. */
  agreed(callId: string, agreed: Agreed): Promise<void>;
}

export interface TalkDeps {
  clock: Clock;
  logger: Logger;
  listener: CallListener;
  /** A function, because the carrier reports to the talks that it is given. */
  carrier: () => Carrier;
  /** Whether agents can be heard in this language without recorded words. */
  speaks: (language: string) => boolean;
  /** Who takes callers of agents that have nobody to send them on to; null where nobody does. */
  spareOperator: string | null;
  /** Agents that listen wait longer before they answer. */
  isUnhurried?: boolean;
  /** How quick an agent that listens was, once its call is over. */
  measured?: (turns: readonly TurnTimes[]) => void;
  /** What a language model did on a call. */
  led?: (counts: LedCounts) => void;
}

export interface Talks {
  /** Begins the call and returns at once; the listener hears what becomes of it. */
  dial(request: CallRequest): void;
  /** For the carrier. */
  readonly listener: CarrierListener;
}

const NOTHING_TO_SAY: Failure = {
  kind: "failed",
  code: "infrastructure_error",
  message: "The agent cannot be heard: record its greeting, for no built-in voice here has its language.",
};

export function createTalks(deps: TalkDeps): Talks {
  const { clock, logger, listener, carrier, speaks } = deps;
  /** Of the calls under way, those that still ring at us among them. */
  const desks = new Map<string, BookingDesk | null>();
  const sent = createSentByCalls();

  /** Null where nobody would hear the agent: nobody is rung to hear silence. */
  function orderFor(request: CallRequest, direction: AgentBrief["direction"]): CallOrder | null {
    const { line, languages, recorded, desk } = request;
    const language = languages.find((each) => speaks(each) || hasOwnVoice(request, each));
    if (language === undefined && !recorded.some(({ kind }) => kind === "greeting")) return null;
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

  /** Reported a moment later, as a carrier would: whoever dials may be in the middle of something. */
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
        // Whoever gave up meanwhile has ended already, and asks for no desk.
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
      // An agent's own, carried here unread.
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
        const ended = callEndOf(sent.endOf(callId, end));
        if (ended.kind === "completed" && ended.turns) deps.measured?.(ended.turns);
        if (ended.kind === "completed" && ended.led) deps.led?.(ended.led);
        listener.ended(callId, ended);
      },
    },
  };
}

/** Its message may name the contact. */
const kindOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** What calls have sent to model servers until now: a line's thread may die before it can say so at the end. */
function createSentByCalls() {
  const sent = new Map<string, readonly SentNote[]>();
  return {
    /** Null: the call is over. */
    keep: (callId: string, notes: readonly SentNote[] | null) => notes && sent.set(callId, notes).size,
    endOf(callId: string, end: LineEnd): LineEnd | BrokenCall {
      const known = sent.get(callId);
      sent.delete(callId);
      return known && end.kind === "failed" ? { ...end, sent: known } : end;
    },
  };
}

/** A voice of the hospital's own speaks what we have words for. */
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
