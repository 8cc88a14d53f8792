// A proof with one byte changed, and whether the verifier finds it.
import { ProofChecker, ProofFault } from "../../src/rules/proof/verify.ts";

/** The line with the byte at this place changed to another value; `by` is 1 to 255, and one character is one byte. */
export function changedAt(line: string, place: number, by: number): string {
  const other = String.fromCharCode((line.charCodeAt(place) + by) % 256);
  return line.slice(0, place) + other + line.slice(place + 1);
}

/** As a file of its own, which a changed byte may split into lines. */
export function isFound(text: string, keys: ReadonlySet<string>): boolean {
  try {
    const checker = new ProofChecker({ keys });
    for (const line of text.split("\n")) checker.add(line);
    checker.end();
    return false;
  } catch (error) {
    if (!(error instanceof ProofFault)) throw error;
    return true;
  }
}
