// What the agent of one call says and is told: its greeting and prompt, with the call's values filled in.
import { isRenderable, LONGEST_RENDERED, missingPlaceholders, renderedText } from "../../agents/template.ts";
import type { KnownAgent } from "../../agents/store.ts";
import { invalidField } from "../../core/errors.ts";
import { templateValues } from "./template-values.ts";

type AgentTexts = Pick<KnownAgent, "name" | "greeting" | "prompt" | "known">;

export interface CallValues {
  additionalInfo: Readonly<Record<string, unknown>> | null;
  contactName: string | null;
  /** Of the branch that the call is for; without it the agent's own. */
  branchName?: string | null;
}

const valuesOf = (agent: AgentTexts, call: CallValues) =>
  templateValues({ ...call, agentName: agent.name, known: agent.known });

export interface AgentWords {
  greeting: string;
  prompt: string;
  /** With its placeholders. */
  promptTemplate: string;
}

/** Null where one of them would be too long: then nobody can be called with these values. */
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

/** For whoever asks for a call: its values are what can be made shorter. */
export function checkedWords(agent: AgentTexts, call: CallValues): AgentWords {
  const words = agentWords(agent, call);
  if (words) return words;
  throw tooLong();
}

/** The same without the words: most who ask for a call do not want to see them. */
export function assertWordsFit(agent: AgentTexts, call: CallValues): void {
  if (!fit(agent, valuesOf(agent, call))) throw tooLong();
}

const tooLong = () =>
  invalidField(
    "additional_info",
    `With these values the agent's greeting or prompt would be longer than ${LONGEST_RENDERED.toLocaleString("en")} characters. Send shorter values, or name them less often in the agent's texts.`,
  );

/** Placeholders without a value, each once. Works for texts of any length. */
export function missingWords(agent: AgentTexts, call: CallValues): string[] {
  const values = valuesOf(agent, call);
  const missing = missingPlaceholders(agent.greeting, values);
  const more = missingPlaceholders(agent.prompt, values);
  return missing.length === 0 || more.length === 0 ? missing.concat(more) : [...new Set([...missing, ...more])];
}
