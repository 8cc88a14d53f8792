// Answers about an appointment in English: cancel, another time, no, yes. Phrases come before single words, so that "no
// problem" is not a no and "I'm not sure" is not "sure".
import type { IntentRule } from "../language.ts";
import { patterns } from "../patterns.ts";
import { WORD_LISTS } from "./word-lists.ts";

const lists = {
  ...WORD_LISTS,
  fine: "fine|good|okay|great|perfect|alright|right|correct|convenient|lovely|nice|ideal|wonderful|excellent|cool|brilliant|best|true|suitable|awesome|accurate|a fact|the truth|fantastic|amazing",
  is: "is|was|will be|would be|should be|sounds|seems|looks",
  other:
    "another|different|other|some other|any other|alternate|alternative|new|better|later|earlier|sooner|next available|more suitable|a later|an earlier",
  slot: "day|days|date|dates|time|times|slot|slots|appointment|week|option|options|timing|timings|hour|hours|opening|openings|availability|morning|evening|afternoon|month|place",
};
const says = (...sources: string[]) => patterns(sources, { lists });

/** Words that only look like an answer. */
const NO_ANSWER: IntentRule = {
  says: says(
    "^(hello|hi)? good (morning|afternoon|evening|day)",
    "(make|making|be) sure",
    "right now",
    "(not|am not|are not) (so|quite|very|really|too|entirely|completely|100|hundred)? (sure|certain)",
    "(do not|not) (really|even|quite|exactly)? (know|remember|recall) (yet|that|if|whether|about|when|for sure)?",
    "(do|does) not (really|even)? have (a|an|any|the|that|much)? (clue|idea|answer|information|opinion)",
    "(no|have no|not any) (earthly|real)? (idea|clue|knowledge|information|answer|opinion)",
    "(might|could|may) be (true|false|either|both|possible)",
    "(am|pretty|quite) sure it could",
    "are you (sure|certain|okay|alright)",
    "is (it|that|this) (okay|possible|fine|alright|correct|right|true|good) (if|to|that|for)?",
    "(i will|i need to|have to|let me|need to|want to) (think|see) (about)? (it|that)?",
    "(may be|maybe|perhaps|possibly|depends|it depends|hopefully)",
    "how are you",
    "(text|message|email|mail|whatsapp) me (instead)?",
    "send me (a|an|the)? (text|message|sms|email|mail|whatsapp) (instead)?",
    "(does not|do not|not) (matter|care)",
    "i am (doing)? (fine|good|well|great|okay) (thanks|thank you|how about you|and you)",
  ),
  means: {},
};

/** Runs before requests: "take my name off the schedule" is not an opt-out. */
export const CANCEL_RULES: readonly IntentRule[] = [
  {
    says: says("(do not|not|never|without|did not) (want|wish|like|need|going)? (to)? (cancel|cancelling|canceling)"),
    means: { no: 0.5 },
  },
  {
    says: says(
      "(cancel|cancelling|canceling|cancellation) (it|that|this|the|my|our|everything)? {appointment}?",
      "call (it|that|this|the appointment|my appointment) off",
      "call off (it|that|the|my)",
      "(scrap|drop|delete|withdraw|release|free up|remove|bin|forget) (the|my|this|that|our|about the) {appointment}",
      "(do not|does not|no longer|did not) (want|need|require|wish) (the|this|that|my|an|any|to come for the|to have the|to keep the|to keep my)? (more)? {appointment} (anymore)?",
      "(no longer|not) (need|needed|require|required|necessary|want|interested in) (it|this|that|to come|to see)",
      "not (need|needed|required|necessary) anymore",
      "(do not|does not) (need|want|require) (to come|to see|to visit|it|that) ... anymore",
      "not (to)? (go|going|want to go|proceed|proceeding) (ahead|forward|through with)",
      "give (my|the|that|this) (place|slot|appointment|time|spot) (to|away)",
      "(take|remove|strike) (me|my name) (off|from|out of) the (schedule|calendar|appointment|appointments|book|diary|waiting|register|doctor)",
      "(not|never) (coming|come|be coming|need it) (at all|anymore|ever)",
      "not need (it|this|that|the doctor|an appointment) anymore",
      "(already|have) (seen|consulted|visited|been to|gone to) (another|a different|some other) (doctor|hospital|clinic)",
    ),
    means: { cancel_appointment: 0.93 },
  },
];

