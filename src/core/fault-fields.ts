// Log fields of an exception: its name and where it was thrown. Its message is omitted because it might quote a person.
import { framesOf } from "./errors.ts";
import type { LogFields } from "./logger.ts";

const MOST_FRAMES = 3;

export function faultFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  return { error: error.name, at: framesOf(error).slice(0, MOST_FRAMES).join(", ") };
}
