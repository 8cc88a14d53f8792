// How each question is put: its words, its keys, what kind of answer is expected, and what must have been told for a
// yes to count.
import type { SpokenLine } from "./lines/spoken-line.ts";
import type { Expecting } from "../understanding/meaning.ts";
import type { Lines } from "./lines/lines.ts";
import type { Question, TalkCall, TalkState, Told } from "./model.ts";
import type { SlotOffer } from "../port.ts";

export interface Put {
  lines: readonly SpokenLine[];
  /** Said too once the callee was not understood twice, or cannot be heard. Null where the words name them already. */
  keys: SpokenLine | null;
  expecting: Expecting;
  /** A yes that came before these words agrees to nothing. */
  mustBeTold: SpokenLine | null;
}

/** `byKeys`: said in place of lines and keys where nobody listens. Left out where it would be the same. */
type Putting = (state: TalkState, call: TalkCall, lines: Lines) => Put & { byKeys?: readonly SpokenLine[] };

const plain =
  (expecting: Expecting, pick: (lines: Lines, call: TalkCall) => SpokenLine): Putting =>
  (_, call, lines) => ({
    lines: [pick(lines, call)],
    keys: expecting === "yes_no" || expecting === "identity" ? lines.yesNoKeys : null,
    expecting,
    mustBeTold: null,
  });

/** Nothing of what the call is about comes before a yes, and a key that was pressed before the question is none. */
const identity: Putting = (_, call, lines) => {
  const byKeys = lines.identityKeys(call);
  return {
    lines: [lines.identity(call)],
    keys: lines.yesNoKeys,
    byKeys: [byKeys, lines.furtherKeys(call)],
    expecting: "identity",
    mustBeTold: call.byKeys ? byKeys : null,
  };
};

/** What the keys of a call lead to, as the hospital may have recorded it. */
const menu = (keys: SpokenLine): SpokenLine => ({ ...keys, name: "menu", recorded: "menu" });

/** Where there is no voice, recordings tell of the appointment as well as they can. */
const recordedTeller = ({ byKeys, greeting }: TalkCall, recorded: SpokenLine): SpokenLine =>
  byKeys?.hasRecordedMenu ? recorded : greeting;

/** One for each, so that what was told is known one by one. */
export const offerLine = (call: TalkCall, lines: Lines, index: number, count: number, slot: SlotOffer): SpokenLine =>
  call.byKeys ? lines.offerByKey(String(index + 1), slot) : lines.offer(index, count, slot);

const QUESTIONS: Readonly<Record<Question, Putting>> = {
  identity,
  fetch: plain("yes_no", (lines, call) => lines.fetch(call)),
  fetching: identity,
  screened: plain("anything", (lines, call) => lines.screened(call)),
  attend: ({ appointment }, call, lines) => {
    const told = appointment && lines.appointment(appointment);
    const keys = lines.attendKeys(call);
    const isMute = call.byKeys?.isSpoken === false;
    return {
      lines: told ? [told, lines.attend] : [lines.attend],
      keys,
      byKeys: told && !isMute ? [told, menu(keys)] : [menu(keys)],
      expecting: "yes_no",
      mustBeTold: isMute ? recordedTeller(call, keys) : told,
    };
  },
  book: (_, call, lines) => ({
    lines: [lines.book],
    keys: lines.bookKeys(call),
    byKeys: [menu(lines.bookKeys(call))],
    expecting: "yes_no",
    mustBeTold: null,
  }),
  message: (_, call, lines) => ({
    lines: [],
    keys: lines.messageKeys(call),
    byKeys: [menu(lines.messageKeys(call))],
    expecting: "yes_no",
    mustBeTold: null,
  }),
  change: (_, call, lines) => ({
    lines: [lines.change],
    keys: lines.changeKeys(call),
    expecting: "yes_no",
    mustBeTold: null,
  }),
  offers: ({ offers }, call, lines) => {
    const each = offers.map((slot, i) => offerLine(call, lines, i, offers.length, slot));
    return {
      lines: [...each, lines.which],
      keys: lines.whichKeys(offers.length),
      byKeys: [...each, lines.noneSuits, ...neverAgain(call, lines)],
      expecting: "choice",
      mustBeTold: null,
    };
  },
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

/**
 * Asked once more after something else was said: what was told already is not told again, but for what a yes agrees to.
 */
export function putAgain(state: TalkState, { call, lines, told }: PutContext): readonly SpokenLine[] {
  const { question, appointment, offers } = state;
  if (question === "attend" && appointment && told.isTold(lines.appointment(appointment))) return [lines.attend];
  const wereOffersTold = offers.every((slot, i) => told.isTold(offerLine(call, lines, i, offers.length, slot)));
  if (question === "offers" && wereOffersTold) return [lines.which];
  return putQuestion(state, call, lines).lines;
}

interface PutContext {
  call: TalkCall;
  lines: Lines;
  told: Told;
}

export function putQuestion(state: TalkState, call: TalkCall, lines: Lines): Put {
  const { byKeys, ...put } = QUESTIONS[state.question](state, call, lines);
  if (!call.byKeys) return put;
  const isShort = SHORT.includes(state.question);
  const both = [...put.lines, ...(put.keys ? [put.keys] : []), ...(isShort ? [] : neverAgain(call, lines))];
  return { ...put, lines: byKeys ?? both, keys: null };
}

/** Nothing else is to be thought about. */
const SHORT: readonly Question[] = ["danger", "opt_out"];

/** Every menu names it. Who called us may call from anybody's number. */
const neverAgain = ({ isOutbound }: TalkCall, { neverAgainKey }: Lines): SpokenLine[] =>
  isOutbound ? [neverAgainKey] : [];