const ANOTHER_TIME: readonly IntentRule[] = [
  {
    says: says(
      "(do not|not|no need to|never) (want|need|wish)? (to)? (reschedule|postpone|change|move|shift) (it|that|the|my)? {appointment}?",
    ),
    means: { no: 0.5 },
  },
  {
    says: says(
      "not (do|make|manage|come on|want|like) (any|either) of (them|those|these|the)",
      "^(none|neither|not any|no none) (of)? (them|those|these|the two|the three|that)? (suit|suits|work|works|is good|are good|is possible)? (me|for me)?",
    ),
    means: { no: 0.85, another_time: 0.85 },
  },
  {
    says: says(
      "not (on|in|for|at|this|next|the)? (coming)? ({day}|that day|that time|then|this week|next week|week|morning|mornings|afternoon|afternoons|evening|evenings|weekend|weekends)",
      "(can|could|will|do) not (be able to)? {come} (on|at|that day|then|{day}|this|next|in the|before|after|until|so early|that early|that late)",
      "(that|the|this) (day|time|date|morning|week|slot|one) (does not|is not|will not|would not|do not) (work|suit|good|be possible|convenient|possible|ideal|great|fine|be good|okay|best)",
      "too (early|late|soon|far)",
      "(clash|clashes|clashing|conflict|conflicts) (with)?",
      "(have|have got|got) (another|a|an|some|my) (appointment|meeting|class|wedding|exam|function|work|plan|plans|flight|interview|surgery|shift|engagement) (then|that day|at that time|on that day|that morning|on)",
    ),
    means: { no: 0.7, another_time: 0.87 },
  },
  {
    says: says(
      "(reschedule|rescheduled|rescheduling|rebook|postpone|postponed|postponing|prepone|preponed|re schedule)",
      "(on|at|for|in|to|do|try|want|prefer|have)? {other} {slot}",
      "(bring|put) (it|that|this|the appointment|my appointment) (forward|up|back|off|to)",
      "(change|move|shift|push|swap|delay|adjust|switch|defer|rearrange|alter) (it|that|this|the|my|our) (appointment|booking|date|time|day|slot|visit)? (to|back|forward|up|for|by|on|out|until|till|from|later|earlier)?",
      "(change|move|shift|push|swap|switch) (to|the|my) ...",
      "(any|some|something|anything|sometime|some day) (else|earlier|later|sooner|different|other|other day|other time|after|before|another day)",
      "(something|anything|slot|slots|place|places|times|appointments|openings) (else|open|available|free)? (earlier|later|sooner|in|on|after|before|next|this|for|around|available|{day})",
      "(do|have|would) you (have|got|happen to have) (any|some|something|anything|a|another|other|more|nothing|time|slots|on|for|in|the) ...",
      "(is|are) there (any|another|other|a|an|some|no|more|anything|something|nothing) (chance|possibility|other|earlier|later|way|slot|slots|time|times|opening|openings|availability|else|more|places)",
      "(any|some) (chance|possibility|way|availability|openings|slots|other) (of|for|on|in|to)?",
      "(would|will) (rather|prefer|sooner) (come|have|do|it|go|to come|to have|a|an|the|in|on|at|be|see|take|{day}|something|if|next|if it) ...",
      "(i|we) prefer (the|a|to come|mornings|evenings|afternoons|weekends|{day}|something|next|in|on|if)",
      "(would be|is|suits me|works|will be|are|would suit|might be) (much|far|a bit|a little|way)? (better|nicer|easier|best|more convenient|preferable|more suitable) (for me|for us)?",
      "instead",
      "(can|could|may|shall|should) (i|we|you) (come|do|have|make|get|take|book|try|see|fix|schedule|arrange|give me|keep) (it|me|that|one|something|the appointment|an appointment)? (on|at|in|another|some|{day}|later|earlier|next|after|before|the|around|for|sometime|something)",
      "(can|could|may) (i|we) come (in)? (a bit|a little|little|slightly|much)? (later|earlier|sooner)",
      "could it be (on|in|at|a|an|some|another|{day}|later|earlier|after|before|next)",
      "(only|not) (free|available|possible) (on|in|after|before|at|from|until|till|next|this|{day})",
      "^(maybe)? (earlier|later|sooner|a later one|an earlier one|later on)$",
      "(next|some) (available|free) (one|day|date|slot|time)",
      "(change|new) (of)? (the)? (date|day|time|appointment|slot)",
      "(more|other) (options|choices|times|dates|days)",
    ),
    means: { another_time: 0.88 },
  },
  { says: says("(anything|any day|any time|any one) (but|except|other than)"), means: { no: 0.6, another_time: 0.8 } },
  // Covers "What about Thursday" as well as "what about parking".
  { says: says("(what|how) about"), means: { another_time: 0.65 } },
  {
    says: says(
      "out of (town|station|the country|country|the city|city)",
      "(will be|am|going to be|be) (travelling|traveling|away|abroad|on holiday|on vacation|on leave)",
    ),
    means: { no: 0.75, another_time: 0.6 },
    asked: ["yes_no", "choice", "day_or_time"],
  },
];

