// Facts for the pure rules: a call without any obstacle, and the legal facts behind it.
import type { LegalFacts } from "../../src/calls/queue/legal-facts.ts";
import type { PolicyFacts } from "../../src/calls/queue/policy.ts";
import type { CallRules } from "../../src/rules/call-rules.ts";

export const NO_RULES: CallRules = {
  version: "in-2026.11",
  country: "IN",
  region: null,
  hours: { start: "00:00", end: "23:59", days: [0, 1, 2, 3, 4, 5, 6] },
  daysOff: [],
  perDay: null,
  perWeek: null,
  needsConsent: false,
  callerIdPrefix: null,
  recording: "announce",
};

export const LAWFUL: LegalFacts = {
  rules: NO_RULES,
  purpose: "service",
  zones: ["Asia/Kolkata"],
  dials: [],
  isRequested: false,
  consent: null,
  isRefusedByRegistry: false,
  hasLawfulNumber: true,
};

export const freeFacts = (now: number): PolicyFacts => ({
  now,
  contactNumber: "+919810012345",
  allowedRanges: [],
  isSimulated: false,
  creditsLeft: 10,
  creditsNeeded: 1,
  isDoNotDisturb: false,
  isClockBelieved: true,
  callingHours: null,
  isEnforced: true,
  legal: LAWFUL,
  freeApplianceLines: 1,
  freePlanLines: 1,
  contactIsInCall: false,
  agentHasNumber: true,
  freeNumberLines: 1,
  trunkLines: { kind: "open", lines: 1 },
  turnAt: 0,
});
