// Repairs one stream of samples: conceals missing audio from the history, and cross-fades when audio resumes.
import { CONCEALMENT_HISTORY_MS, createConcealer } from "./concealment.ts";

export interface Mender {
  readonly isInGap: boolean;
  /** `frame[from … to)` is missing, the samples before it were received. False if the concealment is all silence. */
  missing(frame: Int16Array, from: number, to: number): boolean;
  /** `frame` holds received audio from `from` on. Returns the end of the changed part. */
  present(frame: Int16Array, from: number): number;
  /** Time was skipped right before this frame: it is joined as after a loss. */
  cut(): void;
}

/** `recall` is called when a gap starts, and fills its argument with the newest 60 ms of whole played frames. */
export function createMender(samplesPerMs: number, recall: (history: Int16Array) => void): Mender {
  const concealer = createConcealer(samplesPerMs);
  const history = new Int16Array(CONCEALMENT_HISTORY_MS * samplesPerMs);
  let isInGap = false;

  function begin(): void {
    concealer.begin(history);
    isInGap = true;
  }

  return {
    get isInGap() {
      return isInGap;
    },
    missing(frame, from, to) {
      if (!isInGap) {
        recall(history);
        history.copyWithin(0, from);
        history.set(frame.subarray(0, from), history.length - from);
        begin();
      }
      return concealer.extend(frame, from, to);
    },
    present(frame, from) {
      if (!isInGap) return from;
      isInGap = false;
      return concealer.rejoin(frame, from);
    },
    cut() {
      if (isInGap) return;
      recall(history);
      begin();
    },
  };
}

/** History of played samples, for the mender to recall. */
export function createSampleMemory(samplesPerMs: number) {
  const played = new Int16Array(CONCEALMENT_HISTORY_MS * samplesPerMs);
  return {
    recall: (history: Int16Array) => history.set(played),
    /** A whole frame. */
    keep(frame: Int16Array): void {
      played.copyWithin(0, frame.length);
      played.set(frame, played.length - frame.length);
    },
  };
}

/** Processes a frame piece by piece, for packets of other lengths than 20 ms. Returns whether any piece is audible. */
export function mendPieces(
  present: Uint8Array,
  hear: (from: number, to: number) => void,
  makeUp: (from: number, to: number) => boolean,
): boolean {
  let sounds = false;
  for (let from = 0; from < present.length;) {
    const isPresent = present[from] === 1;
    let to = from + 1;
    while (to < present.length && (present[to] === 1) === isPresent) to++;
    if (isPresent) hear(from, to);
    sounds = isPresent || makeUp(from, to) || sounds;
    from = to;
  }
  return sounds;
}
