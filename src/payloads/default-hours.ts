// When a new agent calls, in the callee's own time, until its owner sets other hours.

export const DEFAULT_HOURS = { start: "09:00", end: "20:00", days: [0, 1, 2, 3, 4, 5, 6] };
