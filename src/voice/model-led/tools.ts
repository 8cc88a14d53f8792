// Tools of a language model, and validation of its calls against what was offered and said on this call. Invented
// labels, days and details are refused; only the model is told the reason.
import { Type, type TObject } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { ToolCall, ToolSpec } from "../../speech/servers/port.ts";
import type { CallbackTime, Suggestion } from "../conversation/model.ts";
import type { Moment } from "../understanding/meaning.ts";
import { understand } from "../understanding/understand.ts";
import { agentBefore } from "../grounding/agent-before.ts";
import { wordsOf } from "../grounding/clauses.ts";
import { inDigits, isQuoted } from "../grounding/quoted.ts";
import { yesNoSaid, type AskedField } from "../grounding/yes-no.ts";
import type { Utterance } from "../../payloads/conversation.ts";
import { answerNumbered, numberOf } from "./approved.ts";
import { PHRASE_NAMES, type SpokenPhrases } from "./phrases.ts";
import type { Standing } from "./standing.ts";
import type { Phrase } from "../conversation/phrase.ts";

export const TOOL_NAMES = [
  "say",
  "answer_question",
  "offer_slots",
  "book_slot",
  "reschedule",
  "join_waiting_list",
  "cancel_appointment",
  "schedule_callback",
  "transfer",
  "record_detail",
  "opt_out",
  "end_call",
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** No tool takes longer arguments. */
const LONGEST_ARGUMENTS = 2_000;
const LONGEST_DETAIL = 200;

export interface ToolContext {
  standing: Standing;
  /** Of this call, oldest first. */
  said: readonly Pick<Utterance, "speaker" | "text">[];
  now: CallbackTime;
  language: string;
  phrases: SpokenPhrases;
  /** Whether the callee said the value to be noted. */
  isGrounded?: typeof wasSaid | undefined;
  /** Whether the tool is available now. */
  hasTool?: typeof hasTool | undefined;
}

export type ToolResult =
  | { kind: "suggestion"; suggestion: Suggestion }
  /** A built-in phrase or an approved answer. */
  | { kind: "phrase"; phrase: Phrase }
  | { kind: "detail"; name: string; value: string }
  | { kind: "refused"; why: string };

interface Tool {
  description: string;
  parameters: (standing: Standing) => TObject;
  makesSense: (standing: Standing) => boolean;
  take: (given: Record<string, unknown>, context: ToolContext) => ToolResult;
}

const STRICT = { additionalProperties: false };
const nothing = () => Type.Object({}, STRICT);
const when = () =>
  Type.Object(
    {
      when: Type.Optional(
        Type.String({
          maxLength: 120,
          description: "When, in the callee's own words. Leave it out where they named none.",
        }),
      ),
    },
    STRICT,
  );
const label = ({ offers }: Standing) =>
  Type.Object({ label: Type.Union(offers.map((offer) => Type.Literal(offer.label))) }, STRICT);

const suggest = (suggestion: Suggestion): ToolResult => ({ kind: "suggestion", suggestion });
const refuse = (why: string): ToolResult => ({ kind: "refused", why });

const choose = ({ label: chosen }: Record<string, unknown>): ToolResult =>
  suggest({ do: "choose", label: String(chosen) });

const enumOf = (values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)));

const TOOLS: Readonly<Record<ToolName, Tool>> = {
  say: {
    description: "Says one of the phrases to the callee.",
    parameters: () => Type.Object({ phrase: enumOf(PHRASE_NAMES) }, STRICT),
    makesSense: () => true,
    take({ phrase }, { phrases }) {
      const name = PHRASE_NAMES.find((known) => known === phrase);
      return name ? { kind: "phrase", phrase: phrases[name] } : refuse("There is no such phrase.");
    },
  },
  answer_question: {
    description: "Says one of the hospital's answers to the callee, word for word.",
    parameters: ({ answers = [] }) => Type.Object({ number: enumOf(answers.map((_, i) => numberOf(i))) }, STRICT),
    makesSense: ({ answers = [] }) => answers.length > 0,
    take({ number }, { standing }) {
      const chosen = answerNumbered(standing.answers ?? [], String(number));
      if (!chosen) return refuse("There is no such answer.");
      return { kind: "phrase", phrase: { name: "approved", text: chosen.answer, recorded: null } };
    },
  },
  offer_slots: {
    description:
      "Offers open times to the callee, near what they wish for. They get labels, and are read out to the callee.",
    parameters: when,
    makesSense: ({ canBook, appointment, hasPlace = false }) => !hasPlace && (canBook || appointment !== null),
    take: (given, context) => suggest({ do: "offer", wish: saidMoment(given, context) }),
  },
  book_slot: {
    description: "The callee chose one of the times on offer. It is read back to them, and booked once they agree.",
    parameters: label,
    makesSense: ({ offers, appointment, hasPlace = false }) => !hasPlace && offers.length > 0 && appointment === null,
    take: choose,
  },
  reschedule: {
    description:
      "The callee chose one of the times on offer for their appointment. It is read back to them, and the appointment is moved once they agree.",
    parameters: label,
    makesSense: ({ offers, appointment }) => offers.length > 0 && appointment !== null,
    take: choose,
  },
  join_waiting_list: {
    description:
      "No open time suits the callee. They are asked whether they want to be on the waiting list, and put on it once they agree.",
    parameters: nothing,
    makesSense: ({ canWait = false, appointment, settled }) =>
      canWait && appointment === null && settled !== "waitlisted",
    take: () => suggest({ do: "wait" }),
  },
  cancel_appointment: {
    description: "The callee wants no appointment. They are asked once more, and it is cancelled once they agree.",
    parameters: nothing,
    makesSense: ({ appointment }) => appointment !== null,
    take: () => suggest({ do: "cancel" }),
  },
  schedule_callback: {
    description: "The callee wants to be called again later. They are asked whether and when.",
    parameters: nothing,
    makesSense: ({ isOutbound }) => isOutbound,
    take: () => suggest({ do: "callback" }),
  },
  transfer: {
    description: "Puts the callee through to a person.",
    parameters: nothing,
    makesSense: ({ canTransfer }) => canTransfer,
    take: () => suggest({ do: "transfer" }),
  },
  record_detail: {
    description: "Notes something that the callee said for the hospital, in their own words.",
    parameters: ({ details = [] }) =>
      Type.Object(
        { name: enumOf(details.map(({ name }) => name)), value: Type.String({ maxLength: LONGEST_DETAIL }) },
        STRICT,
      ),
    makesSense: ({ details = [] }) => details.length > 0,
    take: recordDetail,
  },
  opt_out: {
    description: "The callee never wants to be called again. They are asked once more.",
    parameters: nothing,
    makesSense: ({ isOutbound }) => isOutbound,
    take: () => suggest({ do: "optOut" }),
  },
  end_call: {
    description: "Nothing is left to say. The callee hears goodbye.",
    parameters: nothing,
    makesSense: ({ question }) => question === "open",
    take: () => suggest({ do: "end" }),
  },
};

