// What a log may say of an exception: its kind, and where it was thrown. Its message might quote a person.
import { framesOf } from "./errors.ts";
import type { LogFields } from "./logger.ts";

const MOST_FRAMES = 3;

export function faultFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  return { error: error.name, at: framesOf(error).slice(0, MOST_FRAMES).join(", ") };
}
