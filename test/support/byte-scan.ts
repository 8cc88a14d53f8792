// Searches the bytes of every file in a folder for words, like a thief of the disk. On PostgreSQL it searches the rows
// too; leftovers in PostgreSQL's own files are up to its administrators.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { storedElsewhere } from "./stored-rows.ts";

/**
 * Each word with the files that hold it, in plain UTF-8 or with its letters beyond ASCII escaped as JSON may have it.
 */
export function filesHolding(
  folder: string,
  words: readonly string[],
  isScanned: (file: string) => boolean = () => true,
): Record<string, string[]> {
  const needles = words.map((word) => ({ word, forms: formsOf(word) }));
  const found: Record<string, string[]> = {};
  const look = (file: string, bytes: Buffer) => {
    for (const { word, forms } of needles) {
      if (forms.some((form) => bytes.includes(form))) (found[word] ??= []).push(file);
    }
  };
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = relative(folder, join(entry.parentPath, entry.name));
    if (!isScanned(file)) continue;
    look(file, readFileSync(join(folder, file)));
  }
  const rows = storedElsewhere(folder);
  if (rows !== null) look("PostgreSQL", Buffer.from(rows));
  return found;
}

function formsOf(word: string): Buffer[] {
  const escaped = word.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const forms = [
    word,
    escaped,
    escaped.replace(/\\u[0-9a-f]{4}/g, (unit) => unit.slice(0, 2) + unit.slice(2).toUpperCase()),
  ];
  return [...new Set(forms)].map((form) => Buffer.from(form, "utf8")).concat(Buffer.from(word, "utf16le"));
}
