// Interprets the text of a contact search: a name, a number in any notation, or an appointment by day or id.

export type ContactQuestion =
  | { kind: "nobody" }
  | { kind: "name"; name: string }
  /** Digits anywhere in the number, without leading zeros of a trunk or international prefix. */
  | { kind: "number"; digits: string }
  | { kind: "day"; date: string }
  | { kind: "appointment"; id: string };

const SHORTEST_NAME = 2;
const FEWEST_DIGITS = 3;

export function contactQuestion(text: string): ContactQuestion {
  const asked = text.trim();
  if (/^apt_[0-9a-z]+$/i.test(asked)) return { kind: "appointment", id: asked.toLowerCase() };
  const date = dayIn(asked);
  if (date !== null) return { kind: "day", date };
  if (/^[\d\s+()./-]+$/.test(asked)) {
    const digits = asked.replaceAll(/\D/g, "").replace(/^0+/, "");
    return digits.length < FEWEST_DIGITS ? { kind: "nobody" } : { kind: "number", digits };
  }
  return asked.length < SHORTEST_NAME ? { kind: "nobody" } : { kind: "name", name: asked };
}

/** 2026-11-16, 16.11.2026, 16/11/2026, 16-11-2026; null for other text. */
function dayIn(text: string): string | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  const [, year, month, day] = iso ?? [];
  const [, otherDay, otherMonth, otherYear] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(text) ?? [];
  const parts = iso ? [year, month, day] : [otherYear, otherMonth, otherDay];
  if (parts.some((part) => part === undefined)) return null;
  const date = parts.map((part) => (part ?? "").padStart(2, "0")).join("-");
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : null;
}
