// Identity patterns in English: who is on the line, and whom they believe to be calling.
import type { IntentRule } from "../language.ts";
import { patterns } from "../patterns.ts";
import { WORD_LISTS } from "./word-lists.ts";

const lists = {
  ...WORD_LISTS,
  /** Words after "I am not" and "this is not" that are not names. */
  common:
    "sure|well|coming|able|available|free|interested|going|happy|ready|in|at|feeling|getting|sick|home|here|there|that|the|a|an|" +
    "hearing|understanding|doing|being|too|so|very|really|alone|okay|fine|to|on|with|from|certain|allowed|his|her|my|your|" +
    "supposed|comfortable|good|right|correct|possible|working|convenient|it|what|why|true|funny|for|an|clear|who|how|about",
};
const says = (...sources: string[]) => patterns(sources, { lists });

/** Questions in which identity is expected. */
const WHO_WAS_ASKED = ["identity", "anything"] as const;

const WRONG_NUMBER: IntentRule = {
  says: says(
    "(wrong|incorrect|different) (number|phone number|phone|house|family|home|call|contact)",
    "wrongly (dialled|dialed|called)",
    "(dialled|dialed|called|rung) (wrongly|by mistake)",
    "(misdialled|misdialed)",
    "(nobody|no one|no body|no such person|no person|no such name|no such patient) ... (here|name|called|named|lives|house|number)",
    "(nobody|no one) (by|of|called|named|with|like) ...",
    "no such (person|name|patient|one|man|woman|lady)",
    "there is (no|not any|not a) ... (here|name|called|named)",
    "(does|do) not (live|stay|work|reside) (here|at this)",
    "no longer (lives|stays|works|uses) (here|this)",
    "(never|not) heard of (him|her|them|that|this|any|such)",
    "do not know (any|anyone|anybody|any one|who that is|him|her|them|that name|this name|that person|this person|such|whom) ...",
    "not (his|her|their|that person|this person) ... (number|phone)",
    "not ... number anymore",
    "(his|her|their|the|my) number (has)? (been)? changed",
    "(has|have)? changed (his|her|their) number",
  ),
  means: { wrong_number: 0.95 },
};

/** Recogniser output for "the wrong number" on a bad line; the agent asks for confirmation. */
const LIKE_WRONG_NUMBER: IntentRule = {
  says: says("(have|got|dialled|dialed|called) (their|the|a) (own|long|run|wrung|ron|lone) number"),
  means: { wrong_number: 0.6 },
};

const RELATIVE: readonly IntentRule[] = [
  {
    says: says(
      "(he|she|they|my {relative}) (has|have|is|are)? (passed away|died|dead|expired|no more|deceased|passed on)",
    ),
    means: { not_that_person: 0.95, child_or_relative: 0.7 },
    asked: WHO_WAS_ASKED,
  },
  {
    says: says(
      "(i am|this is|am|it is|speaking with|speaking to|talking to|talking with) (his|her|their|the patient) (elder|younger|older|eldest|only|house)? {relative}",
      "(his|her|their) (elder|younger|older)? {relative} (speaking|here|this side|talking|on the line)",
      "(he|she) is my {relative}",
      "(i am|this is|it is) {!common} s? {relative}",
      "(speaking|answering|talking|calling|i answer|i speak) (for|on behalf of) (my|him|her|them)",
      "on behalf of (my|him|her|them)",
      "i (look after|take care of|care for|am taking care of|am looking after) (him|her|them|my)",
    ),
    means: { child_or_relative: 0.95 },
  },
  {
    says: says(
      "my {relative} (is|has|can not|does not|did not|went|was|will) ...",
      "(mummy|mommy|mama|papa|daddy|mum|mom|dad|grandma|grandpa|granny) (is|has|went|will|said) ...",
      "do you want (to talk to|to speak to|to speak with|to talk with|me to get|me to call)? (my {relative}|mummy|mommy|papa|daddy|him|her)",
      "it is my {relative}",
      "(that is|you want|you mean) my {relative}",
      "my {relative} (phone|number|appointment|mobile)",
    ),
    means: { child_or_relative: 0.85 },
    asked: WHO_WAS_ASKED,
  },
  {
    says: says(
      "(phone|call|telephone) (is)? for you",
      "(let me|i will|i shall|i can) (call|get|give|fetch|bring|pass|hand|put) ... (him|her|my {relative}|phone to|phone over)",
    ),
    means: { hold_on: 0.85, child_or_relative: 0.7 },
    asked: WHO_WAS_ASKED,
  },
];

