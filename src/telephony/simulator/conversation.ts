// Who says what in a simulated call, step by step. Pure: the same request always gives the same words.
import type { DialRequest, SlotOffer } from "../port.ts";
import { analyse } from "./analysis.ts";
import type { Ending } from "./outcomes.ts";
import { phrasesFor, type Phrases } from "./phrases.ts";
import { layOut, type Script, type Turn } from "./script.ts";

/** How far the arranging of a visit has come. */
export interface Visit {
  offers: readonly SlotOffer[];
  /** `offering` ends with the caller's choice; the rest of the conversation depends on whether the place was still free. */
  state: "offering" | "booked" | "taken";
}

interface Scene {
  say: Phrases;
  language: string;
  /** Null where the agent has no calendar to book into. */
  visit: Visit | null;
  agentName: string;
  greeting: string;
  contactName: string | null;
  /** The first sentence of the prompt; empty without one. */
  purpose: string;
  /** The values of additional_info that can be read aloud. */
  details: Readonly<Record<string, string | number | boolean>>;
}

/** One stretch of the conversation. It may be empty, e.g. when there are no details to confirm. */
type Step = (scene: Scene) => Turn[];

const CALLBACK_MINUTES = 30;
const LONGEST_SPOKEN_VALUE = 80;
const LONGEST_PURPOSE = 200;

const agent = (text: string, facts: Turn["facts"] = {}): Turn => ({ speaker: "agent", text, facts });
const user = (text: string, facts: Turn["facts"] = {}): Turn => ({ speaker: "user", text, facts });

const opening = ({ agentName, greeting, say }: Scene): string => {
  const hello = greeting.trim() || say.hello;
  return hello.includes(agentName) ? hello : `${hello} ${say.myNameIs(agentName)}`;
};

const greet: Step = (scene) => {
  const { contactName, say } = scene;
  return [agent(contactName ? `${opening(scene)} ${say.amISpeakingWith(contactName)}` : opening(scene))];
};

const statePurpose: Step = ({ purpose, say }) =>
  purpose ? [user(say.yesGoOn), agent(say.purpose(purpose)), user(say.understood)] : [user(say.yesGoOn)];

const confirmDetails: Step = ({ details, say }) => {
  const spoken = Object.entries(details).map(([key, value]) =>
    say.factIs(key.replaceAll("_", " "), shorten(String(value), LONGEST_SPOKEN_VALUE)),
  );
  return spoken.length === 0 ? [] : [agent(say.noted(spoken.join(", "))), user(say.thatIsRight, details)];
};

const arrangeVisit: Step = ({ visit, say, language }) => {
  if (!visit) return [];
  const spoken = visit.offers.map(({ date, startTime }) => say.slot(spokenDate(date, language), startTime));
  const [first, ...others] = spoken;
  if (first === undefined) return [agent(say.nothingOpen), user(say.understood)];
  const choice = [agent(say.offer([first, ...others].join(` ${say.or} `))), user(say.theFirstOne)];
  if (visit.state === "offering") return choice;
  if (visit.state === "taken") return [...choice, agent(say.takenMeanwhile), user(say.understood)];
  return [
    ...choice,
    agent(say.booked(first), { appointment_date: visit.offers[0]?.date, appointment_time: visit.offers[0]?.startTime }),
  ];
};

const askPreferredTime: Step = ({ details, say, visit }) =>
  Object.hasOwn(details, "preferred_time") || (visit !== null && visit.offers.length > 0)
    ? []
    : [agent(say.whichTime), user(say.theMorning, { preferred_time: "morning" })];

const takeLeave: Step = ({ say, visit }) => (visit && isOpen(visit) ? [] : [agent(say.thankYou), user(say.goodbye)]);

/** Offers were made and the caller has chosen, but the calendar has not answered yet. */
const isOpen = (visit: Visit): boolean => visit.state === "offering" && visit.offers.length > 0;

