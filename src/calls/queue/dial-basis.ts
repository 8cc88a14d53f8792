// The facts on which a call is dialled, refused or received, stored with it as part of its proof. Pure.
import { calleeZones } from "../../core/callee-zone.ts";
import { toIso } from "../../core/clock.ts";
import { wallTime } from "../../core/zones.ts";
import { NO_RULES, type DialBasis, type Purpose, type RecordingMode } from "../../payloads/lawful.ts";
import { ruleBook } from "../../rules/book/embedded-books.ts";
import type { OrganisationChanges } from "../../rules/book/rule-book.ts";
import { numberWithRules } from "../../rules/recording-mode.ts";
import { countsAt } from "./call-limits.ts";
import { obstaclesShown, reasonOf, type PolicyFacts } from "./policy.ts";

export function dialBasisOf(facts: PolicyFacts, recording: RecordingMode): DialBasis {
  const { now, isEnforced, legal } = facts;
  const { rules, purpose, zones, dials, consent, isRequested } = legal;
  return {
    rules: rules.version,
    isEnforced,
    ...(!isEnforced && { wouldBeHeldBy: obstaclesShown(facts).map(reasonOf) }),
    purpose,
    region: rules.region,
    zones,
    localTime: localTimeOf(now, zones[0] ?? "UTC"),
    counts: {
      ...countsAt(dials, zones, now),
      perDay: rules.perDay,
      perWeek: rules.perWeek,
      isExempt: isRequested,
    },
    // Where no consent is needed, one that was given still counts: limits may depend on it.
    consentId: consent?.state === "given" ? consent.id : null,
    question: questionOf(facts),
    recording,
  };
}

export interface ArrivalBasis {
  now: number;
  isEnforced: boolean;
  caller: string;
  ownNumber: string;
  purpose: Purpose;
  changes: OrganisationChanges;
  recording: RecordingMode;
}

/** Of a received call only the recording depends on rules. */
export function arrivalBasisOf(arrival: ArrivalBasis): DialBasis {
  const { now, isEnforced, caller, ownNumber, purpose, changes, recording } = arrival;
  const number = numberWithRules(caller, ownNumber);
  const question = { region: null, purpose, hasConsent: false };
  const rules = number === null ? null : ruleBook().resolve({ ...question, number }, changes);
  const zones = number === null ? [] : calleeZones(number);
  return {
    rules: rules?.version ?? NO_RULES,
    isEnforced,
    purpose,
    region: rules?.region ?? null,
    zones,
    localTime: localTimeOf(now, zones[0] ?? "UTC"),
    counts: { day: 0, week: 0, perDay: null, perWeek: null, isExempt: true },
    consentId: null,
    question: null,
    recording,
  };
}

/** Other answers neither let a call out nor end it. */
function questionOf({ question }: PolicyFacts): DialBasis["question"] {
  if (question?.kind !== "go" && question?.kind !== "failed_open" && question?.kind !== "drop") return null;
  return { answer: question.kind, at: toIso(question.at) };
}

function localTimeOf(at: number, zone: string): string {
  const { date, minuteOfDay } = wallTime(at, zone);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date}T${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`;
}
