// A carrier that does nothing until the test says what happened on the line. The simulator is its real twin.
import { writeFileSync } from "node:fs";
import type { Conversation } from "../../src/calls/call/call-end.ts";
import type {
  Arrival,
  CallOrder,
  CarrierFactory,
  CarrierListener,
  FailureCode,
  LineEnd,
  TrunkLines,
} from "../../src/telephony/port.ts";
import type { Agreement } from "../../src/voice/agreements.ts";
import { createRemoteDesk } from "../../src/voice/desk-questions.ts";
import type { BookingDesk } from "../../src/calendar/desk-port.ts";
import type { AgentBrief, Agreed } from "../../src/voice/port.ts";

/** An order as the agent on the line would find it. */
export interface DialledCall extends CallOrder {
  /** Empty: the call must not be recorded. */
  recordingFile: string;
  brief: AgentBrief;
  desk: BookingDesk | null;
}

export interface FakeCarrier {
  factory: CarrierFactory;
  /** Every request to dial, in order. */
  readonly dialled: DialledCall[];
  /** Calls that were dialled and have not ended. */
  readonly live: ReadonlySet<string>;
  /** What it says of each trunk; every one takes calls unless the test says otherwise. */
  trunkLines: (trunkId: string | null) => TrunkLines;
  /** For how many of so many calls it has room, where it `makesRoom`. */
  makeRoom: (calls: number) => number;
  /** Somebody calls one of our numbers. */
  arrive(arrival: Omit<Arrival, "accept" | "reject">): ArrivalAnswer;
  /** Runs inside dial(), before it returns. */
  onDial: (call: DialledCall) => void;
  ring(callId: string): void;
  answer(callId: string): void;
  keepLeg(callId: string, leg: string): void;
  /** The agent and the callee agree on something. */
  agree(callId: string, agreed: Agreed): Promise<unknown>;
  /** The agent asks or tells something. */
  ask(callId: string, question: unknown): Promise<unknown>;
  /** Ends a conversation; writes a recording where `recorded` says that there is one. */
  complete(callId: string, change?: Partial<Conversation>): void;
  /** `talk`: the agent's report, where it is not lost. */
  fail(callId: string, code?: FailureCode, talk?: Partial<Conversation>): void;
  /** The trunk failed before any phone rang. */
  putBack(callId: string): void;
  /** Rings, answers and completes. */
  talk(callId: string, change?: Partial<Conversation>): void;
}

export interface ArrivalAnswer {
  accepted: DialledCall | null;
  rejected: Parameters<Arrival["reject"]>[0] | null;
}

export const TALK: Conversation = {
  kind: "completed",
  durationSeconds: 61,
  transcript: [
    { speaker: "agent", text: "Good morning.", timestamp: 0 },
    { speaker: "user", text: "Good morning to you.", timestamp: 2.5 },
  ],
  analytics: {
    summary: "They greeted each other.",
    sentiment: "positive",
    next_steps: "None.",
    disposition: "session_ended",
  },
  extractedDetails: { mood: "good" },
  recorded: false,
};

function talkOf(change: Partial<Conversation>) {
  const { kind: _kind, durationSeconds: _seconds, recorded: _recorded, line: _line, ...talk } = { ...TALK, ...change };
  return talk;
}

export function createFakeCarrier(options: { lines?: number; makesRoom?: boolean } = {}): FakeCarrier {
  const dialled: DialledCall[] = [];
  const live = new Set<string>();
  let listener: CarrierListener | undefined;

  const report = (): CarrierListener => {
    if (!listener) throw new Error("The app has not made its carrier yet.");
    return listener;
  };
  const end = (callId: string, outcome: LineEnd): void => {
    live.delete(callId);
    report().ended(callId, outcome);
  };
  const opened = (order: CallOrder): DialledCall => {
    const brief = order.brief as AgentBrief;
    const ask = (question: unknown) => report().asked(order.callId, question);
    return {
      ...order,
      recordingFile: order.recordingFile ?? "",
      brief,
      desk: brief.desk && createRemoteDesk(brief.desk, ask),
    };
  };
  const requestOf = (callId: string) => dialled.find((request) => request.callId === callId);

  const fake: FakeCarrier = {
    factory(given) {
      listener = given;
      return {
        name: "fake",
        lines: options.lines ?? 1_000,
        trunkLines: (trunkId) => fake.trunkLines(trunkId),
        ...(options.makesRoom && { makeRoom: async (calls: number) => fake.makeRoom(calls) }),
        dial(order) {
          const call = opened(order);
          dialled.push(call);
          live.add(call.callId);
          fake.onDial(call);
        },
        hangUp: (callId) => end(callId, { kind: "failed", code: "interrupted", message: "The call was hung up." }),
        async stop() {
          for (const callId of live)
            end(callId, { kind: "failed", code: "interrupted", message: "The service was stopped." });
        },
      };
    },
    dialled,
    live,
    trunkLines: () => ({ kind: "open", lines: options.lines ?? 1_000 }),
    makeRoom: (calls) => calls,
    arrive(arrival) {
      const answer: ArrivalAnswer = { accepted: null, rejected: null };
      report().arrived({
        ...arrival,
        accept(order) {
          answer.accepted = opened(order);
          dialled.push(answer.accepted);
          live.add(order.callId);
        },
        reject(why) {
          answer.rejected = why;
        },
      });
      return answer;
    },
    onDial: () => {},
    ring: (callId) => report().ringing(callId),
    answer: (callId) => report().answered(callId),
    keepLeg: (callId, leg) => report().legKept?.(callId, leg),
    agree: (callId, agreed) => report().asked(callId, { kind: "agree", agreed } satisfies Agreement),
    ask: (callId, question) => report().asked(callId, question),
    complete(callId, change = {}) {
      const request = requestOf(callId);
      if (change.recorded && request) writeFileSync(request.recordingFile, "RIFF of the conversation");
      const { kind, durationSeconds, recorded, line, ...talk } = { ...TALK, ...change };
      end(callId, { kind, durationSeconds, recorded, ...(line && { line }), talk });
    },
    fail(callId, code = "busy", change) {
      const talk = change && talkOf(change);
      end(callId, { kind: "failed", code, message: "The line failed.", ...(talk && { talk }) });
    },
    putBack: (callId) =>
      end(callId, {
        kind: "failed",
        code: "infrastructure_error",
        message: "The trunk does not answer.",
        putBack: true,
      }),
    talk(callId, change) {
      fake.ring(callId);
      fake.answer(callId);
      fake.complete(callId, change);
    },
  };
  return fake;
}
