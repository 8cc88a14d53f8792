// Form values of a trunk, and the conversion from and to the API.
import { dialled } from "../../phone-number.ts";
import type { Trunk } from "./trunk.ts";

export interface TrunkForm {
  name: string;
  enabled: boolean;
  host: string;
  port: string;
  transport: string;
  caPem: string;
  username: string;
  /** Whether a secret is stored; the secret itself is never sent to the browser. */
  hadSecret: boolean;
  keepsSecret: boolean;
  secret: string;
  register: boolean;
  fromDomain: string;
  fromUser: string;
  identityHeader: string;
  callerId: string;
  numberFormat: string;
  dialPrefix: string;
  /** One per line. */
  extensions: string;
  lines: string;
  callsPerSecond: string;
  prefixes: readonly string[];
  /** Typed but not added to the list yet. It is saved too. */
  typedPrefix: string;
  optionsSeconds: string;
  symmetricRtp: boolean;
  srtp: string;
  /** As typed: "PCMA, PCMU". */
  codecs: string;
}

/** Same as the defaults of the server; a test compares the two. */
export const EMPTY_TRUNK: TrunkForm = {
  name: "",
  enabled: true,
  host: "",
  port: "",
  transport: "udp",
  caPem: "",
  username: "",
  hadSecret: false,
  keepsSecret: false,
  secret: "",
  register: false,
  fromDomain: "",
  fromUser: "",
  identityHeader: "auto",
  callerId: "",
  numberFormat: "e164",
  dialPrefix: "",
  extensions: "",
  lines: "10",
  callsPerSecond: "1",
  prefixes: ["+91", "+1"],
  typedPrefix: "",
  optionsSeconds: "30",
  symmetricRtp: false,
  srtp: "preferred",
  codecs: "",
};

export function formOf(trunk: Trunk): TrunkForm {
  return {
    name: trunk.name,
    enabled: trunk.enabled,
    host: trunk.host,
    port: trunk.port === 0 ? "" : String(trunk.port),
    transport: trunk.transport,
    caPem: trunk.ca_pem ?? "",
    username: trunk.username ?? "",
    hadSecret: trunk.has_secret,
    keepsSecret: trunk.has_secret,
    secret: "",
    register: trunk.register,
    fromDomain: trunk.from_domain ?? "",
    fromUser: trunk.from_user ?? "",
    identityHeader: trunk.identity_header,
    callerId: trunk.caller_id ?? "",
    numberFormat: trunk.number_format,
    dialPrefix: trunk.dial_prefix,
    extensions: trunk.extensions.join("\n"),
    lines: String(trunk.concurrent_calls),
    callsPerSecond: String(trunk.calls_per_second),
    prefixes: trunk.allowed_prefixes,
    typedPrefix: "",
    optionsSeconds: String(trunk.options_seconds),
    symmetricRtp: trunk.symmetric_rtp,
    srtp: trunk.srtp,
    codecs: trunk.codecs.join(", "),
  };
}

/**
 * Omits fields whose option was switched off: certificate and required encryption without TLS, the secret without a
 * username.
 */
export function bodyOf(form: TrunkForm) {
  const username = form.username.trim();
  const hasAccount = username !== "";
  return {
    name: form.name,
    enabled: form.enabled,
    host: form.host,
    port: Number(form.port),
    transport: form.transport,
    ca_pem: form.transport === "tls" ? orNull(form.caPem.trim()) : null,
    username: orNull(username),
    ...(hasAccount && form.keepsSecret ? {} : { secret: hasAccount ? orNull(form.secret) : null }),
    register: hasAccount && form.register,
    from_domain: orNull(form.fromDomain.trim()),
    from_user: orNull(form.fromUser.trim()),
    identity_header: form.identityHeader,
    caller_id: orNull(dialled(form.callerId)),
    number_format: form.numberFormat,
    // E.164 numbers have no dial prefix.
    dial_prefix: form.numberFormat === "e164" ? "" : form.dialPrefix.trim(),
    extensions: extensionLines(form.extensions),
    concurrent_calls: Number(form.lines),
    calls_per_second: Number(form.callsPerSecond),
    options_seconds: Number(form.optionsSeconds),
    symmetric_rtp: form.symmetricRtp,
    srtp: form.transport === "tls" || form.srtp !== "required" ? form.srtp : "preferred",
    codecs: form.codecs
      .toUpperCase()
      .split(/[\s,]+/)
      .filter((codec) => codec !== ""),
    allowed_prefixes: withPrefix(form.prefixes, form.typedPrefix),
  };
}

/** "91" and "+91 " are the same prefix. */
export function withPrefix(prefixes: readonly string[], typed: string): string[] {
  const digits = typed.replaceAll(/[\s()-]/g, "");
  if (digits === "") return [...prefixes];
  const prefix = digits.startsWith("+") ? digits : `+${digits}`;
  return [...new Set([...prefixes, prefix])];
}

/** "2001 = +91 22 1234 5678" is converted to the server's format. */
function extensionLines(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const [name = "", ...number] = line.split("=");
    if (line.trim() === "") return [];
    return [[name.trim(), ...number.map(dialled)].join("=")];
  });
}

const orNull = (text: string) => (text === "" ? null : text);
