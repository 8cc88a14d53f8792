// What the agent of one call says and is told: its greeting and prompt, with the call's values filled in.
import { LONGEST_RENDERED, missingPlaceholders, renderTemplate } from "../../agents/template.ts";
import { AppError, invalidField } from "../../core/errors.ts";
import type { AgentRow } from "../../db/tables.ts";
import { templateValues } from "./template-values.ts";

type AgentTexts = Pick<AgentRow, "name" | "greeting" | "prompt">;

export interface CallValues {
  additionalInfo: Readonly<Record<string, unknown>> | null;
  contactName: string | null;
}

export interface AgentWords {
  greeting: string;
  prompt: string;
  /** With its placeholders. */
  promptTemplate: string;
}

/** Null where one of them would be too long: then nobody can be called with these values. */
export function agentWords(agent: AgentTexts, call: CallValues): AgentWords | null {
  const values = templateValues({ ...call, agentName: agent.name });
  try {
    return {
      greeting: renderTemplate(agent.greeting, values).text,
      prompt: renderTemplate(agent.prompt, values).text,
      promptTemplate: agent.prompt,
    };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** For whoever asks for a call: its values are what can be made shorter. */
export function checkedWords(agent: AgentTexts, call: CallValues): AgentWords {
  const words = agentWords(agent, call);
  if (words) return words;
  throw invalidField(
    "additional_info",
    `With these values the agent's greeting or prompt would be longer than ${LONGEST_RENDERED.toLocaleString("en")} characters. Send shorter values, or name them less often in the agent's texts.`,
  );
}

/** Placeholders without a value, each once. Works for texts of any length. */
export function missingWords(agent: AgentTexts, call: CallValues): string[] {
  const values = templateValues({ ...call, agentName: agent.name });
  const missing = [agent.greeting, agent.prompt].flatMap((text) => missingPlaceholders(text, values));
  return [...new Set(missing)];
}
