// Wording of each question: phrases, keys, expected kind of answer, and the phrase that must have been heard for a yes
// to count.
import type { Phrase } from "./phrase.ts";
import type { Expecting } from "../understanding/meaning.ts";
import type { Phrases } from "./phrases/phrases.ts";
import type { Question, TalkCall, TalkState, Told } from "./model.ts";
import type { SlotOffer } from "../../calendar/desk-port.ts";

export interface Put {
  phrases: readonly Phrase[];
  /**
   * Named after two utterances were not understood, or without recognition. Null if the phrases already name the keys.
   */
  keys: Phrase | null;
  expecting: Expecting;
  /** A yes before this phrase was heard agrees to nothing. */
  mustBeTold: Phrase | null;
}

/** `byKeys`: replaces phrases and keys on keypad calls. Absent if it would be the same. */
type Putting = (state: TalkState, call: TalkCall, phrases: Phrases) => Put & { byKeys?: readonly Phrase[] };

const plain =
  (expecting: Expecting, pick: (phrases: Phrases, call: TalkCall) => Phrase): Putting =>
  (_, call, phrases) => ({
    phrases: [pick(phrases, call)],
    keys: expecting === "yes_no" || expecting === "identity" ? phrases.yesNoKeys : null,
    expecting,
    mustBeTold: null,
  });

/** Identity comes before the purpose. A key pressed before this question is not an answer. */
const identity: Putting = (_, call, phrases) => {
  const byKeys = phrases.identityKeys(call);
  return {
    phrases: [phrases.identity(call)],
    keys: phrases.yesNoKeys,
    byKeys: [byKeys, phrases.furtherKeys(call)],
    expecting: "identity",
    mustBeTold: call.byKeys ? byKeys : null,
  };
};

/** The call's menu; the hospital may have recorded it. */
const menu = (keys: Phrase): Phrase => ({ ...keys, name: "menu", recorded: "menu" });

/** Without a voice, a recording announces the appointment as far as it can. */
const recordedTeller = ({ byKeys, greeting }: TalkCall, recorded: Phrase): Phrase =>
  byKeys?.hasRecordedMenu ? recorded : (greeting ?? recorded);

/** One phrase per offer, so that each is tracked as told separately. */
export const offerPhrase = (call: TalkCall, phrases: Phrases, index: number, count: number, slot: SlotOffer): Phrase =>
  call.byKeys ? phrases.offerByKey(String(index + 1), slot) : phrases.offer(index, count, slot);

