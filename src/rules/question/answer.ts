// Answers to the question before a call: go, wait or drop. Anything else counts as not answered. Pure.
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { parseIsoTime } from "../../core/iso-time.ts";
import { LONGEST_DROP_REASON, type QuestionFails } from "../../payloads/call-question.ts";
import type { PostResult } from "../../events/safe-post/safe-post.ts";

/** Short, because every call of the organisation waits for it. */
export const QUESTION_TIMEOUT_MS = 2 * SECOND_MS;
/** An older answer is not used: the patient may have been admitted since. */
export const ANSWER_VALID_MS = 30 * SECOND_MS;
/** Limits of a wait. The shortest equals the validity, so a waiting call is always asked again. */
const SHORTEST_WAIT_MS = ANSWER_VALID_MS;
const LONGEST_WAIT_MS = 7 * DAY_MS;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;
/** The sender keeps this much of a response; see safe-post/excerpt.ts. */
const LONGEST_ANSWER = 1_000;

export type Answer =
  | { kind: "go" }
  | { kind: "wait"; until: number }
  | { kind: "drop"; reason: string }
  | { kind: "failed"; detail: string };

/** An answer as the dispatcher uses it. `failed_open`: not answered, and the organisation lets such calls go out. */
export type DialAnswer = (Exclude<Answer, { kind: "failed" }> | { kind: "failed_open" } | { kind: "unanswered" }) & {
  at: number;
};

/** For the rules of a call. `not_asked`: no valid answer is known. */
export type QuestionFact =
  | Exclude<DialAnswer, { kind: "unanswered" }>
  | { kind: "unanswered"; until: number }
  | { kind: "not_asked" };

/** `since`: since when the call has been held back. */
export function questionFact(answer: DialAnswer | null, since: number | null, now: number): QuestionFact {
  if (answer === null || (answer.kind === "wait" && answer.until <= now)) return { kind: "not_asked" };
  return answer.kind === "unanswered" ? { kind: "unanswered", until: askAgainAt(since, now) } : answer;
}

export function answerIn(result: PostResult, now: number): Answer {
  if (result.kind !== "answered") return failed(result.detail);
  if (result.status < 200 || result.status > 299) return failed(`Answered ${result.status}.`);
  if (result.excerpt.length >= LONGEST_ANSWER)
    return failed(`The answer is longer than ${LONGEST_ANSWER.toLocaleString("en")} characters.`);
  const body = parsed(result.excerpt);
  if (typeof body !== "object" || body === null) return failed("The answer is not a JSON object.");
  const { answer, until, reason } = body as Record<string, unknown>;
  if (answer === "go") return { kind: "go" };
  if (answer === "wait") return waitUntil(until, now);
  if (answer === "drop") return { kind: "drop", reason: reasonOf(reason) };
  return failed('"answer" must be go, wait or drop.');
}

export function dialAnswerOf(answer: Answer, fails: QuestionFails, at: number): DialAnswer {
  if (answer.kind !== "failed") return { ...answer, at };
  return { kind: fails === "open" ? "failed_open" : "unanswered", at };
}

/** Pause before the next question of a call that has been without an answer since `since`: it doubles each time. */
export function askAgainAt(since: number | null, now: number): number {
  const waitedMs = since === null ? 0 : now - since;
  return now + Math.min(Math.max(waitedMs, ANSWER_VALID_MS), LONGEST_PAUSE_MS);
}

function waitUntil(until: unknown, now: number): Answer {
  if (typeof until !== "string") return failed('"wait" needs "until", a time such as 2026-11-19T10:00:00Z.');
  try {
    const at = parseIsoTime("until", until);
    return { kind: "wait", until: Math.min(Math.max(at, now + SHORTEST_WAIT_MS), now + LONGEST_WAIT_MS) };
  } catch {
    return failed('"until" is not a time such as 2026-11-19T10:00:00Z.');
  }
}

function reasonOf(reason: unknown): string {
  return typeof reason === "string" ? reason.trim().slice(0, LONGEST_DROP_REASON) : "";
}

const failed = (detail: string): Answer => ({ kind: "failed", detail });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
