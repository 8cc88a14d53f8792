// Schema of the settings. config/default.toml documents every key; a test keeps the two in sync.
import { Type, type Static, type TObject, type TProperties } from "@sinclair/typebox";
import { LOG_LEVELS } from "../core/logger.ts";
import { oneOf } from "../core/schema.ts";
import { RECORDING_MODES } from "../payloads/lawful.ts";
import { ModelEntries } from "./model-entries.ts";
import { SignInSettings } from "./sign-in-settings.ts";
import { TrunkEntries } from "./trunk-entries.ts";

const section = <T extends TProperties>(properties: T): TObject<T> =>
  Type.Object(properties, { additionalProperties: false });
const httpUrl = Type.String({ pattern: "^https?://[^/?#@]+[^?#@]*$", allowed: "an http or https address" });
const seconds = (maximum: number) => Type.Integer({ minimum: 1, maximum });

/** One address without a display name: nothing that a header or the SMTP dialogue could take for more. */
const MAIL_ADDRESS = "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\\.[A-Za-z0-9-]{1,63}){0,8}$";

/** A whole number, or unlimited. */
const limit = Type.Union([Type.Integer({ minimum: 0 }), Type.Literal("unlimited")]);

const clockTime = Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$", allowed: "a time as HH:MM" });
const hours = Type.Tuple([clockTime, clockTime], { allowed: 'two times, e.g. ["09:00", "12:00"]' });

const plan = section({
  api_keys: limit,
  webhook_endpoints: limit,
  inbound_daily_quota: limit,
  requests_per_minute: limit,
  concurrent_calls: limit,
});

