// Meaningful values of fields by name, so a request that the schema allows can also be served.
import fc from "fast-check";
import { oneOf, rarely, wholeNumber, type Draw } from "./draw.ts";
import type { JsonSchema, Operation } from "./document.ts";
import type { Pool } from "./pool.ts";
import { LEFT_OUT, type KnownField } from "./values.ts";
import type { Organisation } from "./world.ts";

export interface Place {
  draw: Draw;
  organisation: Organisation;
  pool: Pool;
  operation: Operation;
  /** The operation behind the inbound webhook's calls. */
  createCall: Operation | null;
  now: number;
}

const DAY_MS = 86_400_000;
const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
/**
 * Suffixes of the simulator's numbers: busy, no answer, unknown, faulty, machine, not interested, callback, …, talks to
 * the end.
 */
const ENDINGS = ["0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0100", "0100", "0100"];

const dayAfter = (now: number, days: number): string => new Date(now + days * DAY_MS).toISOString().slice(0, 10);

export function phoneNumber(draw: Draw): string {
  return rarely(draw, 4)
    ? `+9122${wholeNumber(draw, 20_000_000, 59_999_999)}`
    : `+1555${wholeNumber(draw, 200, 999)}${oneOf(draw, ENDINGS)}`;
}

const words = ({ draw, organisation }: Place): string =>
  `${organisation.marker} ${oneOf(draw, ["Asha", "Ravi", "आशा", "O'Neill", "Ana 👩‍⚕️"])}`;

/** Null and absent both mean now. */
function laterTime({ draw, now }: Place): unknown {
  if (rarely(draw, 2)) return oneOf(draw, [null, LEFT_OUT]);
  const instant = new Date(now + wholeNumber(draw, 1, 300) * DAY_MS);
  return oneOf(draw, [instant.toISOString(), instant.toISOString().replace(/\.\d+Z$/, "+05:30")]);
}

/** A window on one of its dates, in each format of a slot_id. */
export function slotId({ draw, pool, now, operation }: Place): string | typeof LEFT_OUT {
  const window = pool.pick(draw, "window");
  if (window === null) return LEFT_OUT;
  const [id = "", day = ""] = window.split(" ");
  const today = new Date(now).getUTCDay();
  const ahead = ((DAYS.indexOf(day) - today + 7) % 7) + 7 * wholeNumber(draw, 1, 8);
  const dated = `${id}||${dayAfter(now, ahead)}`;
  const forms: Readonly<Record<string, readonly string[]>> = {
    getWindow: [id, dated],
    changeWindow: [id, dated],
    disableWindow: [id],
  };
  return oneOf(draw, forms[operation.id] ?? [dated, `${dated}||any`]);
}

/** The values in "One of a, b, c." */
function toldWords({ description = "" }: JsonSchema): string[] {
  return /One of ([\w., ]+)\./.exec(description)?.[1]?.split(", ") ?? [];
}

const additionalInfo = fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.jsonValue({ maxDepth: 3 }), {
  maxKeys: 25,
});
const printable = fc.string({
  minLength: 1,
  maxLength: 40,
  unit: fc.constantFrom("a", "Z", "0", "9", "-", "_", ".", "~", " ", '"'),
});

const FIELDS: Readonly<Record<string, (place: Place, schema: JsonSchema) => unknown>> = {
  agent_id: ({ draw, organisation }) => oneOf(draw, organisation.agentIds),
  user_number: ({ draw }) => phoneNumber(draw),
  contact_number: ({ draw }) => phoneNumber(draw),
  user_name: words,
  contact_name: words,
  name: words,
  batch_name: words,
  notes: words,
  user_email: ({ organisation }) => `${organisation.marker}@hospital.example`,
  contact_email: ({ organisation }) => `${organisation.marker}@hospital.example`,
  user_preferred_language: ({ draw }) => oneOf(draw, ["en", "hi", "en-IN"]),
  contact_preferred_language: ({ draw }) => oneOf(draw, ["en", "hi", "en-IN"]),
  additional_info: ({ draw }) => draw(additionalInfo),
  scheduled_time: laterTime,
  start_at: laterTime,
  slot_id: slotId,
  branch_id: ({ draw, organisation }) => oneOf(draw, organisation.branchIds),
  appointment_type_id: ({ draw, organisation }) => oneOf(draw, organisation.serviceIds),
  call_id: ({ draw, pool }) => pool.pick(draw, "call_id") ?? LEFT_OUT,
  campaign_id: ({ draw, pool }) => pool.pick(draw, "campaign_id") ?? LEFT_OUT,
  appointment_id: ({ draw, pool }) => pool.pick(draw, "appointment_id") ?? LEFT_OUT,
  waiting_id: ({ draw, pool }) => pool.pick(draw, "waiting_id") ?? LEFT_OUT,
  from: ({ draw, now }) => dayAfter(now, wholeNumber(draw, 1, 20)),
  to: ({ draw, now }) => dayAfter(now, wholeNumber(draw, 21, 90)),
  created_from: ({ draw, now }) => new Date(now - wholeNumber(draw, 0, 90) * DAY_MS).toISOString(),
  created_to: ({ draw, now }) => new Date(now + wholeNumber(draw, 1, 90) * DAY_MS).toISOString(),
  limit: ({ draw }) => String(wholeNumber(draw, 1, 100)),
  cursor: ({ draw, pool, operation }) => pool.pick(draw, `cursor ${operation.id}`) ?? LEFT_OUT,
  outcomes: ({ draw }) => oneOf(draw, ["busy", "no_answer,busy", "invalid_number,carrier_error,answered"]),
  "Idempotency-Key": ({ draw }) => draw(printable),
  Range: ({ draw }) => oneOf(draw, ["bytes=0-99", "bytes=100-", "bytes=-50", "bytes=999999999-", "bytes=0-0,2-3"]),
  "X-Inbound-Timestamp": () => LEFT_OUT,
  "X-Inbound-Signature": () => LEFT_OUT,
};

/** For bodies, queries, paths and headers. */
export function knownFields(place: Place): KnownField {
  return (name, schema) => {
    const told = toldWords(schema);
    if (told.length > 0 && schema.enum === undefined) return oneOf(place.draw, told);
    const known = FIELDS[name];
    if (known === undefined || schema.enum !== undefined) return undefined;
    // Occasionally uses any value that the schema allows.
    return rarely(place.draw, 12) ? undefined : known(place, schema);
  };
}
