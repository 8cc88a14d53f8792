// Requests to the agent in English: repeat, slower, louder, a person, later, never again, one moment.
import type { IntentRule } from "../language.ts";
import { patterns } from "../patterns.ts";
import { WORD_LISTS } from "./word-lists.ts";

const lists = {
  ...WORD_LISTS,
  when: "now|right now|today|tomorrow|tonight|at|in|before|after|this morning|this evening|this afternoon|this week|on|during|between|until|when|while|so early|so late|later|back",
};
const says = (...sources: string[]) => patterns(sources, { lists });

const DO_NOT_CALL: readonly IntentRule[] = [
  {
    // "Not now" is not an opt-out.
    says: says("do not ({call}|disturb) (me|us|here)? {when} ..."),
    means: { call_later: 0.8 },
  },
  {
    says: says(
      "(do not|never|should not|must not|not to) (ever|you)? ({call}|disturb|bother|message|text) (me|us|here|this number|on this number|my number)? (again|anymore|ever|ever again)?",
      "(stop|quit|cease|no more|enough of) (all)? (your|these|this|the)? ({calling}|calls|phone calls|bothering|disturbing|harassing|troubling|pestering|spamming) (me|us|here)?",
      "no more (phone)? calls",
      "(take|remove|delete|strike|drop|erase|get) (me|us|my name|my number|this number|my phone number|our number|my details|my contact) (off|from|out)",
      "(remove|delete|erase|block) (my|this|our) (phone|mobile)? (number|contact|details|data)",
      "(i|we) (want|wish|like|would like|need|have) to (unsubscribe|opt out|be opted out|be unsubscribed)",
      "opt me out",
      "(enough|sick|tired|fed up) (of|with) (all)? (these|your|the|this|getting)? (phone)? (calls|calling)",
      "do not want (any|these|your|to receive|to get|you to call|you to contact|you calling|more|anymore) ... (calls|call|calling|calls from you|again|anymore|me)",
      "leave (me|us) alone",
      "(do not call|off your|your calling|your call) list",
      "(report you|complain about you|call the police)",
    ),
    means: { do_not_call: 0.93 },
  },
  // In a long sentence these may be names: "the function opt out".
  { says: says("(unsubscribe|opt out|dnd|do not disturb)"), means: { do_not_call: 0.93 }, inside: 0.6 },
  // "Do" is easily lost on the line; "call me again" alone would mean the opposite.
  {
    says: says("not ({call}|{calling}) (me|us|here|this number) (again|anymore|ever)"),
    means: { do_not_call: 0.75 },
  },
  // More likely a "not" was lost.
  { says: says("^do {call} (me|us) (again|anymore)"), means: { do_not_call: 0.6 } },
  { says: says("^stop (it|this|that)$"), means: { do_not_call: 0.6, no: 0.6 } },
  {
    says: says(
      "not interested",
      "no interest (in this|in that|in it)?",
      "(do not|not) (need|want) (your|any of your|any of this|what you) ...",
    ),
    means: { not_interested: 0.9, no: 0.85 },
  },
];

const PERSON: readonly IntentRule[] = [
  {
    says: says(
      "not (want|like|wish|wanna|going)? (to)? (talk|speak|talking|speaking) (to|with) (a|an|the|this|some|any)? {machine}",
      "(want|like|need|prefer) (to have)? (a|an|the|some|your)? (real|live|actual|human)? {staff} (instead|there|now)?$",
      "(speak|talk|connect|connected|transfer|transferred|put|get|give|through|pass|word) ... (to|with|me|for)? (a|an|the|some|your|any)? (real|live|actual|human)? {staff} (real|instead|there|who|from|at|please|now)?$",
      "(speak|talk|chat|word|discuss) (directly|first)? (to|with) (a|an|the|some|your|any|my)? (real|live|actual)? {staff}",
      "(transfer|connect) (me|us|the call|my call|this call|it)",
      "put me (through|across|on to|onto)",
      "(real|live|actual) (person|human|one)",
      "(someone|somebody) (real|human|there|who works|in charge|from the|at the|else to talk)",
      "^(a|the)? (operator|reception|receptionist|agent|representative|human|human being|person|front desk|help desk|customer care|nurse|staff)$",
      "is there (someone|anyone|anybody|somebody|a person|a human|a nurse|a doctor) ...",
      "(get|give|find|want|need|like) (me)? (a|an|the)? (human|operator|receptionist|representative|reception|staff member|real person|person to talk)",
    ),
    means: { person: 0.93 },
  },
  {
    says: says(
      "(can|could|will|would|should|have|let|ask|tell|get) (a|an|the|my|some|your)? {staff} (to)? (call|phone|ring|contact|speak to|talk to) (me|us) (back)?",
      "(i|we) need (some|your)? help (with|to)?",
      "i (have|have got|had) (a|some|few|one|many|a few|a couple of)? (more)? (question|questions|doubt|doubts|query|queries|concern|concerns)",
      "want (someone|somebody|the doctor|the nurse|a doctor|a nurse|staff) to call",
    ),
    means: { person: 0.75 },
  },
];

