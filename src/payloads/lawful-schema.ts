// Schemas of the notices and the recording of a call in the API and events.
import { Type, type Static } from "@sinclair/typebox";
import { nullable, oneOf } from "../core/schema.ts";
import { NOTICE_KINDS, RECORDING_MODES, type NoticeHeard, type RecordingReport } from "./lawful.ts";

export const RECORDING_CONSENTS = ["given", "refused", "withdrawn"] as const;

export const NoticeSchema = Type.Object({
  kind: oneOf(NOTICE_KINDS),
  heard_at: nullable(
    Type.Number({ description: "Seconds from the answer to the end of the notice; null if it was cut off." }),
  ),
});
export type NoticeView = Static<typeof NoticeSchema>;

export const RecordingSchema = Type.Object({
  mode: oneOf(RECORDING_MODES, { description: "`off`, `announce` or `ask`, as decided for this call." }),
  consent: nullable(
    oneOf(RECORDING_CONSENTS, { description: "The callee's answer; null if they were not asked or did not answer." }),
  ),
  from: nullable(Type.Number({ description: "Seconds from the answer to the first recorded sound." })),
  until: nullable(Type.Number({ description: "Seconds from the answer to the end, where the callee ended it." })),
});
export type RecordingView = Static<typeof RecordingSchema>;

export const NOTICES_FIELD = nullable(
  Type.Array(NoticeSchema, {
    description: "Notices played on the call, in their order. Null if the call was not answered, or if it is unknown.",
  }),
);
export const RECORDING_FIELD = nullable(
  Type.Object(RecordingSchema.properties, {
    description: "What came of the recording. Null if the call was not answered, or if it is unknown.",
  }),
);

export const noticesView = (notices: readonly NoticeHeard[] | null): NoticeView[] | null =>
  notices?.map(({ kind, heardAt }) => ({ kind, heard_at: heardAt })) ?? null;

/** Copies the fields of the contract, whatever else a report holds. */
export const recordingView = (report: RecordingReport | null): RecordingView | null =>
  report && { mode: report.mode, consent: report.consent, from: report.from, until: report.until };
