// What an event needs to know of a call's media: links are made anew at each attempt.

export interface CallLinks {
  /** Null where there is no recording, or the call was erased meanwhile. */
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