const ANOTHER_PERSON: readonly IntentRule[] = [
  {
    says: says(
      "wrong person",
      "(this is|i am|it is|am) (a different|another) person",
      "(this|that|it) is not (me|him|her|he|she|that person|mr|mrs|miss|ms|doctor|dr) (here|speaking)?",
      "(speaking|talking) (to|with) (someone|somebody|some one) else",
      "(someone|somebody) else (speaking|here|this side|on the line|has this number)",
      "i am not (him|her|he|she|that person|the person|that one|this person|mr|mrs|miss|ms|dr|the one|the patient)",
      "i am (someone|somebody) else",
      "^(no)? not me$",
      "not (him|her|he|she) (speaking|here)",
      "you (want|are looking for|need) (someone|somebody|another) ...",
    ),
    means: { not_that_person: 0.95 },
  },
  {
    says: says(
      "(he|she|they) (is|are|was) not (here|home|at home|in|around|available|in the house|with me|present|there|in town|back) (at the moment|right now|now|today|yet)?",
      "(he|she|they) (has|have|is|are)? (gone|stepped|went|popped|moved) (out|away|to|off|abroad|somewhere|for) ...",
      "(he|she|they) (is|are) (at work|out|away|sleeping|asleep|in the|in hospital|busy|driving|travelling|traveling|abroad|at school|at the|on leave|in a meeting|taking a nap|resting|bathing|cooking) ...",
      "{!common} is not (here|home|at home|in|available|around) (at the moment|right now|now|today)?",
      "(he|she|they) can not (come to the phone|talk|speak|come) ...",
      "(not|is not) at home",
    ),
    means: { not_that_person: 0.9, child_or_relative: 0.6 },
    asked: WHO_WAS_ASKED,
  },
  {
    says: says("(this|that|it) is not {!common}", "i am not {!common}", "^(no)? (i am|it is|that is|this is) not$"),
    means: { not_that_person: 0.85 },
    asked: ["identity"],
  },
  {
    says: says("^no (this is|i am|it is|my name is) {!common}"),
    means: { no: 0.8, not_that_person: 0.8 },
    asked: ["identity"],
  },
];

const WHO_ARE_YOU: IntentRule = {
  says: says(
    "who (is|are) (this|it|that|you|there|here|calling|speaking|talking|on) ...",
    "who (am i|are we|i am) (talking|speaking) (to|with)",
    "(may|can|could) i (know|ask|have) (who|your name|the name|where) ...",
    "who (may|can|shall|should|do) i ...",
    "(from)? where (are you|is this|is the call|do you) (calling|phoning|ringing|speaking|call|coming|from) ...",
    "(where|who) (are)? you (are)? (calling|from|with|calling from)",
    "(which|what) (hospital|clinic|company|place|organisation|organization|office|department|bank|centre|center) (is|are|do|did|was|am|you)? ...",
    "^(which|what) (hospital|clinic|company)$",
    "(who gave you|where did you get) ...",
    "how (did|do) you (get|have|know) (my|this|the) ...",
    "(are|if|whether|that|were) (you|you are|you were) (a|an|even|really|secretly)? (real|actual|live|human|alive|person|automated|artificial|{machine}) (human|person|being)?",
    "you (are|sound|sound like|look like) (a|an|like a)? {machine}",
    "^what are you$",
    "(who do|who) you work for",
    "what (should|can|may|do|shall) (i|people|they) call you",
    "is (this|that|it) (a|an|some|some kind of)? (real person|real|human|scam|spam|fraud|genuine|prank|telemarketer|{machine})",
    "(am i|i am|are we) (speaking|talking) (to|with) (a|an|some)? (human|real person|actual person|live person|someone real|person|{machine})",
    "(what is|tell me|say|and)? your (full|first|good|given)? name",
    "(introduce|identify) yourself",
    "^and you are$",
    "you are who",
    "^(sorry)? who$",
    "do i know you",
    "who wants to know",
    "is (this|that|it) (the|a|an)? ... (hospital|clinic|bank|company|doctor|pharmacy|lab|insurance)",
    "are you (calling|phoning)? from",
    "who (did you say|again|exactly|sent you)",
  ),
  means: { who_is_this: 0.92 },
};

