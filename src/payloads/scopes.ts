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
} as const;

export type Scope = keyof typeof SCOPES;

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}
