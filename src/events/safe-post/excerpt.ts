// The beginning of a receiver's answer, fit to be stored and shown to a person.
import type { AnswerStart } from "../../net/http/answer-start.ts";

const MOST_CHARACTERS = 1_000;

export function excerptOf({ bodyStart, isEncoded }: AnswerStart): string {
  if (isEncoded || bodyStart.length === 0) return "";
  // `stream` holds back a character that was cut in the middle.
  const text = new TextDecoder().decode(bodyStart, { stream: true });
  const printable = text
    .replace(/[\t\r\n]+/g, " ")
    // Format characters can turn the direction of text around, and so what a person reads.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .trim();
  return printable.slice(0, MOST_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
}
