// Cuts a model's streamed text into clauses for checking and synthesis.
import { clausesOf } from "../../speech/tts/clauses.ts";

/** A sentence without an end is cut at this length. */
const LONGEST_OPEN = 400;

export interface ClauseStream {
  /** Returns the clauses that are complete. */
  add(text: string): string[];
  /** Returns the remainder. */
  end(): string[];
}

export function createClauseStream(): ClauseStream {
  let open = "";
  let isFirst = true;

  /** A sentence is complete once the next one has started: "Dr." and "10." may continue. */
  function take(isEnd: boolean): string[] {
    const clauses = isFirst ? clausesIn(open) : wholeSentences(clausesIn(open));
    const kept = isEnd ? "" : (clauses.pop() ?? "");
    open = kept + (kept !== "" && /\s$/.test(open) ? " " : "");
    if (clauses.length > 0) isFirst = false;
    return clauses;
  }

  return {
    add(text) {
      open = (open + text).replaceAll(/\s+/g, " ");
      const last = open.trimEnd();
      // A full stop followed by a space completes the sentence, unless clausesOf treats it as an abbreviation.
      if (/[.!?।]["')\]]*\s$/.test(open) && !/(?:^|[\s(])\p{L}{1,3}\.$/u.test(last) && !/\d\.$/.test(last))
        return take(true);
      return open.length > LONGEST_OPEN ? take(true) : take(false);
    },
    end: () => take(true),
  };
}

/** A danda ends a sentence like a full stop. */
const clausesIn = (text: string): string[] => text.split(/(?<=।)\s+/u).flatMap(clausesOf);

/** Only the start of an answer is cut at a comma, to start playback early. */
function wholeSentences([first, second, ...rest]: readonly string[]): string[] {
  if (first === undefined) return [];
  if (second === undefined) return [first];
  return /[,;:]$/.test(first) ? [`${first} ${second}`, ...rest] : [first, second, ...rest];
}
