// The lines of a registry's scrub result: a number and its verdict, separated by a comma, semicolon or tab.

/** Most lines of a file; a larger list is split. */
export const MOST_SCRUB_LINES = 100_000;
/** Lines per request and transaction. */
export const SCRUB_LINES_AT_ONCE = 500;

export interface ScrubLine {
  /** Line of the file, from 1. */
  line: number;
  number: string;
  verdict: string;
}

/** Skips empty lines and a heading without digits. */
export function scrubLines(file: string): ScrubLine[] {
  return file
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .map((row, index) => {
      const [number = "", verdict = ""] = row.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
      return { line: index + 1, number, verdict };
    })
    .filter(({ line, number }) => number !== "" && (line > 1 || /\d/.test(number)));
}
