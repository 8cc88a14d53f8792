// Scopes of an API key. The table is the single source for checks, help texts and the documentation.

export const SCOPES = {
  "calls:create": "Create calls",
  "calls:read": "Read and list calls",
  "calls:cancel": "Cancel calls",
  "calls:delete": "Delete completed calls and their personal data",
  "appointments:read": "Read appointments, configuration, services and availability",
  "appointments:write": "Create and change appointments",
  "slots:read": "Read window availability and schedule tracking",
  "slots:write": "Create, change and disable windows; change and regenerate tracking",
  "campaigns:read": "Read campaigns, their progress and results",
  "campaigns:write": "Make campaigns, pause, resume and stop them",
  "waitlist:read": "Read the waiting list",
  "waitlist:write": "Put people on the waiting list and take them off",
  "dnd:read": "Read and look up the do-not-disturb list",
  "dnd:write": "Put numbers on the do-not-disturb list and take them off",
  "endpoints:read": "Read webhook endpoints and their deliveries, with the data that was sent",
  "endpoints:write": "Create, change, test and remove webhook endpoints; replay deliveries",
  "keys:read": "Read which API keys exist, without their secrets",
  "keys:write": "Create and revoke API keys that have no more scopes than this key",
  "audit:list": "Read the audit log: who did and read what",
  "people:export": "Export everything about one person",
  "audit:read": "Read who could see whose data (breach report)",
  "holds:read": "Read retention holds",
  "holds:write": "Add and release retention holds",
  "consents:read": "Read consents and their history",
  "consents:write": "Record and withdraw consents",
  "registry:read": "Read and export results of registry scrubs",
  "registry:write": "Import and remove registry scrubs",
  "question:read": "Read which address is asked before each call",
  "question:write": "Change and test the address that is asked before each call",
  "agents:read": "Read agents and their versions, and preview their texts",
  "agents:write": "Create, change, archive and restore agents",
  "numbers:read": "Read phone numbers",
  "numbers:write": "Add, change and remove phone numbers",
  "trunks:read": "Read trunks and whether they work",
  "trunks:write": "Create, change and remove trunks",
  "directory:read": "Read branches and services",
  "directory:write": "Create, change and remove branches and services",
  "closures:read": "Read closed days and the people who could not be moved",
  "closures:write": "Close and reopen days; see, move and call the people booked there",
  "reminders:read": "Read reminder rules and count whom they would call",
  "reminders:write": "Create, change and remove reminder rules",
  "sources:read": "Read the hospital's systems that send appointments",
  "sources:write": "Add, change and remove sources; send their appointments and answer wishes",
  "hl7:read": "Read the log of HL7 messages, and see what a message says",
  "hl7:write": "Process refused HL7 messages again",
  "people:read": "List, find and read people with their calls, appointments and notes",
} as const;

export type Scope = keyof typeof SCOPES;

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}
