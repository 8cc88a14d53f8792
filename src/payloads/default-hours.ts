// Default calling hours of a new agent, in the callee's local time.

export const DEFAULT_HOURS = { start: "09:00", end: "20:00", days: [0, 1, 2, 3, 4, 5, 6] };
