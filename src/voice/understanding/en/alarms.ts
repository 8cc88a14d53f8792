// Emergency patterns in English, active in every question. When in doubt the call goes to a person: a false alarm costs
// a minute, a missed one may cost a life.
//
// Denials: "I do not have chest pain" and "it is not an emergency" are no alarm. A bare "no chest pain" stays a weak
// alarm, because "oh, chest pain" and "no chest pain" sound alike on a telephone; "No. Chest pain!" is a full alarm.
import type { IntentRule } from "../language.ts";
import { SAID_NEAR } from "../meaning.ts";
import { patterns } from "../patterns.ts";

const LISTS = {
  my: "my|his|her|the|their|our|a",
  is: "is|are|am|was|has|have|keeps",
};

const ALARMS = [
  // Heart
  "chest (pain|pains|ache|tightness|pressure|discomfort)",
  "(pain|pains|paining|pressure|tightness|tight|heaviness|heavy|burning|hurts|hurting|ache) (in|on|across)? {my}? (left|middle of my|whole|side of my)? chest",
  "chest (is|feels|has been|has|was)? (so|very|really|been)? (hurts|hurting|paining|pain|tight|burning|heavy|aching)",
  "heart (attack|failure|has stopped|stopped)",
  "cardiac (arrest|attack)",
  // Breath
  "(can|could) (not|hardly|barely|scarcely) ... (breathe|breath|breathing)",
  "not (able to|been able to)? ... (breathe|breath|breathing)",
  "(trouble|difficulty|difficulties|problem|problems|difficult|hard|struggling|struggle) (in|to|with)? ... (breathe|breath|breathing)",
  "(short|shortness) of breath",
  "(stopped|stops|no longer) breathing",
  "(gasping|suffocating|choking|choked)",
  "breathless",
  // Blood
  "bleeding ... (heavily|badly|lot|much|profusely|everywhere|severely)",
  "(heavy|severe|serious|bad|profuse|lot of|internal|constant) bleeding",
  "{is} (still|been)? bleeding",
  "(blood|bleeding) ... (everywhere|stop|stopping|stopped|over)",
  "(losing|lost|vomiting|coughing|throwing|spitting|vomited|coughed) (up)? (a|lots|so)? (lot|much)? (of)? blood",
  // Stroke
  "(having|had|has|getting|got|suffered|suffering|think) (a|another)? (brain)? (stroke|strokes)",
  "(a|of|like) (brain)? stroke",
  "^(stroke|brain stroke)$",
  "(face|mouth) (is|has|looks)? (drooping|drooped|droopy|twisted)",
  "(arm|arms|leg|legs|side|face|hand) ... (numb|paralysed|paralyzed)",
  "(slurring|slurred|paralysis|paralysed|paralyzed)",
  // Consciousness
  "(unconscious|unresponsive|fainted|fainting|collapsed|collapsing|seizure|seizures|convulsion|convulsions|convulsing|electrocuted|drowning|drowned)",
  "(passed|passing|blacked) out",
  "(having|had|getting|has) (a|an)? (fit|fits|epileptic)",
  "not (responding|waking|conscious|moving at all)",
  "(will|does|can) not (wake|wake him|wake her|respond)",
  "no pulse",
  // Self-harm
  "(suicide|suicidal)",
  "(kill|killing|harm|harming|hurt|hurting|cut|cutting|hang|hanging) (myself|himself|herself|themselves)",
  "(end|ending|take|taking|took) (my|his|her|own) (own)? life",
  "(end|ending) it all",
  "(want|wants|wanted|going|wish) to die",
  "(do|does|did) not want to (live|be alive)",
  // Poison, accident, birth
  "(overdose|overdosed|poison|poisoned|poisoning)",
  "(took|taken|taking|swallowed|ate|drank) (too many|so many|too much|all|all my|all the|all of|a whole|the whole|whole|an entire|a full|a lot of|lots of|a bottle|the bottle) ... (pills|tablets|medicine|medicines|capsules|bottle)",
  "(took|taken|swallowed|ate|drank|drunk|consumed) (some|the|a|rat)? (poison|bleach|acid|phenyl|kerosene|pesticide)",
  "snake (bite|bit|has bitten)",
  "bitten by (a|the) snake",
  "electric shock",
  "(severe|serious|bad|badly|third degree) (burn|burns|burned|burnt)",
  "(severe allergic|anaphylactic|allergic) (reaction|shock)",
  "throat (is)? (closing|swelling|swollen shut)",
  "water (has|just)? (broke|broken)",
  // Plain calls for help
  "(it is|this is|is|have|having|got|have got) (a|an)? (medical|serious|real|urgent)? emergency",
  "(a|an) (medical|serious|real) emergency",
  "^(medical)? emergency$",
  "(need|call|send|get|want|calling) ... ambulance",
  "^ambulance$",
  "^(help|help me|somebody help|someone help)$",
  "(need|send|get) (some)? (urgent|immediate|emergency|medical)? help (now|immediately|fast|quickly|urgently)",
  "{is} (dying|about to die)",
];

/** Figures of speech and other harmless uses. */
const NOT_MEANT = [
  "dying to (see|meet|know|come|hear)",
  "emergency (contact|number|department|room|ward|exit|leave|at work|work|meeting|light)",
];

/** Recorded greetings contain these sentences for any caller. */
const FOR_ANY_CALLER = [
  "if (this|it|you|yours) (is|are|have|has) (a|an|in a|in an|having a|having an)? (medical|real|serious|life threatening)? emergency (please)? (hang up|hang|dial|call|go|contact|visit)",
];