export const ConfigSchema = section({
  base_url: Type.Union([Type.Literal(""), httpUrl]),
  dashboard_url: Type.Union([Type.Literal(""), httpUrl]),
  server: section({
    host: Type.String({ minLength: 1 }),
    port: Type.Integer({ minimum: 0, maximum: 65_535 }),
    tls_cert_file: Type.String(),
    tls_key_file: Type.String(),
    client_address_header: Type.String({ pattern: "^[A-Za-z0-9-]{0,64}$", allowed: "the name of a header, or empty" }),
    request_timeout_seconds: seconds(300),
    // Bun.serve accepts at most 255.
    idle_timeout_seconds: seconds(255),
    shutdown_grace_seconds: seconds(600),
    max_head_kb: Type.Integer({ minimum: 4, maximum: 64 }),
  }),
  data: section({
    dir: Type.String({ minLength: 1 }),
    min_free_mb: Type.Integer({ minimum: 0 }),
  }),
  backup: section({
    every: Type.String({ pattern: "^$|^[1-9][0-9]{0,2}[hd]$", allowed: 'a time such as "24h" or "7d", or empty' }),
    at: Type.Union([Type.Literal(""), clockTime], { allowed: "a time as HH:MM, or empty" }),
    keep: Type.Integer({ minimum: 1, maximum: 1_000 }),
    to: Type.String({ pattern: "^$|^/|^s3://", allowed: 'an absolute path, "s3://BUCKET/PREFIX", or empty' }),
    recordings: Type.Boolean(),
    s3: section({
      endpoint: Type.Union([Type.Literal(""), httpUrl]),
      region: Type.String({ pattern: "^[A-Za-z0-9-]{1,64}$", allowed: "the name of a region" }),
      access_key_id: Type.String({ maxLength: 256 }),
      secret_access_key: Type.String({ maxLength: 256 }),
      secret_access_key_file: Type.String(),
    }),
  }),
  database: section({
    url: Type.String({
      pattern: "^$|^postgres(ql)?://",
      allowed: "an address such as postgres://user@host:5432/database, or empty",
    }),
    password_file: Type.String(),
    ca_file: Type.String(),
    tls: oneOf(["auto", "off", "verify"]),
    connections: Type.Integer({ minimum: 4, maximum: 100 }),
  }),
  log: section({ level: oneOf(LOG_LEVELS), requests: Type.Number({ minimum: 0, maximum: 1 }) }),
  mail: section({
    host: Type.String({ pattern: "^[A-Za-z0-9_.:-]{0,253}$", allowed: "a host name or address, or empty" }),
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    security: oneOf(["starttls", "tls", "plain"]),
    username: Type.String({ maxLength: 254 }),
    password: Type.String({ maxLength: 1_000 }),
    password_file: Type.String(),
    from: Type.String({ pattern: `^$|${MAIL_ADDRESS}`, allowed: "an e-mail address, or empty" }),
    alarms_to: Type.Array(Type.String({ pattern: MAIL_ADDRESS, allowed: "an e-mail address" }), { maxItems: 20 }),
    language: oneOf(["en", "hi"]),
    ca_file: Type.String(),
  }),
  metrics: section({
    token: Type.String({ pattern: "^$|^[!-~]{16,256}$", allowed: "16 to 256 characters without spaces, or empty" }),
    token_file: Type.String(),
  }),
  security: section({
    root_key: Type.String({ pattern: "^$|^[A-Za-z0-9+/]{43}=$", allowed: "32 bytes in base64, or empty" }),
    key_file: Type.String(),
    key_command: Type.Array(Type.String({ minLength: 1, maxLength: 4_096 }), { maxItems: 32 }),
    encrypt: Type.Union([Type.Literal("auto"), Type.Boolean()]),
  }),
  sign_in: SignInSettings,
  setup: section({
    organisation: Type.String({ maxLength: 200 }),
    owner_email: Type.String({ maxLength: 254 }),
    owner_password_file: Type.String(),
    time_zone: Type.String({ minLength: 1 }),
  }),
  idempotency: section({ keep_hours: Type.Integer({ minimum: 1, maximum: 720 }) }),
  calls: section({
    default_delay_seconds: Type.Integer({ minimum: 0, maximum: 86_400 }),
    max_days_ahead: Type.Integer({ minimum: 1, maximum: 3_650 }),
    concurrent_calls: limit,
    credits_per_minute: Type.Number({ minimum: 0 }),
    latest_minutes: Type.Integer({ minimum: 5, maximum: 7 * 24 * 60 }),
    released_per_minute: Type.Integer({ minimum: 1, maximum: 6_000 }),
    allowed_ranges: Type.Array(
      Type.String({
        pattern: "^\\+[1-9][0-9]{2,14}$",
        allowed: 'the beginning of a number with its country code, e.g. "+1876"',
      }),
      { maxItems: 100 },
    ),
  }),
  recordings: section({
    mode: oneOf(RECORDING_MODES),
    keep_days: Type.Integer({ minimum: 0, maximum: 36_500 }),
  }),
  rules: section({ enforce: Type.Boolean() }),
  proofs: section({ head_file: Type.String() }),
  campaigns: section({ at_once: limit }),
  telephony: section({
    carrier: oneOf(["simulator", "sip"]),
    sip: section({
      address: Type.String({ minLength: 1, maxLength: 64 }),
      port: Type.Integer({ minimum: 0, maximum: 65_535 }),
      tls_port: Type.Integer({ minimum: 0, maximum: 65_535 }),
      tls_cert_file: Type.String(),
      tls_key_file: Type.String(),
      external_address: Type.String({ pattern: "^[0-9A-Fa-f.:]{0,45}$", allowed: "an IP address, or empty" }),
      allow_local: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 100 }),
      rtp_port_from: Type.Integer({ minimum: 1_024, maximum: 65_534 }),
      rtp_port_to: Type.Integer({ minimum: 1_025, maximum: 65_535 }),
      ring_timeout_seconds: Type.Integer({ minimum: 5, maximum: 300 }),
      lost_audio_seconds: Type.Integer({ minimum: 0, maximum: 3_600 }),
      longest_call_minutes: Type.Integer({ minimum: 1, maximum: 24 * 60 }),
      drain_seconds: Type.Integer({ minimum: 0, maximum: 600 }),
    }),
    simulator: section({
      speed: Type.Number({ minimum: 0.1, maximum: 10_000 }),
      lines: Type.Integer({ minimum: 1, maximum: 100_000 }),
    }),
  }),
  speech: section({
    recognisers: Type.Union([Type.Literal("auto"), Type.Integer({ minimum: 0, maximum: 64 })]),
    spotters: Type.Union([Type.Literal("auto"), Type.Integer({ minimum: 0, maximum: 16 })]),
    unhurried: Type.Boolean(),
  }),
  models: section({
    allow: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 100 }),
    ca_file: Type.String(),
    analysis_seconds: Type.Integer({ minimum: 0, maximum: 600 }),
    servers: ModelEntries,
  }),
  trunks: TrunkEntries,
  calendar: section({ sessions: section({ morning: hours, afternoon: hours, evening: hours }) }),
  waiting_list: section({
    calling_hours: hours,
    least_minutes_ahead: Type.Integer({ minimum: 0, maximum: 10_080 }),
    calls_per_day: Type.Integer({ minimum: 1, maximum: 20 }),
    give_up_minutes: Type.Integer({ minimum: 1, maximum: 240 }),
    days_ahead: Type.Integer({ minimum: 1, maximum: 365 }),
  }),
  hl7: section({
    host: Type.String({ minLength: 1 }),
    port: Type.Integer({ minimum: 0, maximum: 65_535 }),
    tls_cert_file: Type.String(),
    tls_key_file: Type.String(),
    client_ca_file: Type.String(),
    client_crl_file: Type.String(),
    ca_file: Type.String(),
    allow: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 100 }),
    max_message_kb: Type.Integer({ minimum: 4, maximum: 128 }),
    connections: Type.Integer({ minimum: 1, maximum: 1_000 }),
    messages_per_second: Type.Integer({ minimum: 1, maximum: 10_000 }),
    idle_minutes: Type.Integer({ minimum: 1, maximum: 10_080 }),
    keep_days: Type.Integer({ minimum: 1, maximum: 365 }),
  }),
  folders: section({ root: Type.String({ pattern: "^$|^/", allowed: "an absolute path, or empty" }) }),
  webhooks: section({
    allow_private: Type.Array(Type.String({ minLength: 1 })),
    ca_file: Type.String(),
    proxy_url: Type.Union([Type.Literal(""), Type.String({ pattern: "^http://[^/@]+$", allowed: "http://host:port" })]),
    keep_days: Type.Integer({ minimum: 0, maximum: 36_500 }),
  }),
  syslog: section({
    address: Type.String({
      pattern: "^$|^(tls|tcp)://[^/@?#]+:[0-9]{1,5}$",
      allowed: "an address such as tls://siem.hospital.example:6514, or empty",
    }),
    ca_file: Type.String(),
    tls_cert_file: Type.String(),
    tls_key_file: Type.String(),
    host_name: Type.String({ pattern: "^[!-~]{0,255}$", allowed: "a host name, or empty" }),
    max_message_bytes: Type.Integer({ minimum: 2_048, maximum: 65_536 }),
  }),
  audit: section({
    keep_days: Type.Integer({ minimum: 0, maximum: 36_500 }),
    max_rows: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
    export_to: Type.String({ pattern: "^$|^/", allowed: "an absolute path, or empty" }),
    syslog: Type.Boolean(),
  }),
  demo: section({ history: Type.Boolean() }),
  retention: section({
    days: Type.Integer({ minimum: 0, maximum: 36_500 }),
    least_days: Type.Integer({ minimum: 0, maximum: 36_500 }),
  }),
  plans: section({ base: plan, professional: plan, enterprise: plan }),
});

export type Config = Static<typeof ConfigSchema>;

export type PlanName = keyof Config["plans"];
export type PlanLimits = Config["plans"]["base"];
export type Limit = number | "unlimited";

export const PLAN_NAMES = ["base", "professional", "enterprise"] as const satisfies readonly PlanName[];
