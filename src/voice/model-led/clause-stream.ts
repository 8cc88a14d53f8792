// A model's text as it comes, in pieces of any size, cut into clauses that can be checked and spoken.
import { clausesOf } from "../../speech/tts/clauses.ts";

/** A sentence without an end is cut somewhere. */
const LONGEST_OPEN = 400;

export interface ClauseStream {
  /** The clauses that are whole by now. */
  add(text: string): string[];
  /** What is left. */
  end(): string[];
}

export function createClauseStream(): ClauseStream {
  let open = "";
  let isFirst = true;

  /** A sentence is over once the next one has begun: "Dr." and "10." may go on. */
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
      // A stop and a blank after it: nothing more belongs to this sentence, unless it is a short form, which clausesOf knows.
      if (/[.!?।]["')\]]*\s$/.test(open) && !/(?:^|[\s(])\p{L}{1,3}\.$/u.test(last) && !/\d\.$/.test(last))
        return take(true);
      return open.length > LONGEST_OPEN ? take(true) : take(false);
    },
    end: () => take(true),
  };
}

/** A danda ends a sentence as a full stop does. */
const clausesIn = (text: string): string[] => text.split(/(?<=।)\s+/u).flatMap(clausesOf);

/** Only the first words of an answer are cut at a comma, so that somebody hears something soon. */
function wholeSentences([first, second, ...rest]: readonly string[]): string[] {
  if (first === undefined) return [];
  if (second === undefined) return [first];
  return /[,;:]$/.test(first) ? [`${first} ${second}`, ...rest] : [first, second, ...rest];
}
