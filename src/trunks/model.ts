// API schemas of trunks. Null means none. checked-trunk.ts also checks fields against one another.
import { Type, type Static } from "@sinclair/typebox";
import { TrunkFields } from "../config/trunk-fields.ts";
import { visibleName } from "../core/names.ts";
import { isoTime, nullable, oneOf, PAGE_FIELDS } from "../core/schema.ts";
import { LONGEST_PEM } from "./checked-trunk.ts";

/** RFC 1123, section 2.1. */
const hostName = (description: string) => Type.String({ minLength: 1, maxLength: 253, description });
const described = <T extends object>(schema: T, description: string): T => ({ ...schema, description });

const name = visibleName(60, { description: "Of its own in the organisation." });
const host = hostName("Host name or address, without sip: and without a port.");

const fields = {
  enabled: Type.Boolean({ description: "Whether calls may use it." }),
  port: described(TrunkFields.port, "0 looks up NAPTR and SRV records; without them 5060, or 5061 with tls."),
  transport: TrunkFields.transport,
  ca_pem: nullable(
    Type.String({ maxLength: LONGEST_PEM, description: "CA of its certificate, with tls. Null: the public CAs." }),
  ),
  username: nullable(described(TrunkFields.username, "Account at the provider or exchange.")),
  register: described(TrunkFields.register, "Whether the appliance registers there; needs a username."),
  from_domain: nullable(hostName("Domain in From. Null: the host.")),
  from_user: nullable(
    described(TrunkFields.from_user, "User in From. Null: the account if it registers, otherwise the number."),
  ),
  identity_header: TrunkFields.identity_header,
  caller_id: nullable(described(TrunkFields.caller_id, "Number or extension to show. Null: the calling number.")),
  number_format: TrunkFields.number_format,
  dial_prefix: described(TrunkFields.dial_prefix, "Dialled before every number."),
  extensions: described(
    TrunkFields.extensions,
    "2001=+912212345678: a call to 2001 at the exchange reaches that number's agent.",
  ),
  concurrent_calls: TrunkFields.concurrent_calls,
  calls_per_second: TrunkFields.calls_per_second,
  options_seconds: described(TrunkFields.options_seconds, "Interval of OPTIONS requests; 0 sends none."),
  symmetric_rtp: described(TrunkFields.symmetric_rtp, "The peer is behind a NAT: audio follows its source."),
  srtp: TrunkFields.srtp,
  codecs: described(TrunkFields.codecs, "In order of preference; empty: chosen by the number called."),
  allowed_prefixes: described(TrunkFields.allowed_prefixes, "Numbers must start so; empty allows every number."),
};
const secret = nullable(described(TrunkFields.secret, "Password of the account. It is never shown. Null removes it."));

export const ChangeTrunkSchema = Type.Partial(Type.Object({ name, host, ...fields, secret }));
export const CreateTrunkSchema = Type.Object({ ...ChangeTrunkSchema.properties, name, host });

export const CREATE_TRUNK_EXAMPLE = {
  name: "Provider",
  host: "sip.provider.example",
  transport: "tls",
  username: "hospital",
  secret: "the password of the account",
  register: true,
  concurrent_calls: 30,
};

export const TrunkSchema = Type.Object({
  trunk_id: Type.String(),
  name: Type.String(),
  host: Type.String(),
  ...fields,
  source: oneOf(["settings", "dashboard"], {
    description: "settings: it follows the configuration, and is changed there alone.",
  }),
  has_secret: Type.Boolean(),
  capture_until: nullable(isoTime({ description: "Until when packets of its calls are captured." })),
  numbers: Type.Array(Type.String(), { description: "Phone numbers that it carries." }),
  created_at: isoTime(),
  updated_at: isoTime(),
});
export const TrunkAnswerSchema = Type.Object({ data: TrunkSchema });
export const TrunkListSchema = Type.Object({ data: Type.Array(TrunkSchema), next_cursor: nullable(Type.String()) });
export const RemovedTrunkSchema = Type.Object({ data: Type.Object({ deleted: Type.Literal(true) }) });

export const ListTrunksQuery = Type.Object(PAGE_FIELDS);
export type ListTrunksInput = Static<typeof ListTrunksQuery>;

export const TrunkStatusSchema = Type.Object({
  data: Type.Object({
    trunk_id: Type.String(),
    mode: oneOf(["simulator", "sip"], { description: "simulator: no trunk is contacted." }),
    state: oneOf(["up", "down", "unknown"], { description: "unknown: no response yet; calls are tried." }),
    is_registered: nullable(Type.Boolean({ description: "Null if it does not register." })),
    round_trip_ms: nullable(Type.Number()),
    last_error: nullable(Type.String({ description: "What is wrong; in detail for keys with trunks:write." })),
    resting_until: nullable(isoTime({ description: "Calls wait until then, because half of the last calls failed." })),
    active_calls: Type.Integer(),
    lines: Type.Integer(),
    address: nullable(Type.String({ description: "For keys with trunks:write." })),
    at: nullable(isoTime({ description: "Time of this state; null if the trunk was not contacted yet." })),
  }),
});
