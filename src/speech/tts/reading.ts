// A text as the built-in voice can read it: plain ASCII, with dates, times, numbers and abbreviations that it would
// misread written out, cut into sentences.
import { spokenDate, spokenTime } from "./spoken-time.ts";

/** Long enough for any sentence of a person, short enough to be spoken in under a second of work. */
const LONGEST_SENTENCE = 400;

/** Abbreviations of a hospital that it would read as words. */
const SPELLED = /\b(?:ICU|MRI|ENT|ECG|EEG|OPD|IPD|CT|ID|UHID|OTP|HR|OT)\b/g;

const REWRITES: readonly [pattern: RegExp, written: string | ((match: string, ...groups: string[]) => string)][] = [
  [/\p{M}/gu, ""], // the accents that NFKD has parted from their letters
  [/[‘’]/g, "'"],
  [/[“”]/g, '"'],
  [/\s*[–—]\s*/g, ", "],
  [/…/g, "."],
  [/\b\d{4}-\d{2}-\d{2}\b/g, (date) => spokenDate(date)],
  [
    /\b(\d{1,2})[.:](\d{2})\s*([ap])\.?m\b\.?/gi,
    (_, hour = "", minute = "", half = "") => `${hour}:${minute} ${half} m`,
  ],
  [/\b(?:1[3-9]|2[0-3]|00):[0-5]\d\b/g, (time) => spokenTime(time)],
  [/\b(\d{1,2}):00\b(?!\s*[ap] m)/g, (_, hour = "") => `${hour} o'clock`],
  [/(?:₹|\bRs\.?|\bINR)\s*(\d[\d,]*(?:\.\d+)?)/g, (_, amount = "") => `${amount} rupees`],
  // Telephone numbers, digit by digit.
  [/\+?\b\d{7,}\b/g, (digits) => digits.replace("+", "").split("").join(" ")],
  [SPELLED, (letters) => letters.split("").join(" ")],
  [/\bDr\b\.?/g, "Doctor"], // "Drive" at the end of an address
  [/\bNo\.\s*(?=\d)/gi, "number "],
  [/&/g, " and "],
  [/@/g, " at "],
  [/\+/g, " plus "],
  [/[/\\|_*#<>{}[\]~^`=]/g, " "],
  [/[^\x20-\x7e]+/g, " "],
  [/\s+/g, " "],
];

/** None where there is nothing that it can read, as in a text in another script. */
export function sentencesOf(text: string): string[] {
  return readable(text)
    .split(/(?<!\b(?:Mr|Mrs|Ms|Prof|St)\.)(?<=[.!?]"?)\s+/i)
    .flatMap((sentence) => cut(sentence.trim()))
    .filter((sentence) => /[a-z0-9]/i.test(sentence));
}

function readable(text: string): string {
  return REWRITES.reduce(
    (written, [pattern, by]) =>
      typeof by === "string" ? written.replaceAll(pattern, by) : written.replaceAll(pattern, by),
    text.normalize("NFKD"),
  );
}

/** At the last comma that fits, otherwise between words, otherwise anywhere. */
function cut(sentence: string): string[] {
  if (sentence.length <= LONGEST_SENTENCE) return [sentence];
  const head = sentence.slice(0, LONGEST_SENTENCE);
  const at = [head.lastIndexOf(", ") + 1, head.lastIndexOf(" ")].find((found) => found > 0) ?? LONGEST_SENTENCE;
  return [sentence.slice(0, at), ...cut(sentence.slice(at).trim())];
}
