// What {{placeholders}} can stand for in a call: the caller's own values first, then what every call knows, then what
// the organisation is known by.
import { KNOWN_NAMES, type KnownValues } from "../../payloads/known-values.ts";

export interface TemplateQuestion {
  additionalInfo: Readonly<Record<string, unknown>> | null;
  contactName: string | null;
  agentName: string;
  /** Undefined where no text names any of it. */
  known?: KnownValues | undefined;
  /** Of the branch that this call is for, where it is another than the agent's. */
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

/** What the organisation is known by, but for what was sent with the call. An empty value was not sent. */
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
