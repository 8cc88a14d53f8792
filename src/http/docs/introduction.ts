// Introduction of the API documentation.

export const API_DESCRIPTION = `Ringward schedules AI-agent phone calls to Indian (+91) and US (+1) numbers, books appointments into
weekly windows, and reports outcomes by signed webhooks. Everything stays on this appliance.

**Authorise** with an API key in the \`x-api-key\` header. Bodies are JSON, times are ISO 8601, numbers are E.164.

Every response carries \`X-Request-Id\`; every fault is answered in the form of the \`Error\` schema.
Requests are limited per key: \`RateLimit\` and \`RateLimit-Policy\` tell how many are left, \`Retry-After\` when to come back.`;

export const API_TAGS = [
  { name: "Account", description: "What a key is and may do." },
  { name: "Calls", description: "Create, read, list, cancel and delete calls." },
  { name: "Campaigns", description: "Lists of people, called one after the other at a pace." },
  { name: "Windows", description: "Weekly windows, their availability, and single dates that differ." },
  { name: "Appointments", description: "Book, reschedule, cancel and complete." },
  { name: "Waiting list", description: "Who is called when a place opens." },
  { name: "Inbound webhook", description: "Calls by secret address, for no-code tools." },
  { name: "Media", description: "Recordings and transcripts by signed link." },
  { name: "Public share", description: "Calls that an organisation shares by link." },
  { name: "Events", description: "What Ringward sends to your endpoints." },
] as const;
