// The start of a receiver's response, sanitised for storage and display.
import type { AnswerStart } from "../../net/http/answer-start.ts";

const MOST_CHARACTERS = 1_000;

export function excerptOf({ bodyStart, isEncoded }: AnswerStart): string {
  if (isEncoded || bodyStart.length === 0) return "";
  // `stream` withholds an incomplete character at the end.
  const text = new TextDecoder().decode(bodyStart, { stream: true });
  const printable = text
    .replace(/[\t\r\n]+/g, " ")
    // Format characters can reverse the direction of text and so mislead the reader.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .trim();
  return printable.slice(0, MOST_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
}