/** Negations of the following words in the same clause. */
const DENIED = [
  "(do|does|did) not (have|feel|get) (any|a|the|such)? (more)?",
  "(am|is|are|was|has|have) not (having|had|feeling|getting|got) (any|a)?",
  "(is|was|am) not (a|an)",
  "never (had|have) (any|a)?",
  "without (any|a)?",
];

/** Everyday terms that contain a word of danger. Any other use leads to the question "Are you in pain or in danger?" */
const EVERYDAY = [
  "blood (test|tests|pressure|report|reports|sample|samples|work|sugar|group|bank|count|donation|type|results|result)",
  "(my|the|a) blood (was|is) (taken|tested|drawn)",
  "(pain|chest|heart|stroke|breathing|bleeding) (clinic|doctor|specialist|department|unit|ward|centre|center|medicine|medicines|relief|killer|killers|management|team|nurse|surgeon|check|checkup|test|scan)",
  "(heart|chest) (x ray|xray)",
  "fell (asleep|through|on a|behind|in love|off my calendar|under)",
  "breath (test|of fresh air)",
  "(keep|hold|save|catch) (my|your|our) breath",
  "pain in the neck",
  "(broke|break|breaks|breaking) my heart",
  "(with|from|by|learn|know|learned) (all|the bottom of)? (my|your|of my|by)? heart",
  "heart (of|to heart|is set|set on)",
  "chest of drawers",
  "(took|take|takes|taking|have taken|my|the|some|these|those|new|morning|evening|daily|other) (my|the|some|a|two|one|three)? (tablets|pills)",
  "stroke of (luck|genius|midnight)",
  "(die|dying|died) (down|out)",
  "(passed|died) (away)? (last|many|some|two|three|a few|years|in)",
];

/** Single words of danger: possibly the rest of a misheard alarm phrase. */
const NEAR = [
  "(pain|pains|painful|paining|hurts|hurting|aching|agony)",
  "(breathe|breath|breathing|breathless)",
  "(blood|bleeding|bleed|bleeds)",
  "(unconscious|conscious|unconsciously|consciousness)",
  "(stroke|strokes)",
  "(fell|fallen|fainted|fainting)",
  "(chest|heart)",
  "(dying|die|dies|suicide|poison|poisoned|overdose|tablets|pills|seizure|choking|collapsed|collapse)",
  "(ambulance|emergency)",
  "(drooping|drooped)",
  "(vomiting|vomit)",
  "(not|never) (wake|waking|woken|respond|responding|conscious|moving)",
  "wake up",
  "help me",
];

/** Recogniser output for "chest pain" and similar phrases: "cast pain", "just been", "trust in". */
const MISHEARD = [
  "(cast|just|chest|test|chess|jest|jess|chased|trust|chassis|chester|checked|chas|chaste|less at) (pain|pains|paint|paying|paid|pan|pane|payne|pin|pinned|pen|peen|pained|been|bean|beans|bane|b|p|payment)$",
  "have (a|the)? (cast|chess|jest|jess|chased|chassis|chester|chaste|chest|test) (pain|pains|paint|paying|pan|pane|payne|pin|pinned|pen|peen|pained|been|bean|beans|bane|b|p|teeth|tea|ten|in)",
  // "I have just been" after filler removal.
  "^(i have|have) (been|paid|pinned|changed|b|p)$",
  "(can|can not|cannot) (be|meet|beat|bring|read|reach) (properly|proper)",
  "(can|can not|cannot) (breed|breath|breathes|breeze|brief|breach|brave)",
];

/** "No pain": a denial about oneself; no question follows. */
const NEAR_DENIED = [
  "(no|not any|not in|without|not in any|am not in|is not in|nobody is in|not have any|not have) (more|any|such|much|a)? (pain|pains|danger|bleeding|emergency|chest pain)",
  "(am|is|are) not (hurt|hurting|bleeding|in pain|in danger)",
  "not (an|a) emergency",
];

const alternatives = (before: readonly string[], after: readonly string[]) =>
  before.flatMap((first) => after.map((then) => `${first} ${then}`));
const ANYWHERE = ALARMS.filter((alarm) => !alarm.startsWith("^"));
/** In "it is not an emergency" the denial pattern has already consumed "is". */
const DENIABLE = [...ANYWHERE, "(medical|real)? emergency", "(heart attack|stroke)", "bleeding"];

export const ALARM_RULES: readonly IntentRule[] = [
  { says: patterns(FOR_ANY_CALLER), means: { machine: 0.9 }, asked: ["identity", "anything"] },
  { says: patterns([...NOT_MEANT, ...FOR_ANY_CALLER]), means: {} },
  { says: patterns(alternatives(DENIED, DENIABLE), { lists: LISTS, sameClause: true }), means: {} },
  {
    says: patterns(["(am|is|are) not (bleeding|choking|breathless|unconscious|dying)"], { sameClause: true }),
    means: {},
  },
  {
    says: patterns(alternatives(["no (more|any)?"], DENIABLE), { lists: LISTS, sameClause: true }),
    means: { emergency: 0.5 },
  },
  { says: patterns(ALARMS, { lists: LISTS }), means: { emergency: 0.95 } },
  { says: patterns(EVERYDAY), means: {} },
  { says: patterns(NEAR_DENIED, { sameClause: true }), means: {} },
  { says: patterns([...NEAR, ...MISHEARD]), means: { alarm_like: SAID_NEAR } },
];
