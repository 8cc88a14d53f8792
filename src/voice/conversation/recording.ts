// The callee's say in the recording: the answer to "May we record this call?", and the wish to stop it at any time.
import type { Meaning } from "../understanding/meaning.ts";
import { LIKELY, SURE, confidenceIn, isHedgedYes } from "./confidence.ts";
import { NO_KEY, STOP_RECORDING_KEY, YES_KEY } from "./keys.ts";
import { ask, type TalkContext } from "./moves.ts";
import type { TalkCall, TalkEvent, TalkMove, TalkState } from "./model.ts";
import { begin } from "./opening.ts";
import type { Phrase } from "./phrase.ts";

/** Words after the question. A clear yes alone is consent; without a clear answer the call goes on unrecorded. */
export function recordAnswer(state: TalkState, meaning: Meaning, context: TalkContext): TalkMove {
  if (confidenceIn(meaning, "stop_recording") >= LIKELY) return refused(state, context);
  if (!context.told.isTold(context.phrases.mayRecord)) return askAgain(state, context);
  if (confidenceIn(meaning, "no") >= LIKELY) return refused(state, context);
  const isYes = confidenceIn(meaning, "yes") >= SURE && !isHedgedYes(meaning);
  return isYes ? given(state, context) : begin(state, context);
}

export function recordKey(state: TalkState, key: string, context: TalkContext): TalkMove | null {
  if (key === NO_KEY) return refused(state, context);
  if (key !== YES_KEY) return null;
  return context.told.isTold(context.phrases.mayRecord) ? given(state, context) : askAgain(state, context);
}

const given = (state: TalkState, context: TalkContext): TalkMove =>
  begin({ ...state, recordingConsent: "given" }, context, context.phrases.recordingOn, ...keyOf(context));
const refused = (state: TalkState, context: TalkContext): TalkMove =>
  begin({ ...state, recordingConsent: "refused" }, context, context.phrases.notRecorded);

const keyOf = ({ call, phrases }: TalkContext) => (call.byKeys ? [phrases.stopRecordingKey] : []);

/** The key means the same as the words. */
export const STOP_RECORDING: Meaning = {
  text: STOP_RECORDING_KEY,
  intents: [{ intent: "stop_recording", confidence: 1 }],
  choice: null,
  moment: null,
};

/** The question was not heard yet. A callee who speaks over it each time goes on unrecorded. */
function askAgain(state: TalkState, context: TalkContext): TalkMove {
  const again = ask(state, "record", context);
  return again.state.question === "record" && again.state.stage === "asking" ? again : begin(state, context);
}

const mayBeOn = ({ recordingConsent }: TalkState, { recording }: TalkCall): boolean =>
  recording === "announce" ? recordingConsent === null : recording === "ask" && recordingConsent === "given";

/** The wish to stop the recording counts at once, in every state. */
export function withdrawn(state: TalkState, event: TalkEvent, { call }: TalkContext): TalkState {
  const isWished =
    event.type === "key"
      ? event.key === STOP_RECORDING_KEY
      : event.type === "heard" && confidenceIn(event.meaning, "stop_recording") >= LIKELY;
  return isWished && mayBeOn(state, call) ? { ...state, recordingConsent: "withdrawn" } : state;
}

/** Confirms the wish; null if the agent does not control the recording. */
export function recordingPhrase({ recordingConsent }: TalkState, { call, phrases }: TalkContext): Phrase | null {
  if (!call.recording) return null;
  return recordingConsent === "withdrawn" ? phrases.recordingStopped : phrases.notRecorded;
}
