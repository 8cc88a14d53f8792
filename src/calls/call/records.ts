// Calls and their results, as other folders see them.
import type { CallingHours } from "../../agents/calling-hours.ts";
import { flag, json, meanings, orNull, words, type Meant } from "../../db/meaning.ts";
import type { Row } from "../../db/tables.ts";

/** `additional_info` stays JSON text: it may be long, hundreds of calls are read at once, and few readers need it. */
export const callMeaning = meanings<"calls">()({
  missing_placeholders: json<readonly string[]>(),
  /** Outcomes after which the campaign calls again. */
  campaign_retries: orNull(words()),
  /** Calling hours of the call, within the agent's. */
  calling_hours: orNull(json<CallingHours>()),
  /** The simulator placed the call; no telephone rang. */
  simulated: flag,
});
export type Call = Meant<typeof callMeaning>;
export type CallSource = Call["source"];
export type CallState = Call["state"];

/** Its parts stay JSON text: a transcript may be long, and most readers need one part. */
export type CallResult = Row<"call_results">;
