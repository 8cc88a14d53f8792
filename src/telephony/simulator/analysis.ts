// What a simulated call's analysis says of it, in English: the hospital's staff reads it, not the person called.
import type { CallAnalytics } from "../../events/model.ts";
import type { Ending } from "./outcomes.ts";

export interface Findings {
  agentName: string;
  /** A sentence; empty when the agent stated none. */
  purpose: string;
  detailsConfirmed: boolean;
  callbackMinutes: number;
  /** What kept a visit from being booked, where the agent has a calendar. */
  visit: "none needed" | "nothing open" | "taken";
}

type Verdict = Omit<CallAnalytics, "disposition">;

const reached = ({ agentName, purpose }: Findings): string =>
  purpose
    ? `${agentName} reached the contact and gave the purpose of the call: ${purpose.replace(/[.!?।]+$/u, "")}.`
    : `${agentName} reached the contact.`;

const received = ({ detailsConfirmed }: Findings): string =>
  detailsConfirmed ? "The contact confirmed the details on file" : "The contact listened";

const NOT_BOOKED = {
  "nothing open": "no appointment could be offered",
  taken: "the place that they chose had just been taken",
};

const VERDICTS: Record<Ending | "appointment_booked", (findings: Findings) => Verdict> = {
  session_ended: (findings) =>
    findings.visit !== "none needed"
      ? {
          summary: `${reached(findings)} ${received(findings)}, but ${NOT_BOOKED[findings.visit]}.`,
          sentiment: "neutral",
          next_steps: "Open more windows, then call again.",
        }
      : {
          summary: `${reached(findings)} ${received(findings)}, and the conversation came to its end.`,
          sentiment: "positive",
          next_steps: "None.",
        },
  appointment_booked: (findings) => ({
    summary: `${reached(findings)} The contact chose one of the places that were offered, and the appointment was booked.`,
    sentiment: "positive",
    next_steps: "Expect the contact at the appointment.",
  }),
  not_interested: (findings) => ({
    summary: `${reached(findings)} The contact said that they are not interested.`,
    sentiment: "negative",
    next_steps: "Do not call again about this.",
  }),
  callback_scheduled: (findings) => ({
    summary: `${reached(findings)} The contact had no time and agreed to be called again in ${findings.callbackMinutes} minutes.`,
    sentiment: "neutral",
    next_steps: `Call again in ${findings.callbackMinutes} minutes, as agreed.`,
  }),
  transferred: (findings) => ({
    summary: `${reached(findings)} ${received(findings)} and asked for a member of staff. The call was transferred.`,
    sentiment: "neutral",
    next_steps: "The member of staff who took the call follows up.",
  }),
  ended_by_customer: ({ agentName }) => ({
    summary: `${agentName} reached the contact and greeted them. The contact had no time and hung up.`,
    sentiment: "negative",
    next_steps: "Try again at another time of day.",
  }),
  voicemail: ({ agentName }) => ({
    summary: `${agentName} reached a voicemail. A short message without details was left.`,
    sentiment: "neutral",
    next_steps: "Try again later.",
  }),
};

export function analyse(ending: Ending | "appointment_booked", findings: Findings): CallAnalytics {
  return { ...VERDICTS[ending](findings), disposition: ending };
}
