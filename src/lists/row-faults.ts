// Errors and warnings of a row with their messages. A row with an error is not called; a warning is only shown.
import type { HomeCountry } from "./complete-number.ts";

export interface RowFault {
  kind: RowFaultKind;
  message: string;
}

export type RowFaultKind = keyof typeof IS_ERROR;

const IS_ERROR = {
  number_missing: true,
  not_a_number: true,
  shortened: true,
  incomplete: true,
  not_allowed: true,
  too_long: true,
  unsafe: true,
  not_a_language: true,
  not_a_time_zone: true,
  not_a_state: true,
  duplicate: true,
  do_not_disturb: true,
  same_number: false,
  called_today: false,
  missing_value: false,
  unusual_length: false,
} as const;

export const isError = ({ kind }: RowFault): boolean => IS_ERROR[kind];

const COUNTRIES: Readonly<Record<HomeCountry, string>> = { IN: "India", US: "the United States or Canada" };

export const fault = {
  numberMissing: (): RowFault => ({ kind: "number_missing", message: "There is no phone number." }),
  notANumber: (): RowFault => ({ kind: "not_a_number", message: "This is no phone number." }),
  shortened: (): RowFault => ({
    kind: "shortened",
    message: "The spreadsheet shortened this number. Format the column as text, and enter it again.",
  }),
  incomplete: (home: HomeCountry | null): RowFault => ({
    kind: "incomplete",
    message:
      home === null
        ? "The number has no country code. Write it with + in front."
        : `The number has too few or too many digits for ${COUNTRIES[home]}.`,
  }),
  notAllowed: (message: string): RowFault => ({ kind: "not_allowed", message }),
  tooLong: (message: string): RowFault => ({ kind: "too_long", message }),
  unsafe: (what: string): RowFault => ({
    kind: "unsafe",
    message: `The ${what} has line breaks, control characters or marks of text direction. Type it again.`,
  }),
  notALanguage: (): RowFault => ({
    kind: "not_a_language",
    message: "The language must be a tag such as en-IN or hi.",
  }),
  notAZone: (): RowFault => ({
    kind: "not_a_time_zone",
    message: "The time zone must be an IANA name such as America/Chicago.",
  }),
  notAState: (): RowFault => ({
    kind: "not_a_state",
    message: "The state must be the two letters of a US state, such as CA, and is for +1 only.",
  }),
  duplicate: (row: number): RowFault => ({ kind: "duplicate", message: `The same as row ${row}.` }),
  doNotDisturb: (): RowFault => ({ kind: "do_not_disturb", message: "The number is on the do-not-disturb list." }),
  sameNumber: (row: number): RowFault => ({ kind: "same_number", message: `Row ${row} has this number, too.` }),
  calledToday: (): RowFault => ({ kind: "called_today", message: "This agent has called this number today." }),
  missingValue: (names: readonly string[]): RowFault => ({
    kind: "missing_value",
    message: `There is no value for ${names.join(", ")}.`,
  }),
  unusualLength: (): RowFault => ({
    kind: "unusual_length",
    message: "Indian numbers have ten digits after +91. Look whether this one is right.",
  }),
};
