// What a carrier reported, call by call, and orders that differ only where a test says so.
import type { CallOrder, CarrierListener, CreateCallAgent, Line, LineEnd } from "../../src/telephony/port.ts";
import type { AgentBrief } from "../../src/voice/port.ts";

export interface CarrierLog extends CarrierListener {
  /** The names of the reports on a call, in order. */
  of(callId: string): string[];
  has(callId: string, report: "ringing" | "answered" | "ended"): boolean;
  endOf(callId: string): LineEnd;
  /** How many reports there were on all calls. */
  count(): number;
}

export function createCarrierLog(): CarrierLog {
  const reports: { callId: string; name: string }[] = [];
  const ends = new Map<string, LineEnd>();
  const of = (callId: string) => reports.filter((report) => report.callId === callId).map(({ name }) => name);
  return {
    ringing: (callId) => void reports.push({ callId, name: "ringing" }),
    answered: (callId) => void reports.push({ callId, name: "answered" }),
    ended(callId, end) {
      reports.push({ callId, name: "ended" });
      ends.set(callId, end);
    },
    asked: async () => {
      throw new Error("Nobody answers here.");
    },
    arrived: ({ callId }) => void reports.push({ callId, name: "arrived" }),
    of,
    has: (callId, name) => of(callId).includes(name),
    endOf(callId) {
      const end = ends.get(callId);
      if (!end) throw new Error(`${callId} has not ended; reported so far: ${of(callId).join(", ") || "nothing"}`);
      return end;
    },
    count: () => reports.length,
  };
}

export const BRIEF: AgentBrief = {
  agentName: "Asha",
  language: "en-IN",
  voice: "warm",
  prompt: "Confirm tomorrow's visit with Dr. Rao. Be brief and kind.",
  greeting: "Good morning, this is Asha from the City Hospital.",
  contactName: "Meera",
  additionalInfo: {},
  transferTo: null,
  timeZone: "Asia/Kolkata",
  direction: "outbound",
  desk: null,
};

export function callOrder(given: Partial<CallOrder> & { recordingFile: string | null }): CallOrder {
  return {
    callId: "call-1",
    trunkId: null,
    from: "+911140001000",
    to: "+919810012345",
    captureFile: null,
    clips: [],
    brief: BRIEF,
    ...given,
  };
}

/** The line is recorded from the answer on, as an agent would do that may. */
export const recordedFromAnswer =
  (create: CreateCallAgent): CreateCallAgent =>
  (options) => {
    const agent = create(options);
    const answered = agent.answered.bind(agent);
    return Object.assign(agent, {
      answered(line: Line) {
        line.record(true);
        answered(line);
      },
    });
  };