/** The tools available in the current state. */
export function toolsFor(standing: Standing, has = hasTool): ToolSpec[] {
  return TOOL_NAMES.filter((name) => has(name, standing)).map((name) => ({
    name,
    description: TOOLS[name].description,
    parameters: TOOLS[name].parameters(standing),
  }));
}

export const hasTool = (name: ToolName, standing: Standing): boolean => TOOLS[name].makesSense(standing);

export function toolResult(call: ToolCall, context: ToolContext): ToolResult {
  if (!isToolName(call.name)) return refuse("There is no such tool.");
  const tool = TOOLS[call.name];
  const has = context.hasTool ?? hasTool;
  if (!has(call.name, context.standing)) return refuse("It makes no sense now.");
  const given = argumentsOf(call);
  if (!given || !Value.Check(tool.parameters(context.standing), given))
    return refuse("Its arguments are not what it takes.");
  return tool.take(given, context);
}

const isToolName = (name: string): name is ToolName => (TOOL_NAMES as readonly string[]).includes(name);

function argumentsOf(call: ToolCall): Record<string, unknown> | null {
  if (call.arguments.length > LONGEST_ARGUMENTS) return null;
  if (call.arguments.trim() === "") return {};
  try {
    const given: unknown = JSON.parse(call.arguments);
    return typeof given === "object" && given !== null && !Array.isArray(given) ? { ...given } : null;
  } catch {
    return null;
  }
}

/** A day or time is accepted only as a quotation of the callee. */
function saidMoment(given: Record<string, unknown>, { said, now, language }: ToolContext): Moment | null {
  const words = typeof given["when"] === "string" ? given["when"] : "";
  const heard = said.filter(({ speaker }) => speaker !== "agent").map(({ text }) => text);
  if (!wereSaid(words, heard)) return null;
  const hearing = {
    expecting: "day_or_time" as const,
    offers: [],
    today: now.date,
    nowTime: now.startTime,
    lastOffered: null,
    language,
  };
  return understand(words, hearing).moment;
}

function recordDetail(
  given: Record<string, unknown>,
  { said, language, standing, isGrounded }: ToolContext,
): ToolResult {
  const field = standing.details?.find(({ name }) => name === given["name"]);
  const value = String(given["value"]).trim();
  if (!field) return refuse("There is no such detail.");
  const isSaid = isGrounded ?? wasSaid;
  if (!isSaid(field, value, said, language)) return refuse("The callee did not say that. Use their own words.");
  return { kind: "detail", name: field.name, value };
}

/** The value quotes one utterance, or is the yes or no to a question. */
export function wasSaid(field: AskedField, value: string, said: ToolContext["said"], language: string): boolean {
  const yesNo = /^(?:yes|true)$/i.test(value) ? true : /^(?:no|false)$/i.test(value) ? false : null;
  return said.some(({ speaker, text }, index) => {
    if (speaker === "agent") return false;
    if (yesNo === null) return isQuoted(value, text);
    return yesNoSaid(field, text, agentBefore(said, index), language) === yesNo;
  });
}

/** Every word was said by the callee. */
export function wereSaid(words: string, heard: readonly string[]): boolean {
  const theirs = new Set(heard.flatMap((text) => wordsOf(text).map(inDigits)));
  const wanted = wordsOf(words).map(inDigits);
  return wanted.length > 0 && wanted.every((word) => theirs.has(word));
}
