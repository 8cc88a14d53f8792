// The states of a call, as API and events name them.

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
