// Converts the bodies of no-code tools to the contract's { action, data }: forms, flat fields, `data` as JSON text, a
// list of one, numbers without quotes, and empty text for missing values.
import { AppError, invalidField } from "../core/errors.ts";
import { parseJson } from "../http/body.ts";
import { parseForm } from "../http/form-body.ts";

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The parsed body before validation. `isForm`: the body is a form, so all values are text. */
export function hookBodyOf(rawBody: Uint8Array, isForm: boolean): unknown {
  const body = onlyOne(isForm ? nested(parseForm(rawBody)) : parseJson(rawBody), "body");
  if (!isFields(body)) return body;
  const { action, data, ...flat } = body;
  const given = onlyOne(asJson(data, "data"), "data");
  // Without `data`, the fields beside `action` are the data.
  const fields = isAbsent(given) && (Object.keys(flat).length > 0 || data === "") ? flat : given;
  if (!isFields(fields)) return { ...body, data: fields };
  const isFlat = fields === flat;
  return { ...(isFlat ? {} : flat), action, data: cleaned(fields, isForm) };
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === "";

/** A tool that works on lists sends a list of one. A longer list is rejected, because the rest would be lost. */
function onlyOne(value: unknown, name: string): unknown {
  if (!Array.isArray(value) || value.length === 0) return value;
  if (value.length === 1) return value[0] as unknown;
  throw new AppError("VALIDATION_ERROR", `The ${name} is a list of ${value.length}. Send one request for each.`);
}

/** Parses text that contains an object or a list. Other text stays as it is, and is rejected if an object is needed. */
function asJson(value: unknown, field: string): unknown {
  if (typeof value !== "string" || !/^\s*[{[]/.test(value)) return value;
  try {
    return parseJson(new TextEncoder().encode(value));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalidField(field, `${field} is text that begins like JSON and is not valid JSON.`);
  }
}

export const JSON_FIELDS: readonly string[] = ["additional_info", "user_identifiers", "contact_identifiers"];
export const NUMBER_FIELDS: readonly string[] = ["contact_number", "user_number"];

function cleaned(fields: Fields, isForm: boolean): Fields {
  const filled = Object.entries(fields).filter(([, value]) => !(typeof value === "string" && value.trim() === ""));
  return Object.fromEntries(
    filled.map(([name, value]): [string, unknown] => {
      if (NUMBER_FIELDS.includes(name)) return [name, phoneNumber(value, isForm)];
      return [name, JSON_FIELDS.includes(name) ? asJson(value, name) : value];
    }),
  );
}

/** Separators in written numbers: all kinds of spaces, brackets, dots, hyphens. */
const GAPS = /[\s().\-\u2010-\u2015]/g;
/** With a supported country code. Fewer digits may be a national number that happens to start like one. */
const WHOLE = /^(91[0-9]{10}|1[0-9]{10})$/;

/**
 * Spreadsheets turn phone numbers into numbers, and a plus in a form means a space. Ambiguous values stay as they are
 * and are rejected.
 */
function phoneNumber(value: unknown, isForm: boolean): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? withPlus(String(value)) : value;
  if (typeof value !== "string") return value;
  const plus = isForm && /^ [0-9]/.test(value) ? "+" : "";
  return withPlus(plus + value.replaceAll(GAPS, ""));
}

const withPlus = (digits: string): string => (WHOLE.test(digits) ? `+${digits}` : digits);

/** `data[contact_name]`, `data.contact_name`, `data__contact_name`, and the same below `additional_info`. */
const STEPS = /^(data|additional_info)(?:\[([^\]]+)\]|\.(.+)|__(.+))(?:\[([^\]]+)\])?$/;

function nested(form: ReadonlyMap<string, string>): Fields {
  const top = new Map<string, unknown>();
  const below = { data: new Map<string, unknown>(), additional_info: new Map<string, unknown>() };
  for (const [name, value] of form) {
    const [, first, bracket, dot, underscores, second] = STEPS.exec(name) ?? [];
    const inner = bracket ?? dot ?? underscores;
    if (first === undefined || inner === undefined) top.set(name, value);
    else if (first === "additional_info") below.additional_info.set(second === undefined ? inner : name, value);
    else if (second !== undefined && inner === "additional_info") below.additional_info.set(second, value);
    else {
      const deeper = /^additional_info(?:\.|__)(.+)$/.exec(inner)?.[1];
      if (deeper === undefined) below.data.set(second === undefined ? inner : name, value);
      else below.additional_info.set(deeper, value);
    }
  }
  const data = Object.fromEntries(below.data);
  const info = below.additional_info.size > 0 ? { additional_info: Object.fromEntries(below.additional_info) } : {};
  const isNested = below.data.size > 0;
  return { ...Object.fromEntries(top), ...(isNested ? { data: { ...data, ...info } } : info) };
}
