// What a language model wrote, clause by clause, before anybody hears it. Pure. A clause that fails a check is not spoken, and
// nothing after it; what may be spoken has its placeholders filled from fields of the call.
import { languageNamed } from "../../speech/languages.ts";
import * as inHindi from "../../speech/tts/hindi/spoken-time.ts";
import * as inEnglish from "../../speech/tts/spoken-time.ts";
import type { KnownAppointment, SlotOffer } from "../port.ts";
import type { Facts } from "./data.ts";
import {
  ADDRESS,
  ADVICE,
  CLAIM,
  CONTROL,
  DATE,
  DIAGNOSIS,
  DOSE,
  HUMAN,
  NUMBER_WORD,
  OTHERS,
  phrase,
  plain,
  PRICE,
  RUDE,
  SECRET,
} from "./patterns.ts";

/** What the call's fields say: everything else that sounds like them is made up. */
export interface Known {
  isContact: boolean;
  /** As the agent's owner wrote it, without a call's values. */
  ownText: string;
  facts: Facts;
  names: readonly string[];
  appointment: KnownAppointment | null;
  offers: readonly SlotOffer[];
  today: string;
  /** BCP 47: what is spoken on this call. */
  language: string;
}

interface Clause {
  /** With its placeholders filled. */
  text: string;
  /** As patterns read it, without what fields themselves say. */
  checked: string;
  known: Known;
}

export type Stop =
  | "identity"
  | "placeholder"
  | "control"
  | "address"
  | "secret"
  | "human"
  | "claim"
  | "others"
  | "date"
  | "dose"
  | "price"
  | "diagnosis"
  | "advice"
  | "number"
  | "rude";

type Check = (clause: Clause) => boolean;
export type Checks = Readonly<Partial<Record<Stop, Check>>>;

/** Facts of these names may hold what their pattern looks for; in any other a dose is no dose. */
const FIELD_OF = {
  dose: /dos|medic|tablet|drug|prescri|instruction|dawa/i,
  price: /price|fee|cost|amount|charge|bill|payment|due/i,
  diagnosis: /diagnos|condition|reason|department|speciali|procedure|treatment|service|test|visit/i,
  date: /date|day|time|visit|slot|hour|when|until|from|follow|appointment|schedule/i,
} as const;

const NUMBERS = phrase(`\\d+(?:[.:/-]\\d+)*|${NUMBER_WORD}`);

/** Every part that the pattern finds stands in the owner's text, or in a fact whose name says that it holds such a thing. */
function madeUp(pattern: RegExp, field?: RegExp): Check {
  return ({ checked, known }) => {
    const own = plain(known.ownText);
    const fields = field
      ? Object.entries(known.facts)
          .filter(([name]) => field.test(name))
          .map(([, value]) => plain(value))
      : [];
    return (checked.match(pattern) ?? []).some(
      (found) => !holds(own, found) && !fields.some((value) => holds(value, found)),
    );
  };
}

/** As whole words. */
const holds = (text: string, found: string): boolean =>
  ` ${text.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")} `.includes(
    ` ${found.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim()} `,
  );

const has =
  (pattern: RegExp): Check =>
  ({ checked }) =>
    new RegExp(pattern.source, "iu").test(checked);

export const CHECKS: Checks = {
  identity: ({ known }) => !known.isContact,
  placeholder: ({ text }) => /\{\{|\}\}/.test(text),
  control: has(CONTROL),
  address: has(ADDRESS),
  secret: has(SECRET),
  human: has(HUMAN),
  claim: has(CLAIM),
  others: has(OTHERS),
  rude: has(RUDE),
  dose: madeUp(DOSE, FIELD_OF.dose),
  price: madeUp(PRICE, FIELD_OF.price),
  diagnosis: madeUp(DIAGNOSIS, FIELD_OF.diagnosis),
  advice: madeUp(ADVICE, FIELD_OF.dose),
  date: madeUp(DATE, FIELD_OF.date),
  number: ({ checked, known }) => {
    const fields = [known.ownText, ...Object.values(known.facts)].map(plain);
    return (checked.match(NUMBERS) ?? []).some((found) => !fields.some((value) => holds(value, found)));
  },
};

export type Guarded = { text: string } | { stop: Stop };

/** One clause. Its text where it may be spoken, otherwise why not. */
export function guarded(written: string, known: Known, checks: Checks = CHECKS): Guarded {
  const { text, own } = filled(written, known);
  // What our own templates say is not looked at: it is from the calendar.
  const checked = plain(own.reduce((rest, said) => rest.replaceAll(said, " "), text));
  const clause: Clause = { text, checked, known };
  for (const [stop, fails] of Object.entries(checks) as [Stop, Check][]) if (fails(clause)) return { stop };
  return { text };
}

/** A fact that is longer than this is a text, and nobody's to read out. */
const LONGEST_SPOKEN_FACT = 80;

function filled(written: string, known: Known): { text: string; own: string[] } {
  const spoken = languageNamed(known.language) === "hi" ? inHindi : inEnglish;
  const moments = new Map<string, string>([["today", spoken.spokenDate(known.today)]]);
  if (known.appointment) moments.set("appointment", spoken.spokenMoment(known.appointment));
  for (const offer of known.offers) moments.set(offer.label.toLowerCase(), spoken.spokenMoment(offer));
  const text = written
    .normalize("NFKC")
    .replaceAll(/\{\{\s*([^{}]{1,64}?)\s*\}\}/g, (whole, name: string) => {
      const key = name.toLowerCase();
      const fact = moments.get(key) ?? known.facts[name] ?? (isName(key) ? known.names[0] : undefined);
      return fact === undefined || fact.length > LONGEST_SPOKEN_FACT ? whole : fact;
    })
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return { text, own: [...moments.values()] };
}

const isName = (key: string): boolean => ["name", "user_name", "callee", "contact_name"].includes(key);
