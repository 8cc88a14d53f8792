// States of a file that a source delivered, and problems of its folder.

/** `accepted`: a person agreed to its cancellations. `repeated`: the same content was read before. */
export const SOURCE_FILE_STATES = [
  "waiting",
  "asking",
  "accepted",
  "rejected",
  "reading",
  "done",
  "faulty",
  "repeated",
] as const;
export type SourceFileState = (typeof SOURCE_FILE_STATES)[number];

export const FOLDER_PROBLEMS = [
  "not_allowed",
  "not_there",
  "not_writable",
  "disk_full",
  "too_many",
  "taken",
  "failed",
] as const;
export type FolderProblem = (typeof FOLDER_PROBLEMS)[number];
