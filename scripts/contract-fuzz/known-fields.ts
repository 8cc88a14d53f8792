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

const pastInstant = (draw: Draw, now: number, least: number, most: number): string =>
  new Date(now - wholeNumber(draw, least, most) * DAY_MS).toISOString();

/** Operations whose `from` and `to` are past instants, not dates of the calendar. */
const ABOUT_THE_PAST = new Set(["getBreachReport", "exportProofs", "replayFailedDeliveries", "listAudit"]);

/** Fields whose known values are used even where the schema lists the allowed ones. */
const NARROWED = new Set(["subject", "fails", "scopes[]", "model_speech", "kind"]);

/** Changing the agent that calls would stop the calls, so these use agents made for it. */
const CHANGES_AGENTS = /^\/v1\/(?:agents|phone-numbers)\b/;

export function phoneNumber(draw: Draw): string {
  return rarely(draw, 4)
    ? `+9122${wholeNumber(draw, 20_000_000, 59_999_999)}`
    : `+1555${wholeNumber(draw, 200, 999)}${oneOf(draw, ENDINGS)}`;
}

/** No other organisation has it: after a few refused additions, all are refused for a day. */
const ownNumber = ({ draw, organisation }: Place): string =>
  `+91${organisation.areaCode}${wholeNumber(draw, 20_000_000, 59_999_999)}`;

const NAMED_ONCE = new Set(["createTrunk", "changeTrunk", "createSource", "changeSource"]);

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

function limitOfRange({ draw, now, operation: { id } }: Place, limit: "from" | "to"): string {
  const isFrom = limit === "from";
  if (ABOUT_THE_PAST.has(id)) return isFrom ? pastInstant(draw, now, 21, 90) : pastInstant(draw, now, 0, 20);
  if (CLOSING.has(id)) return dayAfter(now, isFrom ? wholeNumber(draw, 300, 310) : wholeNumber(draw, 311, 320));
  return dayAfter(now, isFrom ? wholeNumber(draw, 1, 20) : wholeNumber(draw, 21, 90));
}

const additionalInfo = fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.jsonValue({ maxDepth: 3 }), {
  maxKeys: 25,
});
const printable = fc.string({
  minLength: 1,
  maxLength: 40,
  unit: fc.constantFrom("a", "Z", "0", "9", "-", "_", ".", "~", " ", '"'),
});

/** Far ahead, where no lane books. */
const CLOSING = new Set(["previewClosure", "createClosure"]);
const MAKING = new Set(["createBranch", "createService"]);
const BY_LEARNED_ID = new Set([
  "getBranch",
  "changeBranch",
  "removeBranch",
  "getService",
  "changeService",
  "createReminderRule",
  "changeReminderRule",
  "previewReminderRule",
]);

/** A new id, one that an earlier request created, or one of the hospital's own. */
function ownedId({ draw, pool, operation: { id } }: Place, kind: string, own: readonly string[]): unknown {
  if (MAKING.has(id)) return oneOf(draw, [LEFT_OUT, draw(fc.uuid())]);
  return BY_LEARNED_ID.has(id) ? (pool.pick(draw, kind) ?? LEFT_OUT) : oneOf(draw, own);
}

/** Lists of drop folders that ask; each is answered once. */
const LISTS: Readonly<Record<string, string>> = { acceptSourceFile: "accepted_", rejectSourceFile: "rejected_" };

/** The example of the document. */
const SMART_KEYS = {
  keys: [
    {
      kty: "EC",
      kid: "his-2026",
      crv: "P-384",
      x: "81CGhrAZuqf1VBrtpWTqRSn9b4HpX7qXgNtmaHxyeZZALadcnTQ7EcinOPH0MbER",
      y: "jpPk726YF8T8CazSWWeMgCh_IqStY5HGsORFf4nk-12ZDN5alcv98Ep-BWOqJqP1",
    },
  ],
};

const TIME_ZONES = ["Asia/Kolkata", "America/Chicago", "America/Phoenix"];
const REGIONS = ["CA", "TX", "FL"];

