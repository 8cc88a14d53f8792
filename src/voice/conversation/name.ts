// Asks an unknown caller for a name before searching times, so that the booking carries it. The name is read back and
// counts after a yes. Without a name the caller still gets the appointment; staff ask for it later (worklist/kinds.ts).
import type { Meaning } from "../understanding/meaning.ts";
import { spokenName } from "../understanding/spoken-name.ts";
import { confidenceIn, SURE } from "./confidence.ts";
import { askNext, work, type TalkContext } from "./moves.ts";
import type { TalkMove, TalkState } from "./model.ts";

/** Limit of names read back to one caller. */
const MOST_NAMES = 2;
/** Spotter scores below this are unclear words rather than words of danger; names often score here. */
const UNCLEAR = 0.55;

/** Not for outbound calls or existing appointments, where the name is known, and not without recognition. */
export const needsName = (
  { appointment, isDeaf, wasNameAsked }: TalkState,
  { call: { isOutbound, contactName, byKeys } }: TalkContext,
): boolean => !isOutbound && contactName === null && appointment === null && !byKeys && !isDeaf && !wasNameAsked;

export const isAboutName = ({ question }: TalkState): boolean => question === "name" || question === "name_right";

export const findTimes = (state: TalkState): TalkMove => work(state, { do: "offer", wish: state.wish });

export const withoutName = (state: TalkState): TalkMove =>
  findTimes({ ...state, heardName: null, misunderstandings: 0, silences: 0, isPatient: false });

export const nameAgreed = (state: TalkState): TalkMove => withoutName({ ...state, callerName: state.heardName });

/** The name was misheard: asks once more, then goes on without it. */
export const nameAgain = (state: TalkState, context: TalkContext): TalkMove =>
  state.namesHeard < MOST_NAMES ? askNext({ ...state, heardName: null }, "name", context) : withoutName(state);

export function nameHeard(state: TalkState, { text }: Meaning, context: TalkContext): TalkMove | null {
  const said = spokenName(text);
  if (!said) return null;
  return askNext({ ...state, heardName: said.name, namesHeard: state.namesHeard + 1 }, "name_right", context);
}

/** "No, Asha" corrects the name. Repeating the same name confirms it. */
export function nameCorrected(state: TalkState, meaning: Meaning, context: TalkContext): TalkMove | null {
  const said = spokenName(meaning.text);
  if (!said || (confidenceIn(meaning, "yes") >= SURE && !said.isPlain)) return null;
  if (said.name.toLowerCase() === state.heardName?.toLowerCase()) return nameAgreed(state);
  return state.namesHeard < MOST_NAMES ? nameHeard(state, meaning, context) : withoutName(state);
}

/** Repeats the question once before silence counts. */
export const isNameSilence = (state: TalkState): boolean => isAboutName(state) && state.silences > 0;

/** An unrecognised name does not trigger the danger question on its first attempt; words of danger do. */
export const isUnclearName = ({ question, misunderstandings }: TalkState, meaning: Meaning): boolean =>
  question === "name" && misunderstandings === 0 && confidenceIn(meaning, "alarm_like") < UNCLEAR;
