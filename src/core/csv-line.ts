// A line of CSV (RFC 4180), harmless in spreadsheets.
import { isFormula } from "./formula.ts";

export function csvLine(cells: readonly (string | number | null)[]): string {
  const quoted = cells.map((cell) => {
    const text = String(cell ?? "");
    const harmless = isFormula(text) ? `'${text}` : text;
    // Spreadsheets in other locales separate cells with semicolons or tabs.
    return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
  });
  return `${quoted.join(",")}\r\n`;
}
