// Payload of account.break_glass_used.
import { Type, type Static } from "@sinclair/typebox";
import { isoTime } from "../core/schema.ts";

export const BreakGlassUseSchema = Type.Object({
  used_at: isoTime(),
  session_ends_at: isoTime(),
});
export type BreakGlassUse = Static<typeof BreakGlassUseSchema>;