const FIELDS: Readonly<Record<string, (place: Place, schema: JsonSchema) => unknown>> = {
  agent_id: ({ draw, organisation, pool, operation }) =>
    CHANGES_AGENTS.test(operation.path)
      ? (pool.pick(draw, "agent_id") ?? LEFT_OUT)
      : oneOf(draw, organisation.agentIds),
  phone_number_id: ({ draw, pool }) => pool.pick(draw, "phone_number_id") ?? LEFT_OUT,
  trunk_id: ({ draw, pool }) => pool.pick(draw, "trunk_id") ?? LEFT_OUT,
  host: ({ draw }) => oneOf(draw, ["pbx.example", "sip.provider.example", "192.0.2.10"]),
  from_domain: ({ draw }) => oneOf(draw, [null, "hospital.example"]),
  version: () => "1",
  against: () => "1",
  transfer_to: ({ draw }) => oneOf(draw, [null, "+912212345678", "201", "sip:100@pbx.hospital.example"]),
  // Only owners may set `free`.
  model_speech: () => "chosen",
  approved_answers: ({ draw }) => oneOf(draw, [[], [{ question: "Where?", answer: "Gate 2.", language: "en" }]]),
  analysis_fields: ({ draw }) => oneOf(draw, [[], [{ name: "pain", description: "", type: "number", choices: [] }]]),
  user_number: ({ draw }) => phoneNumber(draw),
  number(place) {
    const { draw, pool, operation } = place;
    if (operation.id === "addPhoneNumber") return ownNumber(place);
    return (operation.id === "removeFromDoNotDisturb" ? pool.pick(draw, "listed") : null) ?? phoneNumber(draw);
  },
  contact_number: ({ draw, pool, operation }) =>
    (operation.id === "getPersonFile" ? pool.pick(draw, "person") : null) ?? phoneNumber(draw),
  user_name: words,
  contact_name: words,
  // No two trunks or sources share a name.
  name: (place) =>
    NAMED_ONCE.has(place.operation.id) ? `${words(place)} ${wholeNumber(place.draw, 0, 1e6)}` : words(place),
  batch_name: words,
  notes: words,
  user_email: ({ organisation }) => `${organisation.marker}@hospital.example`,
  contact_email: ({ organisation }) => `${organisation.marker}@hospital.example`,
  user_preferred_language: ({ draw }) => oneOf(draw, ["en", "hi", "en-IN"]),
  contact_preferred_language: ({ draw }) => oneOf(draw, ["en", "hi", "en-IN"]),
  user_time_zone: ({ draw }) => oneOf(draw, TIME_ZONES),
  contact_time_zone: ({ draw }) => oneOf(draw, TIME_ZONES),
  user_region: ({ draw }) => oneOf(draw, REGIONS),
  contact_region: ({ draw }) => oneOf(draw, REGIONS),
  region: ({ draw }) => oneOf(draw, REGIONS),
  time_zone: ({ draw }) => oneOf(draw, [...TIME_ZONES, null]),
  until: laterTime,
  additional_info: ({ draw }) => draw(additionalInfo),
  scheduled_time: laterTime,
  start_at: laterTime,
  slot_id: slotId,
  branch_id: (place) => ownedId(place, "branch_id", place.organisation.branchIds),
  appointment_type_id: (place) => ownedId(place, "appointment_type_id", place.organisation.serviceIds),
  call_id: ({ draw, pool }) => pool.pick(draw, "call_id") ?? LEFT_OUT,
  campaign_id: ({ draw, pool }) => pool.pick(draw, "campaign_id") ?? LEFT_OUT,
  appointment_id: ({ draw, pool, operation: { id } }) =>
    pool.pick(draw, id === "answerWish" ? "wished" : "appointment_id") ?? LEFT_OUT,
  source_id: ({ draw, pool, operation: { id } }) => pool.pick(draw, `${LISTS[id] ?? ""}source_id`) ?? LEFT_OUT,
  external_id: ({ draw, operation: { id } }) => (id === "createAppointment" ? LEFT_OUT : draw(fc.uuid())),
  file_id: ({ draw, pool, operation: { id } }) => pool.pick(draw, `${LISTS[id] ?? ""}file_id`) ?? LEFT_OUT,
  message_id: ({ draw, pool }) => pool.pick(draw, "message_id") ?? LEFT_OUT,
  kind: ({ operation: { id } }) => (id === "createSource" ? "api" : undefined),
  // The kind `api` has none.
  settings: ({ draw }) => oneOf(draw, [{}, LEFT_OUT]),
  jwks: () => SMART_KEYS,
  waiting_id: ({ draw, pool }) => pool.pick(draw, "waiting_id") ?? LEFT_OUT,
  consent_id: ({ draw, pool }) => pool.pick(draw, "consent_id") ?? LEFT_OUT,
  hold_id: ({ draw, pool }) => pool.pick(draw, "hold_id") ?? LEFT_OUT,
  endpoint_id: ({ draw, pool }) => pool.pick(draw, "endpoint_id") ?? LEFT_OUT,
  // The keys of the run are never learned, so it revokes none of them.
  key_id: ({ draw, pool }) => pool.pick(draw, "key_id") ?? LEFT_OUT,
  // A key gives only scopes that it has itself, and some keys of the run have no other.
  "scopes[]": () => "keys:write",
  expires_at: ({ draw, now }) => oneOf(draw, [null, LEFT_OUT, new Date(now + 90 * DAY_MS).toISOString()]),
  delivery_id: ({ draw, pool }) => pool.pick(draw, "delivery_id") ?? LEFT_OUT,
  // A hold on the organisation would reject every later deletion.
  subject: ({ draw }) => oneOf(draw, ["call", "person"]),
  reason: words,
  registry: ({ draw }) => oneOf(draw, ["NCPR", "Own list", "आशा"]),
  scrubbed_on: ({ draw, now }) => dayAfter(now, -wholeNumber(draw, 0, 20)),
  csv: ({ draw }) => `number,status\n${phoneNumber(draw)},${oneOf(draw, ["refused", "allowed", "odd"])}\n`,
  "numbers[]": ({ draw }) => phoneNumber(draw),
  url: ({ organisation }) => organisation.askedUrl,
  // Closed, no call would be dialled any more: the address does not answer as a hospital does.
  fails: () => "open",
  granted_at: ({ draw, now }) => oneOf(draw, [LEFT_OUT, pastInstant(draw, now, 1, 90)]),
  from: (place) => limitOfRange(place, "from"),
  to: (place) => limitOfRange(place, "to"),
  "branch_ids[]": ({ draw, pool }) => pool.pick(draw, "closable_branch_id") ?? LEFT_OUT,
  window_id: ({ draw, pool }) => oneOf(draw, [null, LEFT_OUT, pool.pick(draw, "window")?.split(" ")[0] ?? null]),
  contact_id: ({ draw, pool }) => pool.pick(draw, "contact_id") ?? LEFT_OUT,
  text: ({ draw, now, organisation, operation }) =>
    operation.id === "searchPeople"
      ? oneOf(draw, [organisation.marker, "+1 (555) 398-0100", "980100", dayAfter(now, 22), "%_"])
      : undefined,
  rule_id: ({ draw, pool }) => pool.pick(draw, "rule_id") ?? LEFT_OUT,
  closure_id: ({ draw, pool }) => pool.pick(draw, "closure_id") ?? LEFT_OUT,
  created_from: ({ draw, now }) => pastInstant(draw, now, 0, 90),
  created_to: ({ draw, now }) => new Date(now + wholeNumber(draw, 1, 90) * DAY_MS).toISOString(),
  limit: ({ draw }) => String(wholeNumber(draw, 1, 100)),
  cursor: ({ draw, pool, operation }) => pool.pick(draw, `cursor ${operation.id}`) ?? LEFT_OUT,
  action: ({ draw }) => oneOf(draw, ["call", "call.read", "api_key", "do_not_disturb.imported"]),
  outcomes: ({ draw }) => oneOf(draw, ["busy", "no_answer,busy", "invalid_number,carrier_error,answered"]),
  "Idempotency-Key": ({ draw }) => draw(printable),
  Range: ({ draw }) => oneOf(draw, ["bytes=0-99", "bytes=100-", "bytes=-50", "bytes=999999999-", "bytes=0-0,2-3"]),
  "X-Inbound-Timestamp": () => LEFT_OUT,
  "X-Inbound-Signature": () => LEFT_OUT,
};

/** For bodies, queries, paths and headers. */
export function knownFields(place: Place): KnownField {
  return (name, schema) => {
    const known = FIELDS[name];
    if (known === undefined) return undefined;
    if (NARROWED.has(name)) return known(place, schema);
    if (schema.enum !== undefined) return undefined;
    // Occasionally uses any value that the schema allows.
    return rarely(place.draw, 12) ? undefined : known(place, schema);
  };
}
