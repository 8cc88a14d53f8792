// Port: media links of a call, signed anew for each attempt.

export interface CallLinks {
  /** Null if there is no recording, or if the call was erased. */
  recording: string | null;
  transcript: string | null;
  detailsUrl: string | null;
  shareToken: string | null;
}

export type LinksOf = (event: {
  organisationId: string;
  callId: string;
  hasRecording: boolean;
  hasTranscript: boolean;
}) => Promise<CallLinks>;
