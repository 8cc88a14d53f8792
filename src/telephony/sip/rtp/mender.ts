// Keeps one stream of samples whole: remembers what was heard, goes on from it where audio is missing, and leads over to
// what comes again.
import { CONCEALMENT_HISTORY_MS, createConcealer } from "./concealment.ts";

export interface Mender {
  /** `frame[from … to)` is missing, what stands before it was heard. False where all that could be made up is silence. */
  missing(frame: Int16Array, from: number, to: number): boolean;
  /** `frame` holds what was heard from `from` on. */
  present(frame: Int16Array, from: number): void;
  /** Time was skipped right before this frame: it is joined as after a loss. */
  cut(): void;
  /** The frame is whole now. */
  keep(frame: Int16Array): void;
}

export function createMender(samplesPerMs: number): Mender {
  const concealer = createConcealer(samplesPerMs);
  /** The newest that was heard, and a copy that goes as far as the gap. */
  const played = new Int16Array(CONCEALMENT_HISTORY_MS * samplesPerMs);
  const history = new Int16Array(played.length);
  let isInGap = false;

  function begin(frame: Int16Array, upTo: number): void {
    history.set(played.subarray(upTo));
    history.set(frame.subarray(0, upTo), history.length - upTo);
    concealer.begin(history);
    isInGap = true;
  }

  return {
    missing(frame, from, to) {
      if (!isInGap) begin(frame, from);
      return concealer.extend(frame, from, to);
    },
    present(frame, from) {
      if (isInGap) concealer.rejoin(frame, from);
      isInGap = false;
    },
    cut() {
      if (!isInGap) begin(played, 0);
    },
    keep(frame) {
      played.copyWithin(0, frame.length);
      played.set(frame, played.length - frame.length);
    },
  };
}
