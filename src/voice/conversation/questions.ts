// How each question is put: its words, its keys, what kind of answer is expected, and what must have been told for a yes to count.
import type { SpokenLine } from "../keypad/words.ts";
import type { Expecting } from "../understanding/meaning.ts";
import type { Lines } from "./lines/lines.ts";
import type { Question, TalkCall, TalkState, Told } from "./model.ts";

export interface Put {
  lines: readonly SpokenLine[];
  /** Said too once the callee was not understood twice, or cannot be heard. Null where the words name them already. */
  keys: SpokenLine | null;
  expecting: Expecting;
  /** A yes that came before these words agrees to nothing. */
  mustBeTold: SpokenLine | null;
}

type Putting = (state: TalkState, call: TalkCall, lines: Lines) => Put;

const plain =
  (expecting: Expecting, pick: (lines: Lines, call: TalkCall) => SpokenLine): Putting =>
  (_, call, lines) => ({
    lines: [pick(lines, call)],
    keys: expecting === "yes_no" || expecting === "identity" ? lines.yesNoKeys : null,
    expecting,
    mustBeTold: null,
  });

const QUESTIONS: Readonly<Record<Question, Putting>> = {
  identity: plain("identity", (lines, call) => lines.identity(call)),
  fetch: plain("yes_no", (lines, call) => lines.fetch(call)),
  fetching: plain("identity", (lines, call) => lines.identity(call)),
  screened: plain("anything", (lines, call) => lines.screened(call)),
  attend: ({ appointment }, call, lines) => {
    const told = appointment && lines.appointment(appointment);
    return {
      lines: told ? [told, lines.attend] : [lines.attend],
      keys: lines.attendKeys(call),
      expecting: "yes_no",
      mustBeTold: told,
    };
  },
  book: (_, call, lines) => ({
    lines: [lines.book],
    keys: lines.bookKeys(call),
    expecting: "yes_no",
    mustBeTold: null,
  }),
  change: (_, call, lines) => ({
    lines: [lines.change],
    keys: lines.changeKeys(call),
    expecting: "yes_no",
    mustBeTold: null,
  }),
  offers: ({ offers }, _, lines) => ({
    lines: [...offers.map((slot, i) => lines.offer(i, offers.length, slot)), lines.which],
    keys: lines.whichKeys(offers.length),
    expecting: "choice",
    mustBeTold: null,
  }),
  slot: ({ chosen }, _, lines) => {
    const told = chosen && lines.slot(chosen);
    return {
      lines: told ? [told, lines.slotQuestion] : [lines.slotQuestion],
      keys: lines.yesNoKeys,
      expecting: "yes_no",
      mustBeTold: told,
    };
  },
  day: plain("day_or_time", (lines) => lines.day),
  cancel: ({ appointment }, _, lines) => {
    const told = appointment && lines.cancel(appointment);
    return { lines: told ? [told] : [], keys: lines.yesNoKeys, expecting: "yes_no", mustBeTold: told };
  },
  callback: plain("callback_time", (lines) => lines.callback),
  callback_time: ({ callback }, _, lines) => {
    const told = callback && lines.callbackTime(callback);
    return { lines: told ? [told] : [], keys: lines.yesNoKeys, expecting: "yes_no", mustBeTold: told };
  },
  open: plain("anything", (lines) => lines.anythingElse),
  wait: plain("yes_no", (lines) => lines.wait),
  place: ({ chosen }, _, lines) => {
    const told = chosen && lines.place(chosen);
    return {
      lines: told ? [told, lines.placeQuestion] : [lines.placeQuestion],
      keys: lines.yesNoKeys,
      expecting: "yes_no",
      mustBeTold: told,
    };
  },
  stay: plain("yes_no", (lines) => lines.stay),
  name: ({ namesHeard }, _, lines) => ({
    lines: [namesHeard === 0 ? lines.name : lines.nameAgain],
    keys: null,
    expecting: "name",
    mustBeTold: null,
  }),
  name_right: ({ heardName }, _, lines) => ({
    lines: heardName === null ? [] : [lines.nameRight(heardName)],
    keys: lines.yesNoKeys,
    expecting: "yes_no",
    mustBeTold: null,
  }),
  opt_out: plain("yes_no", (lines) => lines.optOut),
  danger: plain("yes_no", (lines) => lines.danger),
  doubt: ({ doubted }, _, lines) => ({
    lines: doubted ? [lines.doubt(doubted.intent)] : [],
    keys: lines.yesNoKeys,
    expecting: "yes_no",
    mustBeTold: null,
  }),
};

/** Asked once more after something else was said: what was told already is not told again, but for what a yes agrees to. */
export function putAgain(state: TalkState, { call, lines, told }: PutContext): readonly SpokenLine[] {
  const { question, appointment, offers } = state;
  if (question === "attend" && appointment && told.isTold(lines.appointment(appointment))) return [lines.attend];
  const wereOffersTold = offers.every((slot, i) => told.isTold(lines.offer(i, offers.length, slot)));
  if (question === "offers" && wereOffersTold) return [lines.which];
  return putQuestion(state, call, lines).lines;
}

interface PutContext {
  call: TalkCall;
  lines: Lines;
  told: Told;
}

export function putQuestion(state: TalkState, call: TalkCall, lines: Lines): Put {
  return QUESTIONS[state.question](state, call, lines);
}
