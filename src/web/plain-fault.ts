// Rewrites field errors of the appliance: they start with the API's field name, which ward staff do not know.
import { said } from "./words.ts";

const words = said.shared.errors;
const API_NAME_FIRST = /^[a-z][\w.[\]]*(?= (?:must|may|is|are|has|needs|can|cannot|names|holds)\b)/;

/** "max_slots must be from 1 to 500." → "This must be from 1 to 500." */
export function plainFault(message: string): string {
  return message
    .replace(API_NAME_FIRST, words.thisField)
    .replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => name.replaceAll("_", " "));
}
