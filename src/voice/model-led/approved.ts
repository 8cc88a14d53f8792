// Approved answers available on a call: those in its language, numbered from 1.
import type { ApprovedAnswer } from "../../payloads/approved-answer.ts";
import { languageNamed } from "../../speech/languages.ts";
import type { AgentBrief } from "../port.ts";

export function answersFor({ approvedAnswers = [], language }: Pick<AgentBrief, "approvedAnswers" | "language">) {
  return approvedAnswers.filter((one) => isSame(one.language, language));
}

/** Answers in other languages are excluded. */
function isSame(one: string, other: string): boolean {
  const [named, spoken] = [languageNamed(one), languageNamed(other)];
  return named === null ? one.toLowerCase() === other.toLowerCase() : named === spoken;
}

export const numberOf = (index: number): string => String(index + 1);

export const answerNumbered = (answers: readonly ApprovedAnswer[], number: string): ApprovedAnswer | undefined =>
  answers.find((_, index) => numberOf(index) === number);
