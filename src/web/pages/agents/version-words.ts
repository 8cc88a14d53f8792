// Versions of an agent in words.

const FIELDS = new Map([
  ["type", "Type"],
  ["name", "Name"],
  ["language", "Language"],
  ["voice", "Voice"],
  ["prompt", "Prompt"],
  ["greeting", "Greeting"],
  ["retry_attempts", "Retries"],
  ["retry_minutes", "Minutes in between"],
  ["retry_outcomes", "Call again after"],
  ["calling_hours", "Calling hours"],
  ["branch_id", "Branch"],
  ["appointment_type_id", "Service"],
  ["transfer_to", "Where key 3 leads"],
  ["analysis_fields", "What to find out"],
]);

const ACTORS = new Map([
  ["person", "A person who has no account any more"],
  ["cli", "Command line"],
  ["system", "Ringward itself"],
  ["key", "API key"],
]);

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

export function fieldName(field: string): string {
  return FIELDS.get(field) ?? field.replaceAll("_", " ");
}

export function actorName({ kind, name }: { kind: string; name: string | null }): string {
  return name ?? ACTORS.get(kind) ?? kind;
}

/** A value of a field, for people. */
export function fieldValue(field: string, value: unknown): string {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return "nothing";
  if (field === "calling_hours") {
    const { start, end, days } = value as { start: string; end: string; days: number[] };
    return `${days.map((day) => DAYS[day]).join(" ")} ${start}–${end}`;
  }
  if (field === "analysis_fields")
    return (value as { name: string; type: string }[]).map(({ name, type }) => `${name} (${type})`).join(", ");
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

export interface Piece {
  kind: "same" | "removed" | "added";
  text: string;
}

const LONGEST_SAME = 240;
const SHOWN_OF_IT = 100;

/** Long stretches that did not change are left out but for their ends. */
export function shortened(pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece, index) => {
    if (piece.kind !== "same" || piece.text.length <= LONGEST_SAME) return piece;
    const head = index === 0 ? "" : piece.text.slice(0, SHOWN_OF_IT);
    const tail = index === pieces.length - 1 ? "" : piece.text.slice(-SHOWN_OF_IT);
    return { kind: "same", text: `${head} … ${tail}` };
  });
}
