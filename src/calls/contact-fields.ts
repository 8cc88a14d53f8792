// Fields user_* and their legacy aliases contact_*. A request may use either name, not both.
import type { CalleePlace } from "../core/callee-zone.ts";
import { AppError } from "../core/errors.ts";
import { checkedRegion, checkedZone, orNull } from "../core/given-place.ts";
import { checkedIdentifiers, type Identifier } from "../payloads/identifiers.ts";

export const ALIASES = {
  user_number: "contact_number",
  user_name: "contact_name",
  user_email: "contact_email",
  user_preferred_language: "contact_preferred_language",
  user_time_zone: "contact_time_zone",
  user_region: "contact_region",
} as const;

const IDENTIFIERS = ["user_identifiers", "contact_identifiers"] as const;
const PAIRS = [...Object.entries(ALIASES), IDENTIFIERS];

type UserField = keyof typeof ALIASES;
type AliasField = (typeof ALIASES)[UserField];

/** Request body with aliases; each field is optional under each name. */
export type ContactInput = Partial<Record<UserField | AliasField, string | null | undefined>> &
  Partial<Record<(typeof IDENTIFIERS)[number], readonly Identifier[] | null | undefined>>;

export interface Contact extends CalleePlace {
  number: string | undefined;
  /** Field name used for the number, so error messages name the client's own field. */
  numberField: string;
  name: string | null;
  email: string | null;
  preferredLanguage: string | null;
  identifiers: readonly Identifier[];
}

export function contactOf(input: ContactInput, preferred: "user" | "contact"): Contact {
  const doubled = PAIRS.filter(([field, alias]) => field in input && alias in input);
  if (doubled.length > 0) {
    const details = doubled.map(([field, alias]) => ({
      field,
      message: `Send ${field} or ${alias}, not both: they are one field.`,
    }));
    throw new AppError("VALIDATION_ERROR", details[0]?.message ?? "", { details });
  }
  const pick = (field: UserField): string | null => input[field] ?? input[ALIASES[field]] ?? null;
  const sentAs = (field: UserField): string => {
    if (field in input) return field;
    return ALIASES[field] in input || preferred === "contact" ? ALIASES[field] : field;
  };
  return {
    number: pick("user_number") ?? undefined,
    numberField: sentAs("user_number"),
    name: pick("user_name"),
    email: pick("user_email"),
    preferredLanguage: orNull(pick("user_preferred_language")),
    timeZone: checkedZone(pick("user_time_zone"), sentAs("user_time_zone")),
    region: checkedRegion(pick("user_region"), pick("user_number"), sentAs("user_region")),
    identifiers: identifiersOf(input),
  };
}

function identifiersOf(input: ContactInput): Identifier[] {
  const field = IDENTIFIERS.find((name) => name in input);
  return field === undefined ? [] : checkedIdentifiers(input[field], field);
}
