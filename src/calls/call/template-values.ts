// Values for {{placeholders}} in a call, in order of precedence: additional_info, values of every call, facts about the
// organisation.
import { KNOWN_NAMES, type KnownValues } from "../../payloads/known-values.ts";

export interface TemplateQuestion {
  additionalInfo: Readonly<Record<string, unknown>> | null;
  contactName: string | null;
  agentName: string;
  /** Undefined if no text uses any of them. */
  known?: KnownValues | undefined;
  /** Branch of this call, if it differs from the agent's. */
  branchName?: string | null | undefined;
}

export function templateValues(question: TemplateQuestion): Record<string, unknown> {
  const { additionalInfo, contactName, agentName } = question;
  const values: Record<string, unknown> = {
    agent_name: agentName,
    user_name: contactName,
    contact_name: contactName,
    ...additionalInfo,
  };
  return question.known ? Object.assign(values, knownFacts(question)) : values;
}

/** Facts about the organisation, except those sent with the call. An empty value counts as not sent. */
export function knownFacts({
  additionalInfo,
  known,
  branchName,
}: Pick<TemplateQuestion, "additionalInfo" | "known" | "branchName">): Record<string, string> {
  if (!known) return {};
  const sent = (name: string) =>
    additionalInfo !== null && Object.hasOwn(additionalInfo, name) ? additionalInfo[name] : null;
  const facts = { ...known, branch: branchName ?? known.branch };
  return Object.fromEntries(
    KNOWN_NAMES.flatMap((name) => {
      const value = facts[name];
      return value && [null, undefined, ""].includes(sent(name) as null) ? [[name, value] as const] : [];
    }),
  );
}
