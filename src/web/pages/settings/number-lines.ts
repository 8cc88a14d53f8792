// Extracts the numbers of a CSV file or a plain list, each with its line number.

export interface NumberLine {
  /** Line of the file, from 1. */
  line: number;
  text: string;
}

/** Reads the first column. Skips empty lines and a heading without digits. */
export function numberLines(file: string): NumberLine[] {
  return file
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .map((row, index) => ({ line: index + 1, text: firstCell(row) }))
    .filter(({ line, text }) => text !== "" && (line > 1 || /\d/.test(text)));
}

function firstCell(row: string): string {
  const quoted = /^\s*"((?:[^"]|"")*)"/.exec(row);
  return (quoted?.[1]?.replaceAll('""', '"') ?? row.split(/[,;\t]/)[0] ?? "").trim();
}
