// Every field of a trunk, checked in one place: all faults are told at once, in words that say what is allowed.
import { isIP } from "node:net";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { isCertificatePem, TRUNK_DEFAULTS, TrunkFields, trunkFaults } from "../config/trunk-fields.ts";
import { formatIp, parseIp } from "../net/addresses.ts";
import { AppError, type FieldFault } from "../core/errors.ts";
import { fieldFaults } from "../core/schema-words.ts";
import type { Trunk } from "./records.ts";
import type { TrunkRefusal } from "./trunk-addresses.ts";

/** As people and programs give it. The secret apart, it is what the view shows. */
export interface TrunkInput {
  name: string;
  enabled: boolean;
  host: string;
  /** 0 asks DNS for NAPTR and SRV records, and takes 5060 (5061 with TLS) where there are none. */
  port: number;
  transport: string;
  /** The authority that signed the trunk's certificate; null trusts the public ones. */
  ca_pem: string | null;
  username: string | null;
  register: boolean;
  /** The domain in From; null takes the host. */
  from_domain: string | null;
  /**
   * The user in From; null takes the account's name where the trunk registers, the number otherwise; `number` always
   * that.
   */
  from_user: string | null;
  /** Which header tells the number: `auto` is P-Asserted-Identity, and only where From does not carry the number. */
  identity_header: string;
  /** The number or extension that is shown; null shows the number that calls. */
  caller_id: string | null;
  /** How numbers leave: `e164` (+91…), `digits` (91…) or `national` (0…, in North America ten digits). */
  number_format: string;
  /** Dialled before every number, such as 9 for an outside line. */
  dial_prefix: string;
  /** `2001=+912212345678`: who dials 2001 at the exchange reaches that number's agent. `*` is every other name. */
  extensions: readonly string[];
  concurrent_calls: number;
  calls_per_second: number;
  /** How often the trunk is asked whether it is there; 0 never asks. */
  options_seconds: number;
  /** Its audio comes through a NAT: each call follows it to where SDP does not say. */
  symmetric_rtp: boolean;
  /** Whether its audio is encrypted: off, preferred or required. Over udp and tcp preferred is as off. */
  srtp: string;
  /** G722, PCMA and PCMU, the preferred one first; empty offers G722 and then the law of the number's country. */
  codecs: readonly string[];
  /** Numbers must begin with one of these; empty allows every number. */
  allowed_prefixes: readonly string[];
}

/** Omitted: kept. Null: removed. */
export type TrunkChange = Partial<TrunkInput> & { secret?: string | null };
export type NewTrunk = TrunkChange & Pick<TrunkInput, "name" | "host">;

export type CheckedTrunk = Omit<
  Trunk,
  "id" | "organisation_id" | "source" | "sealed_secret" | "capture_until" | "created_at" | "updated_at"
>;

export const NEW_TRUNK: Omit<TrunkInput, "name" | "host"> = {
  ...TRUNK_DEFAULTS,
  enabled: true,
  ca_pem: null,
  username: null,
  from_domain: null,
  from_user: null,
  caller_id: null,
};

/** Room for a handful of authorities. */
const LONGEST_PEM = 64 * 1_024;

const Shape = Type.Object({
  ...TrunkFields,
  name: Type.String({
    pattern: "^(?=.*\\S)[^\\u0000-\\u001f\\u007f]{1,60}$",
    allowed: "text in one line, 1 to 60 characters",
  }),
  enabled: Type.Boolean(),
  ca_pem: Type.String({ maxLength: LONGEST_PEM }),
});

/** `hasSecret`: whether the trunk has one after the change; `secret`: the new one, where there is a new one. */
export function checkedTrunk(
  input: TrunkInput,
  { secret, hasSecret }: TrunkSecret,
  refusal: TrunkRefusal,
): CheckedTrunk {
  const fields = {
    ...input,
    name: trimmed(input.name),
    host: hostText(input.host),
    ca_pem: input.ca_pem ?? "",
    username: input.username ?? "",
    from_domain: hostText(input.from_domain ?? ""),
    from_user: input.from_user ?? "",
    caller_id: input.caller_id ?? "",
    secret: secret ?? "",
  };
  if (!Value.Check(Shape, fields)) throw faulty(fieldFaults(Value.Errors(Shape, fields)));
  const faults: FieldFault[] = trunkFaults({ ...fields, hasSecret });
  if (fields.ca_pem !== "" && fields.transport !== "tls") faults.push(CA_WITHOUT_TLS);
  else if (fields.ca_pem !== "" && !isCertificatePem(fields.ca_pem)) faults.push(BAD_CA);
  // A name is checked whenever it is looked up. One that is switched off may stay where it is.
  const refused = fields.enabled && isIP(fields.host) !== 0 ? refusal(fields.host, fields.host) : null;
  if (refused !== null) faults.push({ field: "host", message: `this host is not allowed: ${refused}.` });
  if (faults.length > 0) throw faulty(faults);
  return {
    name: fields.name,
    enabled: fields.enabled,
    host: fields.host,
    port: fields.port,
    transport: fields.transport,
    ca_pem: orNull(fields.ca_pem),
    username: orNull(fields.username),
    register: fields.register,
    from_domain: orNull(fields.from_domain),
    from_user: orNull(fields.from_user),
    identity_header: fields.identity_header,
    caller_id: orNull(fields.caller_id),
    number_format: fields.number_format,
    dial_prefix: fields.dial_prefix,
    extensions: fields.extensions,
    concurrent_calls: fields.concurrent_calls,
    calls_per_second: fields.calls_per_second,
    options_seconds: fields.options_seconds,
    symmetric_rtp: fields.symmetric_rtp,
    srtp: fields.srtp,
    codecs: fields.codecs,
    allowed_prefixes: [...new Set(fields.allowed_prefixes)],
  };
}

export interface TrunkSecret {
  secret: string | null;
  hasSecret: boolean;
}

const CA_WITHOUT_TLS: FieldFault = {
  field: "ca_pem",
  message: "ca_pem is for TLS alone: choose the transport tls, or leave ca_pem empty.",
};
const BAD_CA: FieldFault = {
  field: "ca_pem",
  message: "ca_pem must be PEM: one or more BEGIN CERTIFICATE blocks, and nothing secret.",
};

function faulty(faults: readonly FieldFault[]): AppError {
  return new AppError("VALIDATION_ERROR", faults.map(({ message }) => message).join(" "), { details: faults });
}

/** A wrong type is the schema's to tell. */
function trimmed(text: string): string {
  return typeof text === "string" ? text.trim() : text;
}

/** An address in its one spelling, and without the brackets that a URI would need. */
function hostText(text: string): string {
  if (typeof text !== "string") return text;
  const plain = text.trim().replace(/^\[(.*)\]$/, "$1");
  const address = plain.includes(":") ? parseIp(plain) : null;
  return address ? formatIp(address) : plain;
}

function orNull(text: string): string | null {
  return text === "" ? null : text;
}
