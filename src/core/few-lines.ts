// A fault that comes again and again fills no log: the first few of each minute are written, the others counted and told.
import { MINUTE_MS, type Clock } from "./clock.ts";

const MOST_A_MINUTE = 5;

/** `leftOut`: how many of the minute that has passed were not written. */
export interface FewLines<Line> {
  write: (line: Line) => void;
  leftOut: (count: number) => void;
}

export function createFewLines<Line>(clock: Clock, { write, leftOut }: FewLines<Line>): (line: Line) => void {
  let count = 0;
  return (line) => {
    if (count++ === 0) {
      clock.after(MINUTE_MS, () => {
        if (count > MOST_A_MINUTE) leftOut(count - MOST_A_MINUTE);
        count = 0;
      });
    }
    if (count <= MOST_A_MINUTE) write(line);
  };
}
