// API schemas of sources.
import { Type, type Static } from "@sinclair/typebox";
import { visibleName } from "../../core/names.ts";
import { isoTime, nullable, oneOf, PAGE_FIELDS } from "../../core/schema.ts";
import { OWNED_PARTS, SOURCE_KINDS } from "../../payloads/source.ts";

const name = visibleName(60, { description: "Of its own in the organisation." });
const settings = Type.Record(Type.String({ maxLength: 60 }), Type.Unknown(), {
  description: "Settings of its kind. The kind `api` has none.",
});
const owns = Type.Array(oneOf(OWNED_PARTS), {
  maxItems: OWNED_PARTS.length,
  description:
    "What only the source changes in its appointments: all without this field. Here, cancelling or moving becomes a " +
    "wish, and other changes of these fields are refused. Its messages do not change the rest.",
});
const enabled = Type.Boolean({ description: "A source that is switched off is not listened to." });

export const CreateSourceSchema = Type.Object({
  name,
  kind: oneOf(SOURCE_KINDS, { description: "How it sends appointments." }),
  settings: Type.Optional(settings),
  owns: Type.Optional(owns),
  enabled: Type.Optional(enabled),
});
export type CreateSourceInput = Static<typeof CreateSourceSchema>;

export const CREATE_SOURCE_EXAMPLE = { name: "Hospital system", kind: "api" };

export const PatchSourceSchema = Type.Partial(Type.Object({ name, settings, owns, enabled }));
export type PatchSourceInput = Static<typeof PatchSourceSchema>;

export const SourceSchema = Type.Object({
  source_id: Type.String(),
  name: Type.String(),
  kind: oneOf(SOURCE_KINDS),
  settings: Type.Record(Type.String(), Type.Unknown()),
  owns: Type.Array(oneOf(OWNED_PARTS)),
  enabled: Type.Boolean(),
  created_at: isoTime(),
  updated_at: isoTime(),
  last_heard_at: nullable(isoTime({ description: "When it last sent something; exact to a minute." })),
});
export type SourceView = Static<typeof SourceSchema>;

export const SourceAnswerSchema = Type.Object({ data: SourceSchema });
export const SourceListSchema = Type.Object({ data: Type.Array(SourceSchema), next_cursor: nullable(Type.String()) });
export const ListSourcesQuery = Type.Object({ kind: Type.Optional(oneOf(SOURCE_KINDS)), ...PAGE_FIELDS });
export type ListSourcesInput = Static<typeof ListSourcesQuery>;

export const RemoveSourceQuery = Type.Object({
  release: Type.Optional(
    oneOf(["true", "false"], {
      description: "`true`: its upcoming appointments stay, and staff may change them from then on.",
    }),
  ),
});
export const RemovedSourceSchema = Type.Object({
  data: Type.Object({
    source_id: Type.String(),
    removed: Type.Literal(true),
    released: Type.Integer({ description: "Upcoming appointments that staff may change now." }),
  }),
});
