// Adds many numbers to the do-not-disturb list, and reports rejected numbers line by line.
import type { Actor } from "../core/actor.ts";
import type { DoNotDisturbService } from "../calls/people/do-not-disturb.ts";
import { AppError } from "../core/errors.ts";
import { assertDiallable } from "../core/phone.ts";
import { withoutTrunkZero } from "../core/trunk-zero.ts";

export interface ImportReport {
  added: number;
  /** Already on the list, or repeated in this import. */
  already: number;
  /** `line` starts at 1. */
  refused: { line: number; message: string }[];
}

export async function importNumbers(
  list: DoNotDisturbService,
  organisationId: string,
  lines: readonly string[],
  actor: Actor,
): Promise<ImportReport> {
  const refused: ImportReport["refused"] = [];
  const numbers: string[] = [];
  for (const [index, text] of lines.entries()) {
    // Numbers are typed with separators, but stored in E.164.
    const number = withoutTrunkZero(text.replaceAll(/[\s().-]/g, ""));
    const message = faultOf(number);
    if (message === null) numbers.push(number);
    else refused.push({ line: index + 1, message });
  }
  const added = numbers.length === 0 ? 0 : await list.addMany(organisationId, numbers, actor);
  return { added, already: numbers.length - added, refused };
}

function faultOf(number: string): string | null {
  try {
    assertDiallable(number, "number");
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
