// Schemas for creating many windows at once: for several days, or copied from another branch.
import { Type, type Static } from "@sinclair/typebox";
import { oneOf } from "../core/schema.ts";
import { SESSIONS } from "./days.ts";
import { DAYS } from "../payloads/slot.ts";
import { CreateWindowSchema } from "./model.ts";

const { day: _day, session: _session, ...windowFields } = CreateWindowSchema.properties;

/** Creates a window for each day and session. With several sessions, each has its own default hours. */
export const CreateWindowsSchema = Type.Object({
  ...windowFields,
  days: Type.Array(oneOf(DAYS), { minItems: 1, maxItems: DAYS.length, uniqueItems: true }),
  sessions: Type.Array(oneOf(SESSIONS), { minItems: 1, maxItems: SESSIONS.length, uniqueItems: true }),
});
export type CreateWindowsInput = Static<typeof CreateWindowsSchema>;

const MOST_COPIED = 250;
const branch = Type.String({ maxLength: 36 });

export const PlanQuery = Type.Object({ from_branch: branch, to_branch: branch });

export const CopyPlanSchema = Type.Object({
  from_branch: branch,
  to_branch: branch,
  window_ids: Type.Array(Type.String({ maxLength: 36 }), { minItems: 1, maxItems: MOST_COPIED, uniqueItems: true }),
});
export type CopyPlanInput = Static<typeof CopyPlanSchema>;
