// Form values of a campaign's schedule, their validation, and the request body.
import type { CallingHours } from "../../../agents/calling-hours.ts";
import { formatNumber, zonedToIso } from "../../format.ts";
import { said } from "../../words.ts";
import type { RetryRule } from "./campaign.ts";

const words = said.campaigns.make;

export const RETRY_OUTCOMES = ["no_answer", "busy", "voicemail", "failed"] as const;
export type RetryOutcome = (typeof RETRY_OUTCOMES)[number];

export interface Plan {
  name: string;
  when: "now" | "later";
  /** Wall time in the organisation's zone, in the format of the field. */
  laterAt: string;
  perMinute: string;
  hours: "agent" | "own";
  start: string;
  end: string;
  days: readonly number[];
  retries: "agent" | "own";
  retry: Readonly<Record<RetryOutcome, { attempts: string; minutes: string }>>;
}

export const NEW_PLAN: Plan = {
  name: "",
  when: "now",
  laterAt: "",
  perMinute: "30",
  hours: "agent",
  start: "09:00",
  end: "18:00",
  days: [1, 2, 3, 4, 5, 6],
  retries: "agent",
  retry: {
    no_answer: { attempts: "2", minutes: "60" },
    busy: { attempts: "2", minutes: "15" },
    voicemail: { attempts: "0", minutes: "240" },
    failed: { attempts: "1", minutes: "30" },
  },
};

/** Errors by the API's field names. */
export function planFaults(plan: Plan): Record<string, string> {
  return {
    ...(plan.when === "later" && plan.laterAt === "" ? { start_at: words.timeMissing } : {}),
    ...(plan.hours === "own" && plan.days.length === 0 ? { calling_hours: words.daysMissing } : {}),
  };
}

export interface PlanBody {
  name: string;
  start_at?: string;
  calls_per_minute: number;
  calling_hours?: CallingHours;
  retry?: Record<RetryOutcome, RetryRule>;
}

/** Omits settings that follow the agent. */
export function planBody(plan: Plan, zone: string): PlanBody {
  const { start, end, days } = plan;
  return {
    name: plan.name.trim(),
    calls_per_minute: Number(plan.perMinute),
    ...(plan.when === "later" ? { start_at: zonedToIso(plan.laterAt, zone) } : {}),
    ...(plan.hours === "own" ? { calling_hours: { start, end, days: days.toSorted((a, b) => a - b) } } : {}),
    ...(plan.retries === "own" ? { retry: retryOf(plan) } : {}),
  };
}

function retryOf({ retry }: Plan): Record<RetryOutcome, RetryRule> {
  const rule = (outcome: RetryOutcome): RetryRule => ({
    attempts: Number(retry[outcome].attempts),
    minutes: Number(retry[outcome].minutes),
  });
  return { no_answer: rule("no_answer"), busy: rule("busy"), voicemail: rule("voicemail"), failed: rule("failed") };
}

/** "About 7 minutes for all", from the pace alone. */
export function durationText(people: number, perMinute: string): string {
  const minutes = Math.ceil(people / Math.max(1, Number(perMinute) || 1));
  if (minutes < 90) return words.minutes(formatNumber(Math.max(1, minutes)));
  return words.hours(formatNumber(Math.round(minutes / 60)));
}

/** "reminders march.csv" → "reminders march". */
export function nameOfFile(fileName: string): string {
  return fileName
    .replace(/\.[^.]*$/, "")
    .replaceAll(/[_\s]+/g, " ")
    .trim()
    .slice(0, 100);
}

/** Works without TLS, where browsers lack randomUUID. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
