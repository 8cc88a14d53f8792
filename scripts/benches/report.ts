// Findings of the parts, as a table for a terminal or for the handbook.
import type { Finding } from "./bench.ts";
import type { Told } from "./run-part.ts";

export interface PartFound {
  name: string;
  told: Told;
}

const COLUMNS = ["part", "measure", "here", "against", "ratio", "goal", "holds"];

const ratioWords = (ratio: number | null) => (ratio === null ? "" : `× ${ratio.toFixed(ratio < 10 ? 2 : 1)}`);

const holdsWords = (holds: boolean | null) => (holds === null ? "" : holds ? "yes" : "NO");

function cellsOf(name: string, { measure, here, against, ratio, goal, holds }: Finding): string[] {
  return [name, measure, here, against, ratioWords(ratio), goal ?? "", holdsWords(holds)];
}

/** A part's name appears only in its first row. */
function rowsOf(parts: readonly PartFound[]): string[][] {
  return parts.flatMap(({ name, told }) =>
    told.kind === "found" ? told.findings.map((finding, i) => cellsOf(i === 0 ? name : "", finding)) : [],
  );
}

function notRun(parts: readonly PartFound[]): string[] {
  return parts.flatMap(({ name, told }) => {
    if (told.kind === "found") return [];
    const [reason] = told.reason.split("\n", 1);
    return [`${name}: ${told.kind === "missing" ? "skipped" : "FAILED"}, ${reason}`];
  });
}

export function asTable(heading: string, parts: readonly PartFound[]): string {
  const rows = [COLUMNS, ...rowsOf(parts)];
  const widths = COLUMNS.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  return [heading, "", ...(rows.length > 1 ? rows.map(line) : []), ...notRun(parts)].join("\n");
}

export function asMarkdown(heading: string, parts: readonly PartFound[]): string {
  const rows = rowsOf(parts);
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const table = rows.length > 0 ? [line(COLUMNS), line(COLUMNS.map(() => "---")), ...rows.map(line), ""] : [];
  return [heading, "", ...table, ...notRun(parts).map((words) => `- ${words}`)].join("\n").trimEnd();
}

/** In the format of figures.json; a part that was not run has a row that says so. */
export function figuresTable(parts: readonly PartFound[]): string[][] {
  const missing = notRun(parts).map((words) => [words, ...COLUMNS.slice(1).map(() => "")]);
  return [COLUMNS, ...rowsOf(parts), ...missing].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
}