/** Contains "no" but means yes. */
const YES_WITH_NO: IntentRule = {
  says: says(
    "(no|no it is|no that is)? (no|not|not a|not an|not any|not the) (problem|problems|issue|issues|worries|worry|trouble|objection|objections|bother|big deal) (at all|with that|for me|with me)?",
    "(do not|would not|not) (mind|object|have a problem|have any problem|have any objection) ...",
    "(do not see)? why not",
    "(no|without) (doubt|question)",
    "not (bad|too bad|wrong|false|incorrect|mistaken)",
    "^nothing wrong$",
    "nothing wrong with (that|it|this|the time|the date|the day)",
    "can not (complain|wait)",
  ),
  means: { yes: 0.85 },
};

const NO: readonly IntentRule[] = [
  {
    says: says("(have|got|is) no (way|means|transport|car|vehicle|money|time) (to)? (get|come|reach|go)?"),
    means: { no: 0.6 },
  },
  { says: says("afraid so"), means: { yes: 0.75 } },
  {
    says: says(
      "(can|could|will|would|may|might|do|shall) not (be able to)? (think i can)? {come}",
      "(can|could|will|would) not (be able|be possible|happen|work|suit|be there|be available|be free)",
      "(i|we|it|that|he|she) (can|could|will|would|do|did|am|is|are|was|have|does|should) not$",
      "(not|unable|no way) (be)? (able to|coming|attending|going to come|going to make it|going to be|to come|to make it|i can|available|free|possible|interested|willing|ready|convenient|happy)",
      "(does|do|will|would|is|are|did) not (really|quite|at all|going to)? (work|suit|convenient|possible|good|correct|right|okay|fine|true|like|want|wish|agree|accept|think so|need|happen)",
      "not (be|the|a|believe|think|feel|seem|sound|look) ... (right|correct|true|good|accurate|so|possible)",
      "(definitely|certainly|totally|completely|absolutely|entirely|quite|simply)? (wrong|false|untrue|inaccurate|incorrect|invalid|mistaken|erroneous|negative) (statement|answer|for sure|information)?",
      "(will|would|have to) pass$",
      "no good",
      "(of course|certainly|definitely|absolutely|probably|rather|prefer|afraid|hope|think|guess|better|i would rather|maybe) not (to)?",
      "not (really|at all|exactly|possible|correct|right|true|okay|fine|good|likely|necessary|needed|particularly|this time|yet|for me|that)",
      "(do|did|does) not (think|believe|expect|suppose|see) ... (can|will|would|could|able|possible|how) {come}?",
      "unfortunately (not|no)",
      "no (way|chance|thank you|thanks|not|never|need|longer|sorry)",
      "(have to|need to|will have to|must|going to) (miss|skip|decline|pass|say no)",
      "(going to|will|might) (miss|skip) (it|that|the)",
      "(miss|skip) (it|that|this one)",
      "(impossible|never|nope|nah|naw|nay|nada|neither|none|nothing|unable|negatory)",
      "(decline|refuse|reject)",
    ),
    means: { no: 0.9 },
  },
  {
    says: says(
      "(that|this|it|which) (is|was) (wrong|false|a mistake|an error|no good)",
      "unfortunately",
      "(sadly|regrettably|i am afraid)",
    ),
    means: { no: 0.6 },
  },
];

