// Validation rules for a trunk's fields, from the settings, the dashboard or the command line. "" means none.
import { Type, type Static } from "@sinclair/typebox";
import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { FieldFault } from "../core/errors.ts";
import { oneOf } from "../core/schema.ts";

const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
/** RFC 1123, section 2.1, and any IPv6 characters; isIP makes the final decision. */
const HOST = `(?=.{1,253}$)(?:${LABEL}(?:\\.${LABEL})*|[0-9A-Fa-f]*:[0-9A-Fa-f:.]+)`;
const HOST_WORDS = "a host name or an address, without sip: and without a port";
/** ITU-T E.164: at most 15 digits. */
const E164 = "\\+[1-9][0-9]{1,14}";

/** A single line without control characters, because it goes into a SIP header. */
const line = (longest: number) =>
  Type.String({
    pattern: `^[^\\u0000-\\u001f\\u007f]{0,${longest}}$`,
    allowed: `text in one line, at most ${longest} characters`,
  });

const MOST_PREFIXES = 100;
const MOST_EXTENSIONS = 200;

export const TrunkFields = {
  host: Type.String({ pattern: `^${HOST}$`, allowed: HOST_WORDS }),
  port: Type.Integer({ minimum: 0, maximum: 65_535 }),
  transport: oneOf(["udp", "tcp", "tls"]),
  username: line(100),
  secret: line(200),
  register: Type.Boolean(),
  from_domain: Type.String({ pattern: `^$|^${HOST}$`, allowed: `${HOST_WORDS}, or empty` }),
  from_user: line(100),
  identity_header: oneOf(["auto", "p_asserted_identity", "remote_party_id", "none"]),
  caller_id: Type.String({
    pattern: `^$|^${E164}$|^[1-9][0-9]{1,7}$`,
    allowed: 'a number such as "+912212345678", an extension such as "2001", or empty',
  }),
  number_format: oneOf(["e164", "digits", "national"]),
  dial_prefix: Type.String({ pattern: "^[0-9*#]{0,8}$", allowed: "at most 8 digits, * and #, or empty" }),
  extensions: Type.Array(
    Type.String({
      pattern: `^[A-Za-z0-9_.*#+-]{1,64}=${E164}$`,
      allowed: 'a dialled name or extension and the number whose agent it rings, such as "2001=+912212345678"',
    }),
    { maxItems: MOST_EXTENSIONS, allowed: `a list of at most ${MOST_EXTENSIONS} names or extensions` },
  ),
  concurrent_calls: Type.Integer({ minimum: 1, maximum: 10_000 }),
  calls_per_second: Type.Number({ minimum: 0.1, maximum: 1_000 }),
  options_seconds: Type.Union([Type.Literal(0), Type.Integer({ minimum: 5, maximum: 3_600 })]),
  symmetric_rtp: Type.Boolean(),
  srtp: oneOf(["off", "preferred", "required"]),
  codecs: Type.Array(oneOf(["G722", "PCMA", "PCMU"]), {
    maxItems: 3,
    uniqueItems: true,
    allowed: "a list of G722, PCMA and PCMU, each at most once, best first; or empty",
  }),
  allowed_prefixes: Type.Array(
    Type.String({ pattern: "^\\+[0-9]{1,15}$", allowed: '"+" and 1 to 15 digits, such as "+91"' }),
    { maxItems: MOST_PREFIXES, allowed: `a list of at most ${MOST_PREFIXES} beginnings of numbers` },
  ),
};

const shape = Type.Object(TrunkFields);
export type TrunkFieldValues = Static<typeof shape>;

export const TRUNK_DEFAULTS: Omit<TrunkFieldValues, "host"> = {
  port: 0,
  transport: "udp",
  username: "",
  secret: "",
  register: false,
  from_domain: "",
  from_user: "",
  identity_header: "auto",
  caller_id: "",
  number_format: "e164",
  dial_prefix: "",
  extensions: [],
  concurrent_calls: 10,
  calls_per_second: 1,
  options_seconds: 30,
  symmetric_rtp: false,
  srtp: "preferred",
  codecs: [],
  allowed_prefixes: ["+91", "+1"],
};

export const E164_NUMBER = Type.String({ pattern: `^${E164}$`, allowed: 'a number such as "+912212345678"' });

type Judged = Pick<
  TrunkFieldValues,
  | "host"
  | "from_domain"
  | "username"
  | "register"
  | "transport"
  | "srtp"
  | "codecs"
  | "number_format"
  | "dial_prefix"
  | "extensions"
> & { hasSecret: boolean };

/** Checks that involve two fields, or more than a pattern. */
export function trunkFaults(fields: Judged): FieldFault[] {
  const faults: FieldFault[] = [];
  const fault = (field: string, message: string) => faults.push({ field, message });
  for (const field of ["host", "from_domain"] as const) {
    const text = fields[field];
    const looksLikeAddress = text.includes(":") || /^[0-9.]+$/.test(text);
    if (text !== "" && looksLikeAddress && isIP(text) === 0) fault(field, `${field} must be ${HOST_WORDS}.`);
  }
  if (fields.register && fields.username === "") fault("register", "register needs a username to register with.");
  if (fields.hasSecret && fields.username === "") {
    fault("secret", "secret needs the username that it belongs to; without a username, remove it.");
  }
  if (fields.dial_prefix !== "" && fields.number_format === "e164") {
    fault("dial_prefix", 'dial_prefix needs number_format "digits" or "national": nothing stands before a "+".');
  }
  const names = fields.extensions.map((entry) => entry.split("=")[0] ?? "");
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) fault("extensions", `extensions must hold each name once; ${repeated} stands twice.`);
  if (fields.srtp === "required" && fields.transport !== "tls") {
    fault(
      "srtp",
      "srtp can be required with the transport tls alone: over udp and tcp its keys would travel in clear.",
    );
  }
  if (fields.codecs.length > 0 && !fields.codecs.some((codec) => codec !== "G722")) {
    fault("codecs", "codecs must hold PCMA or PCMU beside G722, for telephones that have no G.722.");
  }
  return faults;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Whether the text contains certificates and all of them can be parsed. */
export function isCertificatePem(text: string): boolean {
  const blocks = text.match(CERTIFICATE) ?? [];
  try {
    for (const block of blocks) void new X509Certificate(block).fingerprint256;
  } catch {
    return false;
  }
  return blocks.length > 0 && blocks.length === text.split("-----BEGIN ").length - 1;
}
