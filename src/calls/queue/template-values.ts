// What {{placeholders}} can stand for in a call: the caller's own values first, then what every call knows.

export function templateValues(input: {
  additionalInfo: Readonly<Record<string, unknown>> | null;
  contactName: string | null;
  agentName: string;
}): Record<string, unknown> {
  return {
    agent_name: input.agentName,
    user_name: input.contactName,
    contact_name: input.contactName,
    ...input.additionalInfo,
  };
}