/** Confidence in the middle of a long sentence. */
const WEAK = 0.55;
const ASSENT =
  "(sure|okay|alright|fine|perfect|great|good|right|done|true|cool|excellent|wonderful|lovely|super|accepted|suits|works)";
const YES: readonly IntentRule[] = [
  { says: says("(i|we) (will|can|shall) try (to)? {come}?"), means: { yes: 0.65 } },
  { says: says("(he|she|they) (will|can|shall) (definitely|surely|certainly)? {come}"), means: { yes: 0.75 } },
  {
    says: says(
      "(that|it|this|which|that one|time|day|{day}|everything|sure that) {is} (be|just|perfectly|absolutely|totally|all|very|quite|really|also)? {fine} (for me|with me|by me|for us|to me)?",
      "(that|it|this|which|that one|time|day|{day}) (will|would|should|can) (work|do|suit) (me|us|for me|for us|fine|nicely|well)?",
      "(that|it|this|that one|time|day|{day}) (works|suits) (me|us|for me|for us|fine|well)?",
      "(i|we) (think|believe|guess|hope|suppose) so",
      "^(that)? (makes sense|approved|yeap|fact|facts)$",
      "(sounds|works|looks|seems|suits) (like a plan|good|great|fine|perfect|okay|for me|for us|me|us|well|right|alright|lovely|wonderful)",
      "(i|we) (will|can|shall|would|should|do|am going to|promise to|plan to|intend to|am able to|could) (definitely|surely|certainly|be able to|be happy to|love to|gladly|always|still|certainly|like to)? ({come}|take it|take that|see you|see the doctor|confirm|be available|be free|accept|like that|love that|keep|be present|have that|have it|go for|go with)",
      "i (will|shall) (come|come in|come down|come by|go with|take the|have the|see the doctor|see him|see her|see them)",
      "(i am|am|we are) (definitely|surely|still|certainly)? (coming|available|free|happy with|good with|okay with|fine with|going to come|going to be there|attending|looking forward|planning to come|good to go|happy to|up for|game|good for)",
      "count me in",
      "see you (then|there|on|at|tomorrow|that day|{day})",
      "^(yes|yeah|no)? (i|we|it|that|you) (do|am|have|did|would|will|can|is|are|could|should|has)$",
      "(i|we) (would|will) (like|love|want) (that|it|this)",
      "(would|will) (love|like|be happy|be glad) to$",
      "^(yes)? do$",
      "^(yes|okay)? do (so|it|that)",
      "(as|like) (planned|scheduled|agreed|before|it is)$",
      "^leave it",
      "(book|keep|take|confirm|reserve|fix|put me down for|sign me up for|schedule|hold) (it|that|me|this|that one|the slot|the appointment|my appointment|for me)",
      "let us (do|go with|go for|keep|take|say|have|fix|make it) (it|that|this)?",
      "go (ahead|for it|with that|for that)$",
      "^(yes|okay|sure)? go ahead",
      "(by all means|you bet|of course|for sure|with pleasure|my pleasure|sure thing|most certainly|you got it|deal|all good|good to go|fair enough|consider it done|very well|very good)",
      "(i|we) (confirm|accept|agree|approve)",
      // Excludes "I agreed with my wife on tea" and "My friend is HIV positive".
      "^(yes|yeah|okay|sure|all|that is|it is|very|i am)? (agreed|positive) (yes|yeah|okay|thank you|thanks)?$",
      "(yes|yeah|okay) (agreed|positive)",
      "(yes|yeah) (i|we)? (do|am|will|can|would|have|is|it is|that is|you are|of course|please|correct|right|sure|okay|fine)",
      "(good|fine|okay|great|convenient|alright|perfect) (for|with|by) (me|us)",
    ),
    means: { yes: 0.92 },
  },
  {
    says: says(
      "(yes|yeah|yep|yup|yah|ya|yea|yeh|yess|aye|correct|certainly|definitely|absolutely|indeed|surely|confirmed|confirm|exactly|affirmative|totally|gladly|precisely)",
    ),
    means: { yes: 0.95 },
    inside: WEAK,
  },
  // Without a question, "okay" is a backchannel.
  { says: says(ASSENT), means: { yes: 0.6 }, asked: ["anything"] },
  { says: says(ASSENT), means: { yes: 0.85 }, inside: WEAK },
];