/** The person was not recognised. Runs last, so that "I do not want to talk" matches first. */
export const WANTS_TO_SPEAK: IntentRule = {
  says: says("(want|like|need|wish|have) to (speak|talk)", "(can|could|may) i (speak|talk)"),
  means: { person: 0.6 },
};

const HEARING: readonly IntentRule[] = [
  {
    says: says(
      "(slower|slowly|slow down|slow|slow it down)",
      "(too|so|very|that|really) (fast|quick|quickly|rushed)",
      "can not keep up",
      "(do not|no need to|stop|you are|are) (be)? (rush|rushing|hurry|hurrying)",
      "take your time",
      "(reduce|lower|decrease) (the|your) (speed|pace)",
    ),
    means: { slower: 0.93 },
  },
  {
    says: says(
      "(can|could) not hear (you|anything|it|what you)? (at all|properly|clearly|well|now|right|very well|are saying)?",
    ),
    means: { louder: 0.85, repeat: 0.8 },
  },
  {
    says: says(
      "(louder|loudly|speak up|talk up|loud)",
      "(volume|raise your voice|raise the voice)",
      "(too|very|so|bit|little|really) (quiet|soft|low|faint|silent|softly|quietly)",
      "(voice|sound|you|volume|line|audio) (is|are|sounds|sound) (too|very|so|quite|a bit|a little)? (low|faint|soft|quiet|weak|far away|distant|not loud)",
      "(can|could) (hardly|barely|scarcely|just about) hear",
      "(hard of hearing|hearing aid|hearing problem|bad hearing|a little deaf|a bit deaf|deaf)",
      "(turn|bring|put) (it|the volume|your voice|that)? up",
    ),
    means: { louder: 0.93 },
  },
  {
    says: says(
      "(repeat|repeating|repeated|restate|rephrase|replay)",
      "(ask|asked|hear|said|know) (me|that|it|the question|this)? (question)? again",
      "say (that|it) over",
      "what (you|did you) (say|said|mention|ask|asked|tell me)$",
      "what (was|is) (that|the|your) (last|question|thing|other) (thing|question|part|bit|one|you said|again)?",
      "what (was|is) (said|that you said)",
      "what (were|are) (they|those|the options|the times|the dates|my options)",
      "what question",
      "(say|tell|told|explain|go over|read) (me)? (that|it|this|what you said|the date|the time|everything|the last part|the dates|the times|the options)? (to me)? (again|once more|one more time|another time)",
      "^(yes)? (once)? again$",
      "(once again|once more|one more time|come again|run that by me|say what)",
      "(pardon|beg your pardon|pardon me)",
      "^(hello)? (excuse me|sorry|what|huh|eh|hello what|sorry what|what sorry|come) (what)?$",
      "what (did|was|were|do|are|is) (that|you) (say|saying|said|tell|telling|mean|ask|asking|again|just say|call it) ...",
      "(did|could|can|do|was) not ... (hear|catch|get|understand|follow|make out|listen|hear that) (you|that|it|what|the|anything|a word|properly|clearly|all of that|your)? ...",
      "^not (understand|understanding|clear|getting|audible)",
      "(missed|lost) (that|what|it|the|you|part|a bit|some|your last) ...",
      "what (was|is) (that|it) again",
      "what was (that|it)$",
      "^what is that$",
      "what (was|were|is|are) the (time|date|day|name|address|place|doctor|options|times|dates|timing|first|second|last|other|number) ...",
      "(what|which|whose) (time|day|date|doctor|place|month) (was|did|is|again|you|were|does|do|exactly|it) ...",
      "^(what|which) (time|day|date|doctor)$",
      "(when|where|what time|what day|which day) (is|was|exactly is|did you say) (it|that|this|my|the|the appointment|my appointment|exactly)? (appointment|again|exactly|at)?$",
      "(at)? what time$",
      "(you are|your voice is|voice is|line is|it is|you were|call is|you keep) (breaking|cutting|not clear|unclear|cutting out|crackling|muffled|not audible|dropping) (up|out|off|in and out)?",
      "(line|connection|network|signal|reception|voice) (is|was) (very|so|really|too)? (bad|poor|weak|terrible|not clear|noisy|disturbed)",
      "(bad|poor|terrible) (line|connection|network|signal)",
      "(not clear|not audible|inaudible)",
      "(can|do|could) you explain",
    ),
    means: { repeat: 0.9 },
  },
  {
    says: says(
      "(can you hear me|do you hear me|are you (still)? there)".replace("(still)? ", "still "),
      "are you there",
      "^hello (is)? (anyone|anybody|someone) there$",
    ),
    means: { repeat: 0.65 },
  },
];

