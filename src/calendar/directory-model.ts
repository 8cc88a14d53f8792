// Schemas of the branch and service routes.
import { Type, type Static } from "@sinclair/typebox";
import { visibleName } from "../core/names.ts";
import { isoTime, nullable } from "../core/schema.ts";

const UUID_PATTERN = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";
const ownId = Type.Optional(
  Type.String({
    maxLength: 36,
    pattern: UUID_PATTERN,
    description: "A UUID of the hospital's own; without it, a new one.",
    allowed: "a UUID",
  }),
);
const name = visibleName(200);
const timeZone = nullable(
  Type.String({ maxLength: 64, description: "IANA name; null follows the organisation's time zone." }),
);

export const DirectoryQuery = Type.Object({
  limit: Type.Optional(
    Type.String({ pattern: "^[0-9]{1,3}$", description: "1 to 100; 20 without it.", allowed: "from 1 to 100" }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "next_cursor of the page before." })),
});
export type DirectoryInput = Static<typeof DirectoryQuery>;

export const CreateBranchSchema = Type.Object({ branch_id: ownId, name, time_zone: Type.Optional(timeZone) });
export type CreateBranchInput = Static<typeof CreateBranchSchema>;
export const PatchBranchSchema = Type.Object({ name: Type.Optional(name), time_zone: Type.Optional(timeZone) });
export type PatchBranchInput = Static<typeof PatchBranchSchema>;

const BranchSchema = Type.Object({
  branch_id: Type.String({ format: "uuid" }),
  name: nullable(Type.String({ description: "Null until it is named." })),
  time_zone: timeZone,
  created_at: isoTime(),
  updated_at: isoTime(),
});
export type BranchView = Static<typeof BranchSchema>;
export const BranchAnswerSchema = Type.Object({ data: BranchSchema });
export const BranchListSchema = Type.Object({ data: Type.Array(BranchSchema), next_cursor: nullable(Type.String()) });
export const RemovedBranchSchema = Type.Object({
  data: Type.Object({ branch_id: Type.String({ format: "uuid" }), removed: Type.Literal(true) }),
});

export const CreateServiceSchema = Type.Object({ appointment_type_id: ownId, name });
export type CreateServiceInput = Static<typeof CreateServiceSchema>;
export const PatchServiceSchema = Type.Object({ name });

const ServiceSchema = Type.Object({
  appointment_type_id: Type.String({ format: "uuid" }),
  name: nullable(Type.String({ description: "Null until it is named." })),
  created_at: isoTime(),
  updated_at: isoTime(),
});
export type ServiceView = Static<typeof ServiceSchema>;
export const ServiceAnswerSchema = Type.Object({ data: ServiceSchema });
export const ServiceListSchema = Type.Object({ data: Type.Array(ServiceSchema), next_cursor: nullable(Type.String()) });

export const CREATE_BRANCH_EXAMPLE = { name: "Lake branch", time_zone: "Asia/Kolkata" };
export const CREATE_SERVICE_EXAMPLE = { name: "Cardiology" };
