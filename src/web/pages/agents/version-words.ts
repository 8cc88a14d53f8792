// Texts for the versions of an agent.
import { weekdayName } from "../../format.ts";
import { common, said } from "../../words.ts";

const words = said.agentVersions.words;

export function fieldName(field: string): string {
  return words.fields[field] ?? field.replaceAll("_", " ");
}

export function actorName({ kind, name }: { kind: string; name: string | null }): string {
  return name ?? words.actors[kind] ?? kind;
}

/** Readable value of a field. */
export function fieldValue(field: string, value: unknown): string {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return words.nothing;
  if (field === "calling_hours") {
    const { start, end, days } = value as { start: string; end: string; days: number[] };
    return `${days.map((day) => weekdayName(day, "short")).join(" ")} ${start}–${end}`;
  }
  if (field === "analysis_fields")
    return (value as { name: string; type: string }[]).map(({ name, type }) => `${name} (${type})`).join(", ");
  if (field === "approved_answers")
    return (value as { question: string; answer: string }[]).map((one) => `${one.question} ${one.answer}`).join(" ");
  if ((field === "purpose" || field === "asks_consent_for") && typeof value === "string")
    return said.agentPurpose.purposes[value] ?? value;
  if (field === "recording_mode" && typeof value === "string") return said.recordingMode.modes[value] ?? value;
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return value ? common.yes : common.no;
  return typeof value === "string" ? value : JSON.stringify(value);
}

export interface Piece {
  kind: "same" | "removed" | "added";
  text: string;
}

const LONGEST_SAME = 240;
const SHOWN_OF_IT = 100;

/** Shortens long unchanged parts to their ends. */
export function shortened(pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece, index) => {
    if (piece.kind !== "same" || piece.text.length <= LONGEST_SAME) return piece;
    const head = index === 0 ? "" : piece.text.slice(0, SHOWN_OF_IT);
    const tail = index === pieces.length - 1 ? "" : piece.text.slice(-SHOWN_OF_IT);
    return { kind: "same", text: `${head} … ${tail}` };
  });
}
