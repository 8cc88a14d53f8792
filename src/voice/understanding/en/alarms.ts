// Words that may mean that somebody is in danger. They are heard whatever was asked, and the safe side is to hand over
// to a person: a false alarm costs a minute, a missed one may cost a life.
//
// Denials: "I do not have chest pain" and "it is not an emergency" are no alarm. A bare "no chest pain" stays a weak one,
// because "oh, chest pain" and "no chest pain" sound alike on a telephone; "No. Chest pain!" is a full one.
import type { IntentRule } from "../language.ts";
import { phrases } from "../phrases.ts";

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

/** Spoken of, and not happening. */
const NOT_MEANT = [
  "dying to (see|meet|know|come|hear)",
  "emergency (contact|number|department|room|ward|exit|leave|at work|work|meeting|light)",
];

/** The denial of what follows it in the same clause. */
const DENIED = [
  "(do|does|did) not (have|feel|get) (any|a|the|such)? (more)?",
  "(am|is|are|was|has|have) not (having|had|feeling|getting|got) (any|a)?",
  "(is|was|am) not (a|an)",
  "never (had|have) (any|a)?",
  "without (any|a)?",
];

const alternatives = (before: readonly string[], after: readonly string[]) =>
  before.flatMap((first) => after.map((then) => `${first} ${then}`));
const ANYWHERE = ALARMS.filter((alarm) => !alarm.startsWith("^"));
/** "It is not an emergency" has lost its "is" to the denial. */
const DENIABLE = [...ANYWHERE, "(medical|real)? emergency", "(heart attack|stroke)", "bleeding"];

export const ALARM_RULES: readonly IntentRule[] = [
  { says: phrases(NOT_MEANT), means: {} },
  { says: phrases(alternatives(DENIED, DENIABLE), { lists: LISTS, sameClause: true }), means: {} },
  {
    says: phrases(["(am|is|are) not (bleeding|choking|breathless|unconscious|dying)"], { sameClause: true }),
    means: {},
  },
  {
    says: phrases(alternatives(["no (more|any)?"], DENIABLE), { lists: LISTS, sameClause: true }),
    means: { emergency: 0.5 },
  },
  { says: phrases(ALARMS, { lists: LISTS }), means: { emergency: 0.95 } },
];
