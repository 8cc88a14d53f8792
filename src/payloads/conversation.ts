// Schemas of a call's transcript and results in the API and events.
import { Type, type Static } from "@sinclair/typebox";
import { nullable, oneOf } from "../core/schema.ts";
import { NoticeSchema } from "./lawful-schema.ts";

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

/** The source: `rules` know the actions on the call, `model` is a language model that read the transcript. */
const SOURCES = ["rules", "model"] as const;

export const AnalysisSourceSchema = Type.Object(
  {
    summary: oneOf(SOURCES, { description: "`model`: at least one of its sentences is a language model's." }),
    sentiment: oneOf(SOURCES),
    next_steps: oneOf(SOURCES),
    disposition: oneOf(SOURCES),
    details: Type.Record(
      Type.String(),
      Type.Object({
        source: oneOf(SOURCES),
        utterance: nullable(
          Type.Integer({ description: "Index in call_transcript of what the callee said; null for rules." }),
        ),
      }),
      { description: "For each key of extracted_details." },
    ),
  },
  { description: "Who says what stands in call_analytics and extracted_details: the rules or a language model." },
);
export type AnalysisSource = Static<typeof AnalysisSourceSchema>;

export const UtteranceSchema = Type.Object({
  speaker: Type.String({ description: "Usually `agent` or `user`." }),
  text: Type.String(),
  timestamp: Type.Number({ description: "Seconds from the start of the call." }),
  notices: Type.Optional(
    Type.Array(NoticeSchema, { description: "Notices in this line. Absent if it contains none." }),
  ),
});
export type Utterance = Static<typeof UtteranceSchema>;
