// Descriptions of path and query parameters. Most are in the schema of the route; the ids are the same everywhere.

interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema?: { description?: string };
}

const IN_PATH: Readonly<Record<string, string>> = {
  agent_id: "The agent.",
  appointment_id: "The appointment.",
  appointment_type_id: "The service.",
  branch_id: "The branch.",
  call_id: "The call.",
  campaign_id: "The campaign.",
  closure_id: "The closure.",
  consent_id: "The consent.",
  contact_id: "The person, as in the list of people.",
  delivery_id: "The delivery.",
  endpoint_id: "The webhook endpoint.",
  file_id: "The held file.",
  hold_id: "The retention hold.",
  key_id: "The API key.",
  message_id: "The message.",
  phone_number_id: "The phone number.",
  rule_id: "The reminder rule.",
  source_id: "The source.",
  token: "The secret part of the address.",
  trunk_id: "The trunk.",
  waiting_id: "The entry of the waiting list.",
};

const IN_QUERY: Readonly<Record<string, string>> = {
  agent_id: "Of this agent only.",
  call_id: "Of this call only.",
  endpoint_id: "Of this webhook endpoint only.",
  expires: "As in the signed link.",
  kind: "Of this kind only.",
  outcome: "With this outcome only.",
  purpose: "The purpose of the calls.",
  release: "true keeps the upcoming appointments of the source, and staff may change them from then on.",
  session: "Of this time of day only.",
  signature: "As in the signed link.",
  source_id: "Of this source only.",
  state: "In this state only.",
  status: "With this status only.",
};

/** OpenAPI shows the description of a parameter, not that of its schema. */
export function described(parameters: readonly object[]): object[] {
  return (parameters as Parameter[]).map(({ schema, ...parameter }) => {
    const { description: inSchema, ...bare } = schema ?? {};
    const words = (parameter.in === "path" ? IN_PATH : IN_QUERY)[parameter.name];
    const description = parameter.description ?? inSchema ?? words;
    return { ...parameter, ...(description === undefined ? {} : { description }), schema: bare };
  });
}
