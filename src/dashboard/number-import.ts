// Adds many numbers to the do-not-disturb list and tells, line by line, what could not be added.
import type { Actor } from "../accounts/actor.ts";
import type { DoNotDisturbService } from "../calls/do-not-disturb.ts";
import { AppError } from "../core/errors.ts";

export interface ImportReport {
  added: number;
  refused: { line: number; message: string }[];
}

export async function importNumbers(list: DoNotDisturbService, organisationId: string, numbers: readonly string[], actor: Actor): Promise<ImportReport> {
  const refused: ImportReport["refused"] = [];
  const outcomes = await Promise.all(
    numbers.map(async (text, index) => {
      try {
        await list.add(organisationId, text.replaceAll(/[\s().-]/g, ""), actor);
        return true;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        refused.push({ line: index + 1, message: error.message });
        return false;
      }
    }),
  );
  return { added: outcomes.filter(Boolean).length, refused: refused.toSorted((a, b) => a.line - b.line) };
}
