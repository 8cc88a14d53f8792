// Introduction of the API documentation.

export const API_DESCRIPTION = `Ringward schedules AI-agent phone calls to Indian (+91) and US (+1) numbers, books appointments into
weekly windows, and reports outcomes by signed webhooks. Everything stays on this appliance.

**Authorise** with an API key in the \`x-api-key\` header. Bodies are JSON, times are ISO 8601, numbers are E.164.

Every response carries \`X-Request-Id\`; every fault is answered in the form of the \`Error\` schema.
Requests are limited per key: \`RateLimit\` and \`RateLimit-Policy\` tell how many are left, \`Retry-After\` when to come back.`;

export const API_TAGS = [
  { name: "Account", description: "What a key is and may do." },
  { name: "API keys", description: "Keys of this organisation. A key gives only what it has itself." },
  { name: "Audit log", description: "Who did and read what." },
  { name: "Calls", description: "Create, read, list, cancel and delete calls." },
  { name: "Proofs", description: "Signed records of calls: by which rules they went out, and what was said." },
  { name: "Rules", description: "Legal rules of calls by country and state. They are not legal advice." },
  { name: "Campaigns", description: "Lists of people, called at a set pace." },
  { name: "Branches and services", description: "Where appointments are, and what they are for." },
  { name: "Windows", description: "Weekly windows, their availability, and single dates that differ." },
  { name: "Closures", description: "Days on which windows are closed, and the people booked there." },
  { name: "Appointments", description: "Book, reschedule, cancel and complete." },
  { name: "Sources", description: "The hospital's own systems: appointments that live there, and wishes." },
  { name: "Reminder rules", description: "Who is called before an appointment, when and by whom." },
  { name: "Waiting list", description: "People who are called when a slot becomes free." },
  { name: "Do not disturb", description: "Numbers that are never called." },
  { name: "People", description: "Who was called or is booked; everything about one; who could see whose data." },
  { name: "Retention holds", description: "Records that must not be erased, and until when." },
  { name: "Consents", description: "Who agreed to which calls, and who withdrew it." },
  { name: "Registry", description: "Numbers that a registry refuses for promotional calls." },
  { name: "Question before the call", description: "An address of yours that is asked before each call." },
  { name: "Webhook endpoints", description: "Where events are sent, and how each delivery went." },
  { name: "Agents", description: "Who calls and what they say, with every version." },
  { name: "Phone numbers", description: "Numbers to call from and to be called at." },
  { name: "Trunks", description: "SIP trunks to providers and exchanges." },
  { name: "Inbound webhook", description: "Calls by secret address, for no-code tools." },
  { name: "Media", description: "Recordings and transcripts by signed link." },
  { name: "Public share", description: "Calls that an organisation shares by link." },
  { name: "Events", description: "What Ringward sends to your endpoints." },
] as const;
