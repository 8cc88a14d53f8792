// Agents, their numbers, recorded phrases and model servers, as every room above sees them.
import { flag, json, meanings, orNull, words, type Meant } from "../db/meaning.ts";
import type { Row } from "../db/tables.ts";
import type { AnalysisField } from "../payloads/analysis-field.ts";
import type { ApprovedAnswer } from "../payloads/approved-answer.ts";
import type { CallingHours } from "./calling-hours.ts";

export const agentMeaning = meanings<"agents">()({
  retry_outcomes: words(),
  /** Null where a call may go out at any time. */
  calling_hours: orNull(json<CallingHours>()),
  analysis_fields: json<readonly AnalysisField[]>(),
  approved_answers: json<readonly ApprovedAnswer[]>(),
  /** What a call is about may be told before they have said who they are. */
  open_announcements: flag,
});
export type Agent = Meant<typeof agentMeaning>;

/** No languages: every language. */
export const modelServerMeaning = meanings<"model_servers">()({ languages: words(), is_default: flag });
export type ModelServer = Meant<typeof modelServerMeaning>;

export type PhoneNumber = Row<"phone_numbers">;
/** A number to call from. The trunk may show another one instead. */
export type CallingNumber = PhoneNumber & { trunk_caller_id: Row<"trunks">["caller_id"] };

/** Outdated: a menu that was recorded before key 9 meant "do not call me again". */
export const phraseMeaning = meanings<"agent_prompts">()({ is_outdated: flag });
export type RecordedPhrase = Meant<typeof phraseMeaning>;
