// Delimiters of a message, as MSH-1 and MSH-2 declare them.
import { Hl7Fault } from "./fault.ts";

export interface Delimiters {
  field: string;
  component: string;
  repetition: string;
  /** Empty if MSH-2 declares none: then nothing is escaped. */
  escape: string;
  /** Empty if MSH-2 declares none. */
  subcomponent: string;
  /** From HL7 2.7; kept for the answer and otherwise unused. */
  truncation: string;
}

export const USUAL_DELIMITERS: Delimiters = {
  field: "|",
  component: "^",
  repetition: "~",
  escape: "\\",
  subcomponent: "&",
  truncation: "",
};

const PRINTABLE = /^[!-/:-@[-`{-~]$/;

/** `line` is the MSH segment. MSH-2 may have two to five characters. */
export function readDelimiters(line: string): Delimiters {
  const field = line.charAt(3);
  const fault = (text: string) => new Hl7Fault("AR", 100, { segment: "MSH", field: 2 }, text);
  if (!PRINTABLE.test(field)) throw fault("The character after MSH must be the field separator, usually |.");
  const end = line.indexOf(field, 4);
  const declared = line.slice(4, end === -1 ? undefined : end);
  if (declared.length < 2 || declared.length > 5) throw fault("MSH-2 must have two to five delimiters, usually ^~\\&.");
  const [component = "", repetition = "", escape = "", subcomponent = "", truncation = ""] = declared;
  const all = [field, ...Array.from(declared)];
  if (!all.every((sign) => PRINTABLE.test(sign))) throw fault("MSH-2 must have punctuation marks only.");
  if (new Set(all).size !== all.length) throw fault("The delimiters in MSH-1 and MSH-2 must differ from each other.");
  return { field, component, repetition, escape, subcomponent, truncation };
}

/** MSH-2 as it is written. */
export function declaredDelimiters({ component, repetition, escape, subcomponent, truncation }: Delimiters): string {
  return component + repetition + escape + subcomponent + truncation;
}
