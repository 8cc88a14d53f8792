// Dry run: predicts the outcome of a call without creating it.
import { toIso } from "../core/clock.ts";
import { checkedWords, missingWords } from "./call/agent-words.ts";
import type { DryRun } from "./model.ts";
import type { NewCall } from "./call/new-call.ts";
import {
  allowedAt,
  obstaclesShown,
  obstaclesTo,
  type HoldReason,
  type Obstacle,
  type PolicyFacts,
} from "./queue/policy.ts";

const HOLD_WORDS: Readonly<Record<HoldReason, string>> = {
  waiting_for_line: "Every line that the plan or this machine allows is in use.",
  number_in_call: "This number is in another call.",
  number_lines_busy: "Every line of the agent's numbers is in use.",
  outside_calling_hours: "The agent's calling hours are closed at that time where the callee is.",
  outside_legal_hours: "The legal hours for calls are closed at that time where the callee is.",
  too_many_calls: "The number was called as often as the rules allow for the day or the week.",
  caller_id_not_allowed: "The rules ask for a caller ID that none of the agent's numbers has.",
  agent_has_no_number: "The agent has no phone number.",
  number_has_no_trunk: "The agent's phone number is on no trunk.",
  trunk_unavailable: "The trunk of the agent's phone number cannot take calls now.",
  trunk_lines_busy: "Every line of the trunk is in use, or it starts no more calls at this moment.",
  overloaded: "This machine has as many calls as it can carry well, or is still loading its voice and ears.",
  clock_not_trusted: "The machine's clock has jumped, and no call goes out until it is believed again.",
  question_pending: "The hospital's own system is being asked.",
  question_unanswered: "The hospital's own system did not answer, and calls wait for its answer.",
  asked_to_wait: "The hospital's own system asked to wait.",
  restored_from_backup: "It was due before the database was put back to an older state, and waits for a person's word.",
  overdue: "It could not go out in time, and waits for a person's word.",
  released: "It was released, and goes out at its turn.",
  campaign_paused: "Its campaign is paused.",
};

/** `facts` are those expected when the call is due. */
export function dryRun(call: NewCall, facts: PolicyFacts): DryRun {
  const { agent } = call;
  const obstacles = obstaclesTo(facts);
  const isRefused = obstacles.some(({ kind }) => kind === "refuse");
  const at = allowedAt(facts);
  return {
    dry_run: true,
    greeting: checkedWords(agent, call).greeting,
    missing_placeholders: missingWords(agent, call),
    scheduled_at: toIso(call.scheduledAt),
    would_dial_at: isRefused || at === null ? null : toIso(at),
    held_back_by: obstacles.map(inWords),
    ...(!facts.isEnforced && { would_be_held_by: obstaclesShown(facts).map(inWords) }),
  };
}

export function inWords(obstacle: Obstacle): DryRun["held_back_by"][number] {
  return obstacle.kind === "refuse"
    ? { reason: obstacle.code, message: obstacle.message }
    : { reason: obstacle.reason, message: HOLD_WORDS[obstacle.reason] };
}
