// What the process that reads files is told and tells; each message is a frame (frames.ts).
import type { ErrorCode, FieldFault } from "./errors.ts";

/** The input's own bytes travel behind it. */
export type ToReader = { job: string; input: object } | { answer: unknown };

export type FromReader =
  | { type: "asks"; name: string; asked: unknown }
  /** The output's own bytes travel behind it. */
  | { type: "done"; output: object }
  /** Something is wrong with the file, in words for its sender. */
  | { type: "fault"; code: ErrorCode; message: string; details: readonly FieldFault[] }
  /** Something is wrong with us: the kind of the error and where it was thrown. */
  | { type: "broken"; error: string };
