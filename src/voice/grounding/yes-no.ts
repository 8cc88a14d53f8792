// Derives the callee's yes or no to a field of the agent's owner.
import { understand } from "../understanding/understand.ts";
import { clausesOf, isNegation, wordsOf } from "./clauses.ts";
import { SURE } from "./said-intents.ts";

export interface AskedField {
  name: string;
  description: string;
}

/** Words too common to identify a topic. */
const GENERIC = new Set(
  "a an the of to in on at for with from by about and or if whether is are was were be been do does did has have had can could will would shall should may might must they them their he she his her it its that this these those there you your i we our us me my patient contact caller callee person people hospital call called calls say says said tell told ask asked answer yes no not true false how what when where which who why any some one time day want wants need needs needed like own words so".split(
    " ",
  ),
);

const stem = (word: string): string => word.replace(/(?:ing|ed|es|s)$/, "");
const topicOf = (text: string): Set<string> =>
  new Set(
    wordsOf(text.replaceAll("_", " "))
      .filter((word) => !GENERIC.has(word) && word.length > 2)
      .map(stem),
  );
const isAbout = (text: string, topic: ReadonlySet<string>): boolean =>
  wordsOf(text).some((word) => topic.has(stem(word)));

/** Whether the text contains a word of the field. */
export const isAboutField = ({ name, description }: AskedField, text: string): boolean =>
  isAbout(text, topicOf(`${name} ${description}`));

/** Null if not said. `before`: the agent's words right before the utterance. */
export function yesNoSaid(field: AskedField, utterance: string, before: string, language: string): boolean | null {
  const own = statedIn(field, utterance);
  if (own !== null) return own;
  if (!isAboutField(field, before)) return null;
  const { intents } = understand(utterance, {
    expecting: "yes_no",
    offers: [],
    today: "2000-01-01",
    nowTime: "12:00",
    lastOffered: null,
    language,
  });
  const sure = intents.filter(({ confidence }) => confidence >= SURE).map(({ intent }) => intent);
  const isYes = sure.includes("yes");
  const isNo = sure.includes("no");
  return isYes === isNo ? null : isYes;
}

/** "I consent", "I have no pain": a first-person statement with a word of the field's name. */
function statedIn({ name }: AskedField, utterance: string): boolean | null {
  const topic = topicOf(name);
  const about = clausesOf(utterance).filter(({ words }) => words.some((word) => topic.has(stem(word))));
  if (about.length !== 1) return null;
  const [{ words, isQuestion, qualifiers }] = about as [(typeof about)[number]];
  const isOwn = /^(?:(?:yes|no|haan|nahi) )?(?:i|we)\b/.test(words.join(" "));
  if (isQuestion || !isOwn || qualifiers.some((word) => !isNegation(word))) return null;
  return qualifiers.length === 0;
}
