// Greeting and prompt of an agent, rendered with the values of one call.
import { isRenderable, LONGEST_RENDERED, missingPlaceholders, renderedText } from "../../agents/template.ts";
import type { KnownAgent } from "../../agents/store.ts";
import { invalidField } from "../../core/errors.ts";
import { templateValues } from "./template-values.ts";

type AgentTexts = Pick<KnownAgent, "name" | "greeting" | "prompt" | "known">;

export interface CallValues {
  additionalInfo: Readonly<Record<string, unknown>> | null;
  contactName: string | null;
  /** Branch of the call; without it the agent's branch. */
  branchName?: string | null;
}

const valuesOf = (agent: AgentTexts, call: CallValues) =>
  templateValues({ ...call, agentName: agent.name, known: agent.known });

export interface AgentWords {
  greeting: string;
  prompt: string;
  /** With placeholders. */
  promptTemplate: string;
}

/** Null if a rendered text would be too long: a call with these values is impossible. */
export function agentWords(agent: AgentTexts, call: CallValues): AgentWords | null {
  const values = valuesOf(agent, call);
  if (!fit(agent, values)) return null;
  return {
    greeting: renderedText(agent.greeting, values),
    prompt: renderedText(agent.prompt, values),
    promptTemplate: agent.prompt,
  };
}

const fit = ({ greeting, prompt }: AgentTexts, values: Readonly<Record<string, unknown>>): boolean =>
  isRenderable(greeting, values) && isRenderable(prompt, values);

/** For requests: throws if the values make a text too long. */
export function checkedWords(agent: AgentTexts, call: CallValues): AgentWords {
  const words = agentWords(agent, call);
  if (words) return words;
  throw tooLong();
}

/** The same check without rendering: most requests do not need the texts. */
export function assertWordsFit(agent: AgentTexts, call: CallValues): void {
  if (!fit(agent, valuesOf(agent, call))) throw tooLong();
}

const tooLong = () =>
  invalidField(
    "additional_info",
    `With these values the agent's greeting or prompt would be longer than ${LONGEST_RENDERED.toLocaleString("en")} characters. Send shorter values, or name them less often in the agent's texts.`,
  );

/** Placeholders without a value, without duplicates. Accepts texts of any length. */
export function missingWords(agent: AgentTexts, call: CallValues): string[] {
  const values = valuesOf(agent, call);
  const missing = missingPlaceholders(agent.greeting, values);
  const more = missingPlaceholders(agent.prompt, values);
  return missing.length === 0 || more.length === 0 ? missing.concat(more) : [...new Set([...missing, ...more])];
}
