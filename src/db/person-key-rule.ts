// Until when the key of a person is kept: as long as any row names the number. SQL about a row of person_keys.
const NAMED_IN: readonly { table: string; number: string; organisation?: false }[] = [
  { table: "calls", number: "contact_number" },
  { table: "appointments", number: "contact_number" },
  { table: "waiting_list", number: "contact_number" },
  // Without an organisation of its own; a number listed by another one keeps the key longer.
  { table: "campaign_rows", number: "contact_number", organisation: false },
  { table: "contact_notes", number: "contact_number" },
  { table: "consents", number: "contact_number" },
  { table: "registry_results", number: "number" },
  { table: "events", number: "contact_number" },
  { table: "hl7_messages", number: "contact_number" },
  { table: "contact_identifiers", number: "number" },
  { table: "retention_holds", number: "subject_key" },
];

export const IS_NUMBER_NAMED = NAMED_IN.map(({ table, number, organisation = true }) => {
  const same = organisation ? `${table}.organisation_id = person_keys.organisation_id AND ` : "";
  return `EXISTS (SELECT 1 FROM ${table} WHERE ${same}${table}.${number} = person_keys.contact_number)`;
}).join(" OR ");