const BARE_NO: IntentRule = { says: says("no"), means: { no: 0.95 }, inside: WEAK };
const NOT: IntentRule = {
  says: says("not", "^(stop|quit|halt|abort)$", "(stop talking|shut up|be quiet)"),
  means: { no: 0.55 },
};

const GOODBYE: readonly IntentRule[] = [
  { says: says("no (thank you|thanks)"), means: { no: 0.93 } },
  {
    says: says(
      "(thank|thanks) (you)? (so|very|a)? (much|lot|again|for calling|for your time|for that|for the call|for letting me know|indeed)?",
      "(bye|goodbye|good bye|good night|goodnight|farewell|ciao|bye now|cheers)",
      "(take care|much appreciated|appreciated|appreciate|grateful|thankful|much obliged|god bless|bless you)",
      "(great|big|very|so|most|really) (help|helpful|kind)",
      "have a (good|nice|great|lovely|wonderful|pleasant|blessed) (day|evening|one|night|time|weekend|morning|afternoon|rest)",
      "^(thanks)? (you too|same to you|you are welcome|welcome)$",
      "(talk|speak|see) (to)? (you|ya) (later|soon|again|around)",
      "see ya",
      "(it was|was|has been|it is|always) (a|really|very|so)? (nice|good|great|lovely|pleasure|pleasant|cool|wonderful) (to|talking|speaking|chatting|meeting) (talk|speak|chat|hear)?",
      "(nice|good|great|lovely) (talking|speaking|chatting|to talk|to speak)",
      "(have|need|got|have got) to (go|run|leave|get going) (now)?",
      "(that is|that will be|that was) (all|it|everything) (from me|for now|for today|i needed|thanks)?",
      "(nothing else|nothing more|no more questions|no questions|no further questions)",
    ),
    means: { thanks_or_bye: 0.92 },
  },
];

const LISTENING_WORDS =
  "(mhm|hmm|hm|aha|i see|okay|alright|right|got it|gotcha|go on|go ahead|carry on|understood|yeah|yes|sure|fine|good|great|cool|really|nice|interesting|continue|noted|makes sense|true|exactly|tell me|is that so|i understand|i know|ya)";
const BACKCHANNEL: readonly IntentRule[] = [
  {
    says: says(`^${LISTENING_WORDS} ${LISTENING_WORDS}? ${LISTENING_WORDS}?$`),
    means: { backchannel: 0.85, yes: 0.6 },
    asked: ["anything"],
  },
  {
    says: says("^(mhm|aha) (mhm|yes|yeah|okay)?$"),
    means: { yes: 0.7, backchannel: 0.7 },
    asked: ["identity", "yes_no"],
  },
  {
    says: says(
      "^(mhm|hmm|hm|aha|i see|got it|gotcha|go on|carry on|understood|really|nice|interesting|continue|noted|makes sense|tell me|is that so|i understand|i know|go ahead i am listening|i am listening) (mhm|okay|yes|yeah|right|hmm)?$",
      "^(okay|right|yes|yeah) (mhm|hmm|i see|got it|go on|carry on|understood|i am listening)$",
    ),
    means: { backchannel: 0.85 },
  },
  {
    says: says(
      "^(hello|hi|hey|good morning|good afternoon|good evening|hello hi|hi hello|hello good morning|namaste)$",
    ),
    means: { backchannel: 0.55 },
  },
];

export const ANSWER_RULES: readonly IntentRule[] = [
  ...BACKCHANNEL,
  NO_ANSWER,
  YES_WITH_NO,
  ...ANOTHER_TIME,
  ...GOODBYE,
  ...NO,
  ...YES,
  BARE_NO,
  NOT,
];
