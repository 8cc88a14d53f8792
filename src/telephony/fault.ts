// What a log may say of an exception: its kind, and where it was thrown. Its message might quote a person.
import type { LogFields } from "../core/logger.ts";

const MOST_FRAMES = 3;

export function faultFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s*at /.test(line));
  const at = frames.slice(0, MOST_FRAMES).map((frame) => frame.trim());
  return { error: error.name, at: at.join(", ") };
}
