// The name of a caller who is not known: asked for before times are looked for, so that what is booked carries it. It
// is read back, and counts with a yes. A name that cannot be had costs no caller the appointment: the hospital asks for
// it afterwards (worklist/kinds.ts).
import type { Meaning } from "../understanding/meaning.ts";
import { spokenName } from "../understanding/spoken-name.ts";
import { confidenceIn, SURE } from "./confidence.ts";
import { askNext, work, type TalkContext } from "./moves.ts";
import type { TalkMove, TalkState } from "./model.ts";

/** Names that are read back to one caller. */
const MOST_NAMES = 2;
/** Of what is no word of danger, only unclear: names are, more often than anything else. */
const UNCLEAR = 0.55;

/** Who is called by us is known, and so is whose appointment it is. Who cannot be heard is not asked. */
export const needsName = (
  { appointment, isDeaf, wasNameAsked }: TalkState,
  { call: { isOutbound, contactName, byKeys } }: TalkContext,
): boolean => !isOutbound && contactName === null && appointment === null && !byKeys && !isDeaf && !wasNameAsked;

export const isAboutName = ({ question }: TalkState): boolean => question === "name" || question === "name_right";

export const findTimes = (state: TalkState): TalkMove => work(state, { do: "offer", wish: state.wish });

export const withoutName = (state: TalkState): TalkMove =>
  findTimes({ ...state, heardName: null, misunderstandings: 0, silences: 0, isPatient: false });

export const nameAgreed = (state: TalkState): TalkMove => withoutName({ ...state, callerName: state.heardName });

/** It was misheard: once more, and then no more. */
export const nameAgain = (state: TalkState, context: TalkContext): TalkMove =>
  state.namesHeard < MOST_NAMES ? askNext({ ...state, heardName: null }, "name", context) : withoutName(state);

export function nameHeard(state: TalkState, { text }: Meaning, context: TalkContext): TalkMove | null {
  const said = spokenName(text);
  if (!said) return null;
  return askNext({ ...state, heardName: said.name, namesHeard: state.namesHeard + 1 }, "name_right", context);
}

/** "No, Asha": the next name. The same name once more is a yes. */
export function nameCorrected(state: TalkState, meaning: Meaning, context: TalkContext): TalkMove | null {
  const said = spokenName(meaning.text);
  if (!said || (confidenceIn(meaning, "yes") >= SURE && !said.isPlain)) return null;
  if (said.name.toLowerCase() === state.heardName?.toLowerCase()) return nameAgreed(state);
  return state.namesHeard < MOST_NAMES ? nameHeard(state, meaning, context) : withoutName(state);
}

/** Asked again once before anybody looks silent. */
export const isNameSilence = (state: TalkState): boolean => isAboutName(state) && state.silences > 0;

/** A name that is not understood at once leads to no question about danger; words of danger do. */
export const isUnclearName = ({ question, misunderstandings }: TalkState, meaning: Meaning): boolean =>
  question === "name" && misunderstandings === 0 && confidenceIn(meaning, "alarm_like") < UNCLEAR;
