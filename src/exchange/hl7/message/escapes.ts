// Escape sequences in text (HL7 v2.5.1, section 2.7).
import type { Delimiters } from "./delimiters.ts";

/** A longer sequence is text with a stray escape character, such as a Windows path. */
const LONGEST_SEQUENCE = 64;

/** Formatting commands: those that end a line, and those without meaning in plain text. */
const LINE_ENDS = /^\.(?:br|sp)\s*\+?\d*$/i;
const FORMATTING = /^\.(?:fi|nf|ce|in|ti|sk)\s*[+-]?\d*$/i;
/** Other character sets. */
const OTHER_SET = /^(?:C[0-9A-F]{4}|M[0-9A-F]{4,6})$/i;
const HEX = /^X((?:[0-9A-F]{2})+)$/i;

/** `decode` reads the bytes of \Xdd\ in the character set of the message. */
export function unescaped(raw: string, delimiters: Delimiters, decode: (bytes: Uint8Array) => string): string {
  const { escape } = delimiters;
  if (escape === "" || !raw.includes(escape)) return raw;
  let text = "";
  let at = 0;
  while (at < raw.length) {
    const start = raw.indexOf(escape, at);
    if (start === -1) return text + raw.slice(at);
    text += raw.slice(at, start);
    const end = raw.indexOf(escape, start + 1);
    const sequence = end === -1 || end - start > LONGEST_SEQUENCE ? null : raw.slice(start + 1, end);
    const meaning = sequence === null ? null : meaningOf(sequence, delimiters, decode);
    // Unknown: the escape character stands for itself, and the next one may begin a sequence.
    text += meaning ?? escape;
    at = meaning === null ? start + 1 : end + 1;
  }
  return text;
}

function meaningOf(sequence: string, delimiters: Delimiters, decode: (bytes: Uint8Array) => string): string | null {
  if (sequence.length === 1) return LETTERS[sequence]?.(delimiters) ?? null;
  switch (sequence.charAt(0).toUpperCase()) {
    case ".":
      if (LINE_ENDS.test(sequence)) return "\n";
      return FORMATTING.test(sequence) ? "" : null;
    case "X": {
      const hex = HEX.exec(sequence)?.[1];
      return hex === undefined ? null : decode(Buffer.from(hex, "hex"));
    }
    case "C":
    case "M":
      return OTHER_SET.test(sequence) ? "" : null;
    default:
      // Local sequences have no meaning here.
      return sequence.startsWith("Z") ? "" : null;
  }
}

const LETTERS: Readonly<Record<string, (delimiters: Delimiters) => string>> = {
  F: ({ field }) => field,
  S: ({ component }) => component,
  T: ({ subcomponent }) => subcomponent,
  R: ({ repetition }) => repetition,
  E: ({ escape }) => escape,
  P: () => "#",
  // Highlighting on and off.
  H: () => "",
  N: () => "",
};

/** Every delimiter and control character as an escape sequence; without an escape character they become spaces. */
export function escaped(text: string, delimiters: Delimiters): string {
  const { field, component, repetition, escape, subcomponent } = delimiters;
  const letters = new Map([
    [field, "F"],
    [component, "S"],
    [repetition, "R"],
    [escape, "E"],
    [subcomponent, "T"],
    ["\n", ".br"],
  ]);
  letters.delete("");
  let sent = "";
  for (const sign of text.replaceAll(/\r\n?/g, "\n")) {
    const letter = letters.get(sign) ?? (sign < " " || sign === "\x7f" ? hexOf(sign) : null);
    if (letter === null) sent += sign;
    else sent += escape === "" ? " " : `${escape}${letter}${escape}`;
  }
  return sent;
}

const hexOf = (sign: string): string => `X${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
