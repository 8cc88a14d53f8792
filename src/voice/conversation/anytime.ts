// Intents that are valid at any point of the call: who is this, a person please, not now, do not call again, help.
import type { Intent, Meaning } from "../understanding/meaning.ts";
import { callbackFrom } from "./callback.ts";
import { LIKELY, SURE, confidenceIn } from "./confidence.ts";
import { ask, askNext, leaveMessage, listen, tell, transferTo, type TalkContext } from "./moves.ts";
import { askDanger, inDanger, isSuspicious } from "./danger.ts";
import type { TalkMove, TalkState } from "./model.ts";
import { isUnclearName } from "./name.ts";
import { canOptOut, optOut } from "./caller-opt-out.ts";
import { requestedNotices, whoIsCalling } from "./notices.ts";
import type { Phrase } from "./phrase.ts";
import { recordingPhrase } from "./recording.ts";
import { declinePlace } from "./waiting.ts";

type Reply = (state: TalkState, meaning: Meaning, context: TalkContext) => TalkMove | null;

/** `isGrave`: the intent ends the call's business, so the agent asks for confirmation when confidence is low. */
interface Anytime {
  intent: Intent;
  isGrave: boolean;
  reply: Reply;
}

const ANSWERS: readonly Intent[] = ["no", "another_time", "cancel_appointment"];
const isAnswered = (meaning: Meaning): boolean =>
  meaning.choice !== null ||
  meaning.moment !== null ||
  ANSWERS.some((intent) => confidenceIn(meaning, intent) >= LIKELY);

const isAlone = ({ isContact }: TalkState) => isContact === true;

const toPerson = (state: TalkState, context: TalkContext): TalkMove => {
  const { call, phrases } = context;
  return transferTo(state, context, "none", call.canTransfer ? phrases.transfer : phrases.nobodyToTransferTo);
};