const LATER: readonly IntentRule[] = [
  {
    says: says(
      "(give|gave) (me|us) a (call|ring|buzz) ... (back|later|again|tomorrow|tonight|evening|morning|afternoon|week|{day}|hour|hours|minutes|at|after|in)",
      // "Try it today" is an advertisement.
      "(try|reach) (me|us|back|again|this number|my number) (back|again|later|some|sometime|another|other)? (later|in|after|at|around|on|by|this|next|{day}|another time|some other time|other time|when|back|again|time|sometime|once|between)",
      "(try|reach) (later|again|another time|some other time)",
      "{call} (me|us|back|again|this number|my number)? (back|again|later|some|sometime|another|other)? (later|in|after|at|around|on|by|this|next|{day}|another time|some other time|other time|when|back|again|time|sometime|once|between)",
      "{call} (me|us)? (back|later|again)",
      "(can|could|would|will) you {call} ... (later|back|tomorrow|evening|again|at|after|in)",
      "(can|could|may|shall|should|let) (we|us|i) (talk|speak|do this|discuss) ... (later|tomorrow|another time|some other time|this evening|in the evening|tonight)",
      "(talk|speak) (tomorrow|another time)",
      "(want|like|prefer|rather|wish|need) (to)? (talk|speak) ... (later|tomorrow|another time|some other time)",
      "i will (call|ring|phone) (you)? (back|later|again)",
    ),
    means: { call_later: 0.92 },
  },
  {
    says: says(
      "(can|could) not (talk|speak|chat|take this call|take the call|answer) (right now|now|at the moment|at this time|here|today|to you)? (now)?",
      "(not|is not|bad|wrong|very bad) (a|the|really a|such a|an)? (good|right|best|great|convenient|ideal|suitable|bad)? (time|moment) (to talk|to speak|for me|now|right now|to call)?",
      "(inconvenient|not convenient) (time|moment|right now|now|to talk)",
      "^(no)? not (right)? now$",
      "(no time|do not have time|not got time|have no time) (now|right now|to talk|for this|at the moment)?",
    ),
    means: { call_later: 0.88 },
  },
  {
    says: says(
      "(busy|not free|not available|occupied|engaged|working|tied up|travelling|traveling|away|out of town|out of station) (then|that day|on|at that time|that time|that morning|that week|all day|the whole day|{day}|this week|next week|until|till)",
    ),
    means: { no: 0.7, another_time: 0.8 },
    asked: ["yes_no", "choice", "day_or_time"],
  },
  {
    says: says(
      "(i am|am|we are|i was|was) (a|a bit|a little|very|quite|too|rather|kind of|really|so|right|still|little)? (in the middle of|{busy}) (something|right now|now|at the moment)?",
      "^(busy|driving|in a meeting) (right now|now|at the moment)?$",
      "(got|have|having) (a|some)? (meeting|guests|visitors|company|class|patient|customer) (now|right now|going on|over|at the moment)",
      "behind the wheel",
      "^(maybe|some time|sometime|no)? (later on|a bit later|a little later|little later)$",
    ),
    means: { call_later: 0.85 },
  },
  {
    says: says(
      "^(no)? (maybe|not today|some other time|another time)? (later|not today|some other time|another time)$",
    ),
    means: { call_later: 0.75 },
    asked: ["identity", "anything"],
  },
];

const MOMENT: IntentRule = {
  says: says(
    "(hold|hang) (on|up a|the line|it) (a)? {unit}?",
    "^hold$",
    "^... (one|a|just a|half a|two|just one|only a) {unit}$",
    "(give|gimme|allow) (me|us) (a|one|two|five|some|half a|a few|just a|1|2|5) (more|quick)? ({unit}|time)",
    "^(no|okay|yes|yeah|sorry|hey|hello)? wait (up|on|there|for me|a bit|a little|now)? (no|okay)?$",
    "wait (a|one|half a|two|five|1|2|5) {unit}",
    "(bear|stay) (with me|on the line)",
    // "We will be right back after a short break" comes from a television.
    "^(okay|just|sorry)? (i|i will)? be (right back|back in a)",
    "(remain|stay|keep) (on|holding) (the|line)? (line|phone)?",
    "let me (check|see|look|find|get|grab|think|ask|note|write|take|pick|open|go|just|fetch|turn|consult|have a look|confirm with|put) ...",
    "i (will|need to|have to|must|should|am) (check|checking|look|find|grab|be right back|ask)",
    "^(one|a|just a|half a|just one|1) {unit} ...",
    "^(i am)? (checking|looking|thinking)",
    "do not hang up",
    "stand by",
  ),
  means: { hold_on: 0.9 },
};

export const REQUEST_RULES: readonly IntentRule[] = [...DO_NOT_CALL, ...PERSON, ...HEARING, ...LATER, MOMENT];
