// Character error rate of a Hindi sentence: substitutions, deletions and insertions. Ignores spaces, punctuation, nukta
// and the difference between anusvara and candrabindu, because people write them both ways.
import { distance } from "./word-errors.ts";

function lettersOf(text: string): string[] {
  const plain = text
    .normalize("NFC")
    .replaceAll(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x0966))
    .normalize("NFD")
    .replaceAll("\u0901", "\u0902")
    .replaceAll("\u093c", "")
    .replaceAll(/[^\u0900-\u0963A-Za-z0-9]+/g, "");
  return plain.toLowerCase().split("");
}

export function characterErrors(said: string, heard: string): { errors: number; letters: number } {
  const expected = lettersOf(said);
  return { errors: distance(expected, lettersOf(heard)), letters: expected.length };
}
