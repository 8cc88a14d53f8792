// Validation of all fields of a trunk: reports every fault at once, with the allowed values.
import { isIP } from "node:net";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { isCertificatePem, TRUNK_DEFAULTS, TrunkFields, trunkFaults } from "../config/trunk-fields.ts";
import { formatIp, parseIp } from "../net/addresses.ts";
import { AppError, type FieldFault } from "../core/errors.ts";
import { fieldFaults } from "../core/schema-words.ts";
import type { Trunk } from "./records.ts";
import type { TrunkRefusal } from "./trunk-addresses.ts";

/** Input from the API and the configuration. Apart from the secret it equals the view. */
export interface TrunkInput {
  name: string;
  enabled: boolean;
  host: string;
  /** 0 looks up NAPTR and SRV records, and uses 5060 (5061 with TLS) if there are none. */
  port: number;
  transport: string;
  /** CA of the trunk's certificate; null trusts the public CAs. */
  ca_pem: string | null;
  username: string | null;
  register: boolean;
  /** Domain in From; null uses the host. */
  from_domain: string | null;
  /**
   * User in From. Null uses the account name if the trunk registers, otherwise the number; `number` always uses the
   * number.
   */
  from_user: string | null;
  /** Header that carries the number: `auto` is P-Asserted-Identity, and only if From does not carry the number. */
  identity_header: string;
  /** Number or extension to show; null shows the calling number. */
  caller_id: string | null;
  /** Format of dialled numbers: `e164` (+91…), `digits` (91…) or `national` (0…, in North America ten digits). */
  number_format: string;
  /** Dialled before every number, such as 9 for an outside line. */
  dial_prefix: string;
  /** `2001=+912212345678`: a call to 2001 at the exchange reaches that number's agent. `*` matches every other name. */
  extensions: readonly string[];
  concurrent_calls: number;
  calls_per_second: number;
  /** Interval of OPTIONS requests; 0 sends none. */
  options_seconds: number;
  /** The peer is behind a NAT: the call follows its audio to an address that SDP does not name. */
  symmetric_rtp: boolean;
  /** Encryption of audio: off, preferred or required. Over udp and tcp, preferred equals off. */
  srtp: string;
  /** G722, PCMA and PCMU, in order of preference; empty offers G722 and then the G.711 law of the number's country. */
  codecs: readonly string[];
  /** Numbers must start with one of these; empty allows every number. */
  allowed_prefixes: readonly string[];
}

/** Omitted: unchanged. Null: removed. */
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

/** Enough for a handful of CA certificates. */
export const LONGEST_PEM = 64 * 1_024;

const Shape = Type.Object({
  ...TrunkFields,
  name: Type.String({
    pattern: "^(?=.*\\S)[^\\u0000-\\u001f\\u007f]{1,60}$",
    allowed: "text in one line, 1 to 60 characters",
  }),
  enabled: Type.Boolean(),
  ca_pem: Type.String({ maxLength: LONGEST_PEM }),
});

/** `hasSecret`: whether the trunk has a secret after the change. `secret`: the new secret, if any. */
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
  // Host names are checked at every lookup. A disabled trunk may keep a refused address.
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

/** Wrong types are left to the schema. */
function trimmed(text: string): string {
  return typeof text === "string" ? text.trim() : text;
}

/** Canonical spelling of an address, without the brackets of a URI. */
function hostText(text: string): string {
  if (typeof text !== "string") return text;
  const plain = text.trim().replace(/^\[(.*)\]$/, "$1");
  const address = plain.includes(":") ? parseIp(plain) : null;
  return address ? formatIp(address) : plain;
}

function orNull(text: string): string | null {
  return text === "" ? null : text;
}
