// Closes the gap that a missing value leaves in a text, so that no space and no punctuation mark is doubled.

/** Ends a word; U+0964 is the danda of Hindi. */
const MARK = /^[ \t]*([,.;:!?)\u0964])/;
/** Marks that give way to the mark after the gap. */
const WEAK = /[,;:]$/;
/** The next word starts a sentence. */
const SENTENCE_END = /(?:^|[\n.!?\u0964])$/;

/** The text before the gap and the text after it. `before` is short: the end of what was said so far. */
export function withoutGap(before: string, after: string): [before: string, after: string] {
  const mark = MARK.exec(after)?.[1];
  if (mark === undefined) {
    return [before, before === "" || /\s$/.test(before) ? after.replace(/^[ \t]+/, "") : after];
  }
  const last = before.replace(/[ \t]+$/, "");
  if (last.endsWith("(")) {
    return mark === ")" ? withoutGap(last.slice(0, -1), afterMark(after)) : [last, spaceless(afterMark(after))];
  }
  if (WEAK.test(last)) return withoutGap(last.slice(0, -1), after);
  if (mark === ")" || !SENTENCE_END.test(last)) return [last, spaceless(after)];
  const rest = afterMark(after);
  return MARK.test(rest) ? withoutGap(before, rest) : [before, startOfSentence(before, rest)];
}

/** "{{user_name}}, this is Asha" becomes "This is Asha". */
function startOfSentence(before: string, rest: string): string {
  const isSpaced = before === "" || /\s$/.test(before);
  const [, spaces = "", first = "", others = ""] = /^([ \t]*)(.?)(.*)$/su.exec(rest) ?? [];
  return (isSpaced ? "" : spaces) + first.toLocaleUpperCase("en") + others;
}

const spaceless = (text: string): string => text.replace(/^[ \t]+/, "");
const afterMark = (text: string): string => text.replace(MARK, "");
