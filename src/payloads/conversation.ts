// What was said on a call and what came of it, as API and events carry it.
import { Type, type Static } from "@sinclair/typebox";
import { oneOf } from "../core/schema.ts";

export const DISPOSITIONS = [
  "appointment_booked",
  "transferred",
  "not_interested",
  "voicemail",
  "callback_scheduled",
  "ended_by_customer",
  "session_ended",
] as const;

export const SENTIMENTS = ["positive", "neutral", "negative"] as const;

export const CallAnalyticsSchema = Type.Object({
  summary: Type.String({ description: "What came of the call, in two or three sentences." }),
  sentiment: oneOf(SENTIMENTS),
  next_steps: Type.String({ description: "Recommended follow-up." }),
  disposition: oneOf(DISPOSITIONS),
});
export type CallAnalytics = Static<typeof CallAnalyticsSchema>;

export const UtteranceSchema = Type.Object({
  speaker: Type.String({ description: "Usually `agent` or `user`." }),
  text: Type.String(),
  timestamp: Type.Number({ description: "Seconds from the start of the call." }),
});
export type Utterance = Static<typeof UtteranceSchema>;
