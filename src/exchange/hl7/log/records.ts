// Row types of the message log.
import { json, meanings, type Meant } from "../../../db/meaning.ts";

export const messageMeaning = meanings<"hl7_messages">()({ notes: json<readonly string[]>() });
export type LoggedMessage = Meant<typeof messageMeaning>;
export type LoggedOutcome = LoggedMessage["outcome"];

export const LOGGED_OUTCOMES = [
  "created",
  "updated",
  "unchanged",
  "stale",
  "merged",
  "refused",
] as const satisfies readonly LoggedOutcome[];
