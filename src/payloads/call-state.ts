// The states of a call in the API and events.

export const CALL_STATES = [
  "scheduled",
  "queued",
  "initiated",
  "ringing",
  "in_progress",
  "completed",
  "failed",
  "cancelled",
  "disallowed",
] as const;