const WHAT_FOR: IntentRule = {
  says: says(
    "what (is|was) (this|it|that|the call|your call|this call|all this) (call|exactly)? (about|regarding|concerning|for|in connection with|in regard to|in regards to|with regard to|in reference to|in relation to)",
    "what (it|this|the call) (is about|is for|concerns|is regarding|is in connection with)",
    "what (does it|does this|is it) (concern|concerning)",
    "why (are|have|did|do|is|were) (you|they|the hospital|someone|this) ... ({calling}|{call}|called|phoned|rung)",
    "why (this call|the call|me|did you)",
    "(purpose|reason|subject|nature) (of|for|behind) (your|this|the)? (call|calling)",
    "what do you (want|need) (from me|with me|to know|to talk about|me for|me to do)?",
    "what is the (matter|reason|purpose|issue|problem|call about)",
    "(which|what) (appointment|booking|checkup|test|visit) (is|are|was|do|you)? ...",
    "what (kind|sort|type) of (call|appointment)",
    "is (this|it|that) (about|regarding|concerning) ...",
    "(regarding|concerning|about) what",
    "in what (regard|connection)",
    "what (can|may) i do for you",
    "how (can|may|could) i help",
    "what (has)? happened",
    "what is (it|this|up)$",
    "(tell me|say) (what|why) ...",
    "what for",
    "^why$",
    "why (should|must|do) i",
    "what about$",
  ),
  means: { what_is_it_about: 0.9 },
};

const IT_IS_ME: IntentRule = {
  says: says(
    "^(yes|yeah)? (this is|it is|that is|that would be|here is)? (me|she|he|her|him|myself|the same|correct) (speaking|here)?$",
    "^(yes|yeah)? (this|that|it) me (speaking|here)?$",
    "^(yes|yeah)? (i am|you are|he is|she is|this is|it is)$",
    "(i am|this is|you are|you have got|it is) (the)? (same person|one and only|right person)",
    "(speaking to|speaking with|talking to|talking with|got) (him|her|me|the right person)",
    "^(yes|yeah)? (i am)? speaking$",
    "yes speaking",
    "in person",
    "(i am|yes i am) (that|the) (person|one)",
    "right person",
  ),
  means: { yes: 0.92 },
  asked: ["identity"],
};

/** The name is not verified; the agent asks back. Runs last, because any word may be a name. */
export const NAME_RULE: IntentRule = {
  says: says(
    "^(yes)? {!common} {!common}? (speaking|here|this side)$",
    "^(hello)? (this is|my name is|i am|you are talking to|you are speaking to|you are speaking with) {!common} {!common}?$",
  ),
  means: { yes: 0.6 },
  asked: ["identity"],
};

export const IDENTITY_RULES: readonly IntentRule[] = [
  WRONG_NUMBER,
  LIKE_WRONG_NUMBER,
  ...RELATIVE,
  ...ANOTHER_PERSON,
  WHAT_FOR,
  WHO_ARE_YOU,
  IT_IS_ME,
];