const decline: Step = ({ say }) => [user(say.notInterested), agent(say.noFurtherTrouble)];

const agreeCallback: Step = ({ say }) => [
  user(say.callAgainLater),
  agent(say.callbackIn(CALLBACK_MINUTES), { callback_in_minutes: CALLBACK_MINUTES }),
];

const transfer: Step = ({ say }) => [user(say.ratherAPerson), agent(say.connectingYou)];

const breakOff: Step = ({ say }) => [user(say.noTime)];

/** Anybody may hear a voicemail, so it holds neither the contact's name nor the purpose. */
const leaveMessage: Step = (scene) => [
  user(scene.say.leaveAMessage),
  agent(`${opening(scene)} ${scene.say.sorryToMissYou}`),
];

const STEPS: Record<Ending, readonly Step[]> = {
  session_ended: [greet, statePurpose, confirmDetails, arrangeVisit, askPreferredTime, takeLeave],
  not_interested: [greet, statePurpose, decline],
  callback_scheduled: [greet, statePurpose, agreeCallback],
  transferred: [greet, statePurpose, confirmDetails, transfer],
  ended_by_customer: [greet, breakOff],
  voicemail: [leaveMessage],
};

/** With a visit that is still being offered, the script ends where the caller has chosen: it is the beginning of the whole. */
export function writeScript(request: DialRequest, ending: Ending, visit: Visit | null = null): Script {
  const { name, language, greeting, prompt } = request.agent;
  const purpose = firstSentence(prompt);
  const details = speakable(request.additionalInfo);
  const scene = {
    say: phrasesFor(language),
    language,
    visit,
    agentName: name,
    greeting,
    contactName: request.contactName,
    purpose,
    details,
  };
  return {
    ...layOut(STEPS[ending].flatMap((step) => step(scene))),
    analytics: analyse(visit?.state === "booked" ? "appointment_booked" : ending, {
      agentName: name,
      purpose,
      detailsConfirmed: Object.keys(details).length > 0,
      callbackMinutes: CALLBACK_MINUTES,
      visit:
        visit === null || visit.state === "booked"
          ? "none needed"
          : visit.offers.length === 0
            ? "nothing open"
            : "taken",
    }),
    ...(ending === "callback_scheduled" && { callbackInMinutes: CALLBACK_MINUTES }),
  };
}

/** The full stop of a title, as in "Dr. Rao", ends no sentence. */
function firstSentence(prompt: string): string {
  const line = prompt.trim().split("\n", 1)[0] ?? "";
  const sentence = /^.*?(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|No))[.!?।](?=\s|$)/u.exec(line)?.[0] ?? line;
  return shorten(sentence.trim(), LONGEST_PURPOSE);
}

/** "Monday 16 November": spoken from the fields, never made up. */
function spokenDate(date: string, language: string): string {
  const options = { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" } as const;
  const noon = Date.parse(`${date}T12:00:00Z`);
  try {
    return new Intl.DateTimeFormat(language, options).format(noon);
  } catch {
    // "Hindi" instead of "hi": the call's language is the caller's own text.
    return new Intl.DateTimeFormat("en-IN", options).format(noon);
  }
}

/** What is meant for the appliance, not for the ear. */
const UNSPOKEN_KEYS = new Set(["branch_id", "appointment_type_id", "appointment_id"]);

function speakable(info: DialRequest["additionalInfo"]): Scene["details"] {
  const isSpeakable = (entry: [string, unknown]): entry is [string, string | number | boolean] =>
    !UNSPOKEN_KEYS.has(entry[0]) &&
    ["string", "number", "boolean"].includes(typeof entry[1]) &&
    String(entry[1]).trim() !== "";
  return Object.fromEntries(Object.entries(info).filter(isSpeakable));
}

/** Counts characters, not UTF-16 units, so that no letter is cut in half. */
function shorten(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join("")
        .trimEnd()}…`;
}
