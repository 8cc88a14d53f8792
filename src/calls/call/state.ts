// The life of a call as one pure table: every state, every event, and where it leads. Nothing else decides a state.
import { CALL_STATES } from "../../payloads/call-state.ts";
import type { CallState } from "./records.ts";

/** What can happen to a call. */
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

/** A pair that is not here does not happen: the state stays and the caller is told. */
const TRANSITIONS: Readonly<Record<CallState, Partial<Record<CallEvent, CallState>>>> = {
  scheduled: { due: "queued", cancel: "cancelled" },
  queued: { dial: "initiated", disallow: "disallowed", cancel: "cancelled" },
  // A carrier may connect without ever having reported that it rings. A dead trunk puts the call back before it rang.
  initiated: { ring: "ringing", put_back: "queued", answer: "in_progress", fail: "failed" },
  ringing: { answer: "in_progress", fail: "failed" },
  in_progress: { complete: "completed", fail: "failed" },
  completed: {},
  failed: {},
  cancelled: {},
  disallowed: {},
};

/** Where `event` leads from `state`, or null where it does not apply. */
export function nextState(state: CallState, event: CallEvent): CallState | null {
  return TRANSITIONS[state][event] ?? null;
}

export function isFinal(state: CallState): boolean {
  return Object.keys(TRANSITIONS[state]).length === 0;
}

/** A carrier holds the call: after a crash these are the ones that were cut off. */
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
    // A call that a trunk brings us.
    "  [*] --> ringing: arrive",
    ...moves,
    ...ends,
  ].join("\n");
}
