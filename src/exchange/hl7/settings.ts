// Settings of a source of kind hl7: who sends, and what its codes mean here.
import { Type, type Static } from "@sinclair/typebox";
import { nullable, oneOf, STRICT } from "../../core/schema.ts";
import { PATH } from "./message/message.ts";
import { SENT_CHARSETS } from "./message/charset.ts";
import { VERSIONS } from "./message/version.ts";

const MOST_CODES = 1_000;
const code = () => Type.String({ minLength: 1, maxLength: 200 });
const strict = { [STRICT]: true, additionalProperties: false } as const;
const uuid = (description: string) =>
  Type.String({
    maxLength: 36,
    pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
    description,
    allowed: "a UUID",
  });

export const TELLINGS = ["none", "siu", "srm"] as const;

const TellSchema = Type.Object(
  {
    as: oneOf(TELLINGS, {
      description:
        "`siu`: S14 and S15 as facts. `srm`: S03 and S04 as requests that the source decides. `none`: nothing.",
      default: "none",
    }),
    address: Type.Optional(
      nullable(
        Type.String({
          maxLength: 300,
          pattern: "^mllps?://",
          description: "mllp://HOST:PORT, or mllps:// with TLS.",
          allowed: "mllp://HOST:PORT or mllps://HOST:PORT",
        }),
      ),
    ),
    version: Type.Optional(oneOf(VERSIONS, { default: "2.5.1" })),
    charset: Type.Optional(oneOf(SENT_CHARSETS, { default: "UNICODE UTF-8" })),
    application: Type.Optional(
      Type.String({ maxLength: 180, description: "MSH-3 of what is sent.", default: "RINGWARD" }),
    ),
    facility: Type.Optional(Type.String({ maxLength: 180, description: "MSH-4 of what is sent." })),
  },
  strict,
);

export const Hl7SettingsSchema = Type.Object(
  {
    application: Type.String({ minLength: 1, maxLength: 180, description: "MSH-3 of its messages." }),
    facility: Type.Optional(Type.String({ maxLength: 180, description: "MSH-4; empty accepts any." })),
    time_zone: Type.Optional(
      nullable(
        Type.String({ maxLength: 64, description: "Zone of times without offset; the branch's own where it is null." }),
      ),
    ),
    country: Type.Optional(
      nullable(oneOf(["IN", "US"], { description: "Country of telephone numbers that are sent without their code." })),
    ),
    external_id: Type.Optional(
      oneOf(["placer", "filler"], {
        description: "SCH-1 or SCH-2; the other one where it is empty.",
        default: "placer",
      }),
    ),
    changed_at: Type.Optional(
      Type.String({
        pattern: PATH.source,
        description: "Field with the time of a change, which decides what is newer: `MSH-7`, or such as `ZXX-4`.",
        allowed: 'a segment and a field, e.g. "MSH-7"',
        default: "MSH-7",
      }),
    ),
    branches: Type.Optional(
      Type.Array(Type.Object({ code: code(), branch_id: uuid("Branch of this location code.") }, strict), {
        maxItems: MOST_CODES,
      }),
    ),
    default_branch_id: Type.Optional(nullable(uuid("Branch of locations that are not listed."))),
    services: Type.Optional(
      Type.Array(Type.Object({ code: code(), appointment_type_id: uuid("Service of this code.") }, strict), {
        maxItems: MOST_CODES,
      }),
    ),
    identifier_systems: Type.Optional(
      Type.Array(Type.Object({ authority: code(), system: Type.String({ minLength: 1, maxLength: 200 }) }, strict), {
        maxItems: 100,
        description: "Assigning authority of PID-3 → system of the identifier.",
      }),
    ),
    identifier_system: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "Without an assigning authority.", default: "mrn" }),
    ),
    minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_440, description: "Length where a message has none.", default: 15 }),
    ),
    peers: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
        maxItems: 50,
        description: "Addresses or ranges that it sends from; any of the settings' `hl7.allow` without them.",
      }),
    ),
    tell: Type.Optional(TellSchema),
  },
  strict,
);

export type Hl7Settings = Static<typeof Hl7SettingsSchema>;

/** A source, with what is needed to read its messages. */
export interface Hl7Source {
  id: string;
  organisationId: string;
  name: string;
  settings: Hl7Settings;
}