const QUESTIONS: Readonly<Record<Question, Putting>> = {
  identity,
  fetch: plain("yes_no", (phrases, call) => phrases.fetch(call)),
  fetching: identity,
  screened: plain("anything", (phrases, call) => phrases.screened(call)),
  attend: ({ appointment }, call, phrases) => {
    const told = appointment && phrases.appointment(appointment);
    const keys = phrases.attendKeys(call);
    const isMute = call.byKeys?.isSpoken === false;
    return {
      phrases: told ? [told, phrases.attend] : [phrases.attend],
      keys,
      byKeys: told && !isMute ? [told, menu(keys)] : [menu(keys)],
      expecting: "yes_no",
      mustBeTold: isMute ? recordedTeller(call, keys) : told,
    };
  },
  book: (_, call, phrases) => ({
    phrases: [phrases.book],
    keys: phrases.bookKeys(call),
    byKeys: [menu(phrases.bookKeys(call))],
    expecting: "yes_no",
    mustBeTold: null,
  }),
  record: (_, _call, phrases) => ({
    phrases: [phrases.mayRecord],
    keys: phrases.yesNoKeys,
    expecting: "yes_no",
    mustBeTold: phrases.mayRecord,
  }),
  consent: (_, { asksConsentFor }, phrases) => {
    const told = asksConsentFor ? phrases.mayCall(asksConsentFor) : null;
    return { phrases: told ? [told] : [], keys: phrases.yesNoKeys, expecting: "yes_no", mustBeTold: told };
  },
  message: (_, call, phrases) => ({
    phrases: [],
    keys: phrases.messageKeys(call),
    byKeys: [menu(phrases.messageKeys(call))],
    expecting: "yes_no",
    mustBeTold: null,
  }),
  change: (_, call, phrases) => ({
    phrases: [phrases.change],
    keys: phrases.changeKeys(call),
    expecting: "yes_no",
    mustBeTold: null,
  }),
  offers: ({ offers }, call, phrases) => {
    const each = offers.map((slot, i) => offerPhrase(call, phrases, i, offers.length, slot));
    return {
      phrases: [...each, phrases.which],
      keys: phrases.whichKeys(offers.length),
      byKeys: [...each, phrases.noneSuits, ...neverAgain(call, phrases)],
      expecting: "choice",
      mustBeTold: null,
    };
  },
  slot: ({ chosen }, _, phrases) => {
    const told = chosen && phrases.slot(chosen);
    return {
      phrases: told ? [told, phrases.slotQuestion] : [phrases.slotQuestion],
      keys: phrases.yesNoKeys,
      expecting: "yes_no",
      mustBeTold: told,
    };
  },
  day: plain("day_or_time", (phrases) => phrases.day),
  cancel: ({ appointment }, _, phrases) => {
    const isPassedOn = appointment?.passedOn?.includes("cancel") ?? false;
    const told = appointment && (isPassedOn ? phrases.requestCancel(appointment) : phrases.cancel(appointment));
    return { phrases: told ? [told] : [], keys: phrases.yesNoKeys, expecting: "yes_no", mustBeTold: told };
  },
  callback: plain("callback_time", (phrases) => phrases.callback),
  callback_time: ({ callback }, _, phrases) => {
    const told = callback && phrases.callbackTime(callback);
    return { phrases: told ? [told] : [], keys: phrases.yesNoKeys, expecting: "yes_no", mustBeTold: told };
  },
  open: plain("anything", (phrases) => phrases.anythingElse),
  wait: plain("yes_no", (phrases) => phrases.wait),
  place: ({ chosen }, _, phrases) => {
    const told = chosen && phrases.place(chosen);
    return {
      phrases: told ? [told, phrases.placeQuestion] : [phrases.placeQuestion],
      keys: phrases.yesNoKeys,
      expecting: "yes_no",
      mustBeTold: told,
    };
  },
  stay: plain("yes_no", (phrases) => phrases.stay),
  name: ({ namesHeard }, _, phrases) => ({
    phrases: [namesHeard === 0 ? phrases.name : phrases.nameAgain],
    keys: null,
    expecting: "name",
    mustBeTold: null,
  }),
  name_right: ({ heardName }, _, phrases) => ({
    phrases: heardName === null ? [] : [phrases.nameRight(heardName)],
    keys: phrases.yesNoKeys,
    expecting: "yes_no",
    mustBeTold: null,
  }),
  opt_out: plain("yes_no", (phrases) => phrases.optOut),
  danger: plain("yes_no", (phrases) => phrases.danger),
  doubt: ({ doubted }, _, phrases) => ({
    phrases: doubted ? [phrases.doubt(doubted.intent)] : [],
    keys: phrases.yesNoKeys,
    expecting: "yes_no",
    mustBeTold: null,
  }),
};

/** Repeats a question after an interruption. Skips parts already heard, except what a yes agrees to. */
export function putAgain(state: TalkState, { call, phrases, told }: PutContext): readonly Phrase[] {
  const { question, appointment, offers } = state;
  if (question === "attend" && appointment && told.isTold(phrases.appointment(appointment))) return [phrases.attend];
  const wereOffersTold = offers.every((slot, i) => told.isTold(offerPhrase(call, phrases, i, offers.length, slot)));
  if (question === "offers" && wereOffersTold) return [phrases.which];
  return putQuestion(state, call, phrases).phrases;
}

interface PutContext {
  call: TalkCall;
  phrases: Phrases;
  told: Told;
}

export function putQuestion(state: TalkState, call: TalkCall, phrases: Phrases): Put {
  const { byKeys, ...put } = QUESTIONS[state.question](state, call, phrases);
  if (!call.byKeys) return put;
  const isShort = SHORT.includes(state.question);
  const both = [...put.phrases, ...(put.keys ? [put.keys] : []), ...(isShort ? [] : neverAgain(call, phrases))];
  return { ...put, phrases: byKeys ?? both, keys: null };
}

/** Questions without an opt-out key, so that they stay short. */
const SHORT: readonly Question[] = ["danger", "opt_out", "record"];

/** Every outbound menu names the opt-out key. Inbound callers may use another person's phone. */
const neverAgain = ({ isOutbound }: TalkCall, { neverAgainKey }: Phrases): Phrase[] =>
  isOutbound ? [neverAgainKey] : [];
