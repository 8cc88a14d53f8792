// Cross-field rules that no schema expresses: adjusts a valid body so that it satisfies them.
import type { Operation } from "./document.ts";
import { oneOf, type Draw } from "./draw.ts";
import { phoneNumber } from "./known-fields.ts";

type Fields = Record<string, unknown>;

const ALIASES = ["number", "name", "email", "preferred_language", "time_zone", "region"];

/** A contact has one variant of each field name, and a number. */
function contact(draw: Draw, row: Fields, prefix = oneOf(draw, ["user", "contact"])): Fields {
  const other = prefix === "user" ? "contact" : "user";
  const kept = Object.entries(row).filter(([name]) => !ALIASES.some((alias) => name === `${other}_${alias}`));
  return { [`${prefix}_number`]: phoneNumber(draw), ...Object.fromEntries(kept) };
}

/** Both fields of a pair in order, or neither. Two times must differ. */
function inOrder(fields: Fields, low: string, high: string): Fields {
  const { [low]: first, [high]: second, ...rest } = fields;
  if (typeof first === "number" && typeof second === "number") {
    return { ...rest, [low]: Math.min(first, second), [high]: Math.max(first, second) };
  }
  if (typeof first !== "string" || typeof second !== "string" || first === second) return rest;
  return first < second ? fields : { ...rest, [low]: second, [high]: first };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function campaign(draw: Draw, { rows, calling_hours: hours, ...rest }: Fields): Fields {
  const list = Array.isArray(rows) ? (rows as unknown[]) : [];
  const ordered = isFields(hours) ? inOrder(hours, "start", "end") : {};
  return {
    ...rest,
    rows: list.map((row) => (isFields(row) ? withoutTime(contact(draw, row)) : row)),
    ...("start" in ordered ? { calling_hours: ordered } : {}),
  };
}

/** A row's own time may be before the campaign's. */
const withoutTime = ({ scheduled_time: _, ...row }: Fields): Fields => row;

/** Hours in order, or none. */
function agent({ calling_hours: hours, ...rest }: Fields): Fields {
  const ordered = isFields(hours) ? inOrder(hours, "start", "end") : {};
  return { ...rest, ...("start" in ordered ? { calling_hours: ordered } : {}) };
}

/** Fields that need one another; a TLS trunk without a CA of its own. */
function trunk({ ca_pem: _, srtp, codecs, ...rest }: Fields): Fields {
  return {
    ...rest,
    username: "ward",
    number_format: "digits",
    ...(srtp === undefined || srtp === "required" ? {} : { srtp }),
    ...(Array.isArray(codecs) && codecs.includes("PCMA") ? { codecs } : {}),
  };
}

function window(fields: Fields): Fields {
  const { ai_slots } = fields;
  const slots = inOrder(fields, "ai_slots", "max_slots");
  return inOrder({ ai_slots, ...slots }, "start_time", "end_time");
}

function hook(draw: Draw, { action, data }: Fields): Fields {
  const fields = isFields(data) ? data : {};
  if (action === "call.create") return { action, data: contact(draw, fields, "contact") };
  return { action, data: { call_id: fields["call_id"] } };
}

/** The subject's own field, and not that of the other subject. */
function retentionHold({ call_id: call, contact_number: number, ...rest }: Fields): Fields {
  return rest["subject"] === "call" ? { ...rest, call_id: call } : { ...rest, contact_number: number };
}

const needsOne = (fields: Fields, one: Fields): Fields => (Object.keys(fields).length === 0 ? one : fields);

/** Off, because a rule that is on would call the people whom other lanes book. */
function reminderRule({ placeholders, ...rest }: Fields): Fields {
  const [first] = Array.isArray(placeholders) ? (placeholders as unknown[]) : [];
  const filled = first === undefined ? {} : { placeholders: [first] };
  return { ...rest, ...filled, call_from: "09:00", call_to: "20:00", at: "10:00", enabled: false };
}

const MENDED: Readonly<Record<string, (draw: Draw, body: Fields) => Fields>> = {
  createCall: (draw, body) => contact(draw, body),
  createCampaign: campaign,
  createTrunk: (_, body) => trunk(body),
  changeTrunk: (_, body) => trunk(body),
  createAgent: (_, body) => agent(body),
  changeAgent: (_, body) => agent(body),
  createWindow: (_, body) => window(body),
  changeWindow: (_, body) =>
    needsOne(inOrder(inOrder(body, "ai_slots", "max_slots"), "start_time", "end_time"), { status: "OPEN" }),
  changeTracking: (_, body) => needsOne(inOrder(body, "ai_slots", "max_slots"), { status: "OPEN" }),
  changeAppointment: (_, body) => needsOne(body, { notes: null }),
  // A disabled window would refuse the bookings of the run.
  createClosure: (_, { disables_window: __, ...body }) => body,
  createReminderRule: (_, body) => reminderRule(body),
  changeReminderRule: (_, body) => reminderRule(body),
  previewReminderRule: (_, body) => reminderRule(body),
  changeBranch: (_, body) => needsOne(body, { time_zone: null }),
  addRetentionHold: (_, body) => retentionHold(body),
  inboundHook: hook,
};

export function mended(draw: Draw, { id }: Operation, body: unknown): unknown {
  const mend = MENDED[id];
  return mend && isFields(body) ? mend(draw, body) : body;
}
