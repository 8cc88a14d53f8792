// Who says what in a simulated call, step by step. Pure: the same request always gives the same words.
import type { DialRequest } from "../port.ts";
import { analyse } from "./analysis.ts";
import type { Ending } from "./outcomes.ts";
import { phrasesFor, type Phrases } from "./phrases.ts";
import { layOut, type Script, type Turn } from "./script.ts";

interface Scene {
  say: Phrases;
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

const askPreferredTime: Step = ({ details, say }) =>
  Object.hasOwn(details, "preferred_time")
    ? []
    : [agent(say.whichTime), user(say.theMorning, { preferred_time: "morning" })];

const takeLeave: Step = ({ say }) => [agent(say.thankYou), user(say.goodbye)];

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
  session_ended: [greet, statePurpose, confirmDetails, askPreferredTime, takeLeave],
  not_interested: [greet, statePurpose, decline],
  callback_scheduled: [greet, statePurpose, agreeCallback],
  transferred: [greet, statePurpose, confirmDetails, transfer],
  ended_by_customer: [greet, breakOff],
  voicemail: [leaveMessage],
};

export function writeScript(request: DialRequest, ending: Ending): Script {
  const { name, language, greeting, prompt } = request.agent;
  const purpose = firstSentence(prompt);
  const details = speakable(request.additionalInfo);
  const scene = {
    say: phrasesFor(language),
    agentName: name,
    greeting,
    contactName: request.contactName,
    purpose,
    details,
  };
  return {
    ...layOut(STEPS[ending].flatMap((step) => step(scene))),
    analytics: analyse(ending, {
      agentName: name,
      purpose,
      detailsConfirmed: Object.keys(details).length > 0,
      callbackMinutes: CALLBACK_MINUTES,
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

function speakable(info: DialRequest["additionalInfo"]): Scene["details"] {
  const isSpeakable = (entry: [string, unknown]): entry is [string, string | number | boolean] =>
    ["string", "number", "boolean"].includes(typeof entry[1]) && String(entry[1]).trim() !== "";
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
