// Protocol of the process that parses files; each message is a frame (frames.ts).
import type { ErrorCode, FieldFault } from "./errors.ts";

/** The input's bytes follow it. */
export type ToReader = { job: string; input: object } | { answer: unknown };

export type FromReader =
  | { type: "asks"; name: string; asked: unknown }
  /** The output's bytes follow it. */
  | { type: "done"; output: object }
  /** The file is invalid; the message is for its sender. */
  | { type: "fault"; code: ErrorCode; message: string; details: readonly FieldFault[] }
  /** An internal error: its name and where it was thrown. */
  | { type: "broken"; error: string };
