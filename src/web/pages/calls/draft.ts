// Form values of a new call, their validation, and the request body.
import { KNOWN_NAMES } from "../../../payloads/known-values.ts";
import type { CreateCallInput } from "../../../calls/model.ts";
import type { Fault } from "../../client.ts";
import { zonedToIso } from "../../format.ts";
import { dialled } from "../../phone-number.ts";
import { said } from "../../words.ts";

export interface InfoRow {
  id: number;
  key: string;
  value: string;
}

export interface Draft {
  agentId: string;
  number: string;
  name: string;
  email: string;
  language: string;
  zone: string;
  region: string;
  info: InfoRow[];
  when: "now" | "later";
  /** Wall time in the organisation's zone, in the format of the field. */
  laterAt: string;
}

export const EMPTY_DRAFT: Draft = {
  agentId: "",
  number: "",
  name: "",
  email: "",
  language: "",
  zone: "",
  region: "",
  info: [],
  when: "now",
  laterAt: "",
};
export const MOST_INFO_ROWS = 25;

const words = said.calls.draft;

/** Labels of the API's fields, for error messages. */
const FIELD_WORDS = words.fields;

/** API field of each form value. */
const FIELD_OF: Record<keyof Draft, string> = {
  agentId: "agent_id",
  number: "user_number",
  name: "user_name",
  email: "user_email",
  language: "user_preferred_language",
  zone: "user_time_zone",
  region: "user_region",
  info: "additional_info",
  when: "scheduled_time",
  laterAt: "scheduled_time",
};

/** Clears the errors of the fields being changed, and keeps the others. */
export function faultsAfter(faults: Record<string, string>, change: Partial<Draft>): Record<string, string> {
  const mended = Object.keys(change).map((part) => FIELD_OF[part as keyof Draft]);
  return Object.fromEntries(Object.entries(faults).filter(([field]) => !mended.includes(field)));
}

let rowsMade = 0;
export const newInfoRow = (key = ""): InfoRow => ({ id: ++rowsMade, key, value: "" });

/** Placeholders that every call fills; see template-values.ts. */
const KNOWN_TO_EVERY_CALL: readonly string[] = ["agent_name", "user_name", "contact_name", ...KNOWN_NAMES];

/** Adds a row for each placeholder of the agent that has none yet. Empty rows are replaced. */
export function withPlaceholdersOf(info: readonly InfoRow[], agent: { greeting: string; prompt: string }): InfoRow[] {
  const kept = info.filter(({ value }) => value !== "");
  const names = [...`${agent.greeting} ${agent.prompt}`.matchAll(/\{\{\s*([^{}\s](?:[^{}]*[^{}\s])?)\s*\}\}/g)].map(
    ([, name = ""]) => name,
  );
  const asked = new Set(
    names.filter((name) => !KNOWN_TO_EVERY_CALL.includes(name) && !kept.some(({ key }) => key === name)),
  );
  return [...kept, ...[...asked].map((name) => newInfoRow(name))].slice(0, MOST_INFO_ROWS);
}

export function draftFaults(draft: Draft): Record<string, string> {
  const keys = draft.info.filter(({ value }) => value !== "").map(({ key }) => key.trim());
  const doubled = keys.find((key, index) => key !== "" && keys.indexOf(key) !== index);
  return {
    ...(keys.includes("") ? { additional_info: words.keyMissing } : {}),
    ...(doubled === undefined ? {} : { additional_info: words.keyTwice(doubled) }),
    ...(draft.when === "later" && draft.laterAt === "" ? { scheduled_time: words.timeMissing } : {}),
  };
}

/** Omits empty fields, and completes the number. */
export function bodyOf(draft: Draft, zone: string): CreateCallInput {
  const info = draft.info.filter(({ value }) => value !== "");
  return {
    agent_id: draft.agentId,
    user_number: dialled(draft.number),
    ...(draft.name.trim() === "" ? {} : { user_name: draft.name.trim() }),
    ...(draft.email.trim() === "" ? {} : { user_email: draft.email.trim() }),
    ...(draft.language.trim() === "" ? {} : { user_preferred_language: draft.language.trim() }),
    ...(draft.zone.trim() === "" ? {} : { user_time_zone: draft.zone.trim() }),
    ...(draft.region.trim() === "" ? {} : { user_region: draft.region.trim() }),
    ...(info.length === 0
      ? {}
      : { additional_info: Object.fromEntries(info.map(({ key, value }) => [key.trim(), value])) }),
    ...(draft.when === "now" ? {} : { scheduled_time: zonedToIso(draft.laterAt, zone) }),
  };
}

/** What is asked about a new call before it is sent. */
export const aheadOf = ({ agent_id, user_number, user_time_zone, user_region, scheduled_time }: CreateCallInput) => ({
  agent_id,
  callees: [
    { user_number: user_number ?? "", user_time_zone: user_time_zone ?? null, user_region: user_region ?? null },
  ],
  ...(scheduled_time ? { scheduled_time } : {}),
});

/** API errors by field, with the labels of the form: "user_number must be …" becomes "The number must be …". */
export function fieldFaults({ fields }: Fault): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => {
      const field = path.split(/[./]/)[0] ?? path;
      return [field, message.replace(new RegExp(`^${field}\\b`), FIELD_WORDS[field] ?? field)];
    }),
  );
}

/** Wall time in a zone for a datetime-local field, `minutes` from now, rounded to a quarter of an hour. */
export function wallTimeAhead(minutes: number, zone: string): string {
  const quarterMs = 15 * 60_000;
  const at = new Date(Math.ceil((Date.now() + minutes * 60_000) / quarterMs) * quarterMs);
  return new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" })
    .format(at)
    .replace(" ", "T");
}