/** Priority order: the first match wins. */
const ANYTIME: readonly Anytime[] = [
  {
    // Acts even on low confidence: an unnecessary transfer is better than a missed emergency.
    intent: "emergency",
    isGrave: false,
    reply: (state, _, context) => inDanger(state, context),
  },
  {
    intent: "alarm_like",
    isGrave: false,
    reply: (state, meaning, context) =>
      isSuspicious(state, meaning) && !isUnclearName(state, meaning) ? askDanger(state, context, meaning) : null,
  },
  {
    intent: "machine",
    isGrave: false,
    // After the contact has spoken, a machine greeting is background audio such as a radio.
    reply: (state, _, context) => (context.call.isOutbound && !isAlone(state) ? leaveMessage(state, context) : null),
  },
  {
    intent: "screening",
    isGrave: false,
    reply: (state, _, context) =>
      isAlone(state) ? null : ask({ ...state, isPatient: true, silences: 0 }, "screened", context),
  },
  {
    intent: "do_not_call",
    isGrave: true,
    reply: (state, _, context) => (canOptOut(context.call) ? optOut(state, context) : toPerson(state, context)),
  },
  {
    intent: "stop_recording",
    isGrave: false,
    reply(state, _, context) {
      const confirmed = state.question === "record" ? null : recordingPhrase(state, context);
      return confirmed && answer(state, context, [confirmed]);
    },
  },
  {
    // When an appointment exists, this is treated as no.
    intent: "not_interested",
    isGrave: true,
    reply: (state, _, context) => {
      if (state.appointment || state.question === "consent") return null;
      // Unclear whether they decline this place or the waiting list altogether.
      if (context.call.hasPlace && (state.isContact || context.call.announcesOpenly))
        return state.question === "stay" ? declinePlace(state, false) : askNext(state, "stay", context);
      return tell(state, "declined", context, context.phrases.declined);
    },
  },
  {
    intent: "wrong_number",
    isGrave: true,
    reply: (state, _, context) =>
      isAlone(state)
        ? null
        : tell({ ...state, isContact: false }, "wrong_number", context, context.phrases.wrongNumber),
  },
  {
    intent: "person",
    isGrave: true,
    reply: (state, _, context) => toPerson(state, context),
  },
  {
    intent: "call_later",
    isGrave: false,
    reply: (state, meaning, context) => {
      const isElse = state.question === "callback" || state.question === "consent";
      if (!context.call.isOutbound || isElse) return null;
      const callback = callbackFrom(meaning.moment, context.now);
      return callback
        ? askNext({ ...state, callback }, "callback_time", context)
        : askNext(state, "callback", context, context.phrases.ofCourse);
    },
  },
  {
    intent: "hold_on",
    isGrave: false,
    // "Wait, I cannot come on Friday" already contains the answer.
    reply: (state, meaning, context) => {
      if (state.question === "fetch" || isAnswered(meaning)) return null;
      const patient = { ...state, isPatient: true, silences: 0 };
      const { action } = listen(patient, context);
      return action?.do === "listen"
        ? {
            state: { ...patient, stage: "asking", lead: [] },
            action: {
              do: "say",
              phrases: [context.phrases.takeYourTime],
              expecting: action.expecting,
            },
          }
        : null;
    },
  },
  {
    intent: "repeat",
    isGrave: false,
    reply: (state, _, context) => ask(state, state.question, context, ...state.lead),
  },
  {
    intent: "slower",
    isGrave: false,
    reply: (state, _, context) => ask({ ...state, isSlow: true }, state.question, context, context.phrases.ofCourse),
  },
  {
    intent: "louder",
    isGrave: false,
    reply: (state, _, context) => ask({ ...state, isLoud: true }, state.question, context, context.phrases.ofCourse),
  },
  {
    intent: "who_is_this",
    isGrave: false,
    reply: (state, _, context) => answer(state, context, whoIsCalling(context)),
  },
  { intent: "callback_number", isGrave: false, reply: answerNotice },
  { intent: "how_to_stop", isGrave: false, reply: answerNotice },
  {
    intent: "what_is_it_about",
    isGrave: false,
    reply: (state, _, context) => ask(state, state.question, context, purposePhrase(state, context)),
  },
];

/** Answers, then puts the question again. The answer is also given where the question was put too often. */
function answer(state: TalkState, context: TalkContext, phrases: readonly Phrase[]): TalkMove {
  const move = ask(state, state.question, context, ...phrases);
  const { action } = move;
  if (action?.do !== "say" || phrases.every((each) => action.phrases.includes(each))) return move;
  return { ...move, action: { ...action, phrases: [...phrases, ...action.phrases] } };
}

/** Null if the call has no such notice. */
function answerNotice(state: TalkState, meaning: Meaning, context: TalkContext): TalkMove | null {
  const requested = requestedNotices(meaning, context);
  return requested.length === 0 ? null : answer(state, context, requested);
}

function purposePhrase(state: TalkState, { call, phrases }: TalkContext) {
  if (!isAlone(state)) return phrases.isPersonal(call);
  if (state.appointment) return phrases.purposeOfAppointment;
  return call.canBook ? phrases.purposeOfBooking : phrases.purposeUnknown;
}

/** Null if no such intent was recognised, or if it has no meaning in this state. */
export function anytimeReply(state: TalkState, meaning: Meaning, context: TalkContext): TalkMove | null {
  for (const { intent, isGrave, reply } of ANYTIME) {
    const confidence = confidenceIn(meaning, intent);
    if (confidence < LIKELY) continue;
    // Inbound, the reply to this intent is itself a question.
    const asksItself = intent === "do_not_call" && !context.call.isOutbound;
    if (isGrave && confidence < SURE && !asksItself) {
      const before = state.question === "doubt" ? (state.doubted?.before ?? "identity") : state.question;
      return askNext({ ...state, doubted: { intent, before } }, "doubt", context);
    }
    const move = reply(state, meaning, context);
    if (move) return move;
  }
  return null;
}
