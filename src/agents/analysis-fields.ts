// Analysis fields of an agent: named, typed values that the analysis extracts from every call.
import { invalidField } from "../core/errors.ts";
import { FIELD_TYPES, type AnalysisField, type FieldType } from "../payloads/analysis-field.ts";

/** Each field lengthens the model's prompt and the list shown to staff. */
export const MOST_FIELDS = 20;

/** Names used by the rules in extracted_details (voice/), and properties of every object. */
const TAKEN = new Set([
  "answer",
  "answered_by",
  "appointment_date",
  "appointment_time",
  "callback_date",
  "callback_in_minutes",
  "callback_time",
  "caller_name",
  "constructor",
  "keypad_answer",
  "keys",
  "speech",
  "spoke_with_contact",
]);

export function checkedAnalysisFields(fields: readonly AnalysisField[]): AnalysisField[] {
  if (fields.length > MOST_FIELDS) throw wrong(`may have at most ${MOST_FIELDS} fields.`);
  const names = new Set<string>();
  return fields.map((field) => {
    const name = field.name.trim();
    if (!/^[a-z][a-z0-9_]{0,39}$/.test(name)) {
      throw wrong("have names of small letters, digits and _, such as pain_score, with at most 40 characters.");
    }
    if (TAKEN.has(name)) throw wrong(`cannot use the name ${name}: every call fills it in by itself.`);
    if (names.has(name)) throw wrong(`name ${name} twice.`);
    names.add(name);
    const description = field.description.trim();
    if (description.length > 300) throw wrong("have descriptions of at most 300 characters.");
    return { name, description, type: typeOf(field), choices: choicesOf(field) };
  });
}

function typeOf({ type }: AnalysisField): FieldType {
  const known = FIELD_TYPES.find((one) => one === type);
  if (known === undefined) throw wrong(`have one of the types ${FIELD_TYPES.join(", ")}.`);
  return known;
}

function choicesOf({ name, type, choices }: AnalysisField): string[] {
  if (type !== "choice") return [];
  const trimmed = choices.map((choice) => choice.trim());
  const isFit = trimmed.every((choice) => choice.length >= 1 && choice.length <= 60);
  if (!isFit || trimmed.length < 2 || trimmed.length > 20 || new Set(trimmed).size < trimmed.length) {
    throw wrong(`of the type choice, such as ${name}, need 2 to 20 different choices of at most 60 characters.`);
  }
  return trimmed;
}

function wrong(message: string) {
  return invalidField("analysis_fields", `analysis_fields ${message}`);
}
