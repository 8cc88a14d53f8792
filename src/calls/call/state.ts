// State machine of a call as one pure table of states and events. All state changes follow it.
import { CALL_STATES } from "../../payloads/call-state.ts";
import type { CallState } from "./records.ts";

/** Events of a call. */
export const CALL_EVENTS = [
  "due",
  "dial",
  "disallow",
  "cancel",
  "ring",
  "put_back",
  "answer",
  "complete",
  "fail",
] as const;
export type CallEvent = (typeof CALL_EVENTS)[number];

/** A missing pair is an invalid transition: the state does not change, and the caller gets null. */
const TRANSITIONS: Readonly<Record<CallState, Partial<Record<CallEvent, CallState>>>> = {
  scheduled: { due: "queued", cancel: "cancelled" },
  queued: { dial: "initiated", disallow: "disallowed", cancel: "cancelled" },
  // A carrier may connect without reporting that it rings. A call on a dead trunk is requeued before it rings.
  initiated: { ring: "ringing", put_back: "queued", answer: "in_progress", fail: "failed" },
  ringing: { answer: "in_progress", fail: "failed" },
  in_progress: { complete: "completed", fail: "failed" },
  completed: {},
  failed: {},
  cancelled: {},
  disallowed: {},
};

/** The state after `event`, or null if the event does not apply. */
export function nextState(state: CallState, event: CallEvent): CallState | null {
  return TRANSITIONS[state][event] ?? null;
}

export function isFinal(state: CallState): boolean {
  return Object.keys(TRANSITIONS[state]).length === 0;
}

/** States in which a carrier holds the call; after a crash these calls are interrupted. */
export const LIVE_STATES = ["initiated", "ringing", "in_progress"] as const satisfies readonly CallState[];

/** The table as a Mermaid diagram, for the handbook. */
export function stateDiagram(): string {
  const moves = CALL_STATES.flatMap((state) =>
    CALL_EVENTS.flatMap((event) => {
      const next = nextState(state, event);
      return next ? [`  ${state} --> ${next}: ${event}`] : [];
    }),
  );
  const ends = CALL_STATES.filter(isFinal).map((state) => `  ${state} --> [*]`);
  return [
    "stateDiagram-v2",
    "  [*] --> scheduled: create",
    // An inbound call.
    "  [*] --> ringing: arrive",
    ...moves,
    ...ends,
  ].join("\n");
}
