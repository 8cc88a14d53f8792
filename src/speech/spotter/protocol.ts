// What the line's thread and a spotter say to each other. Neither sound nor phrases go anywhere else.

/** One for each SoundRequest, in order. `error` tells what failed; the thread ends after it. */
export type SpotAnswer = { id: number; alarms: readonly string[] } | { id: number; error: string };
