// What a delivered file needs, in words.
import { formatNumber } from "../../format.ts";
import { said } from "../../words.ts";

const words = said.folders;

interface NamedFile {
  state: string;
  reason: string | null;
  absent: number | null;
  known: number | null;
}

export function fileText({ state, reason, absent, known }: NamedFile): string {
  if (state === "asking") return words.asks(formatNumber(absent ?? 0), formatNumber(known ?? 0));
  if (reason === "not_mapped") return words.notMapped;
  return reason ?? (state === "faulty" ? words.atFault : "");
}
