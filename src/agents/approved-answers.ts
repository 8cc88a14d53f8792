// Validation of approved answers, which an agent's owner writes for callees' questions.
import { invalidField } from "../core/errors.ts";
import {
  LONGEST_ANSWER,
  LONGEST_QUESTION,
  MODEL_SPEECHES,
  MOST_ANSWERS,
  type ApprovedAnswer,
  type ModelSpeech,
} from "../payloads/approved-answer.ts";

export function checkedModelSpeech(value: string): ModelSpeech {
  const known = MODEL_SPEECHES.find((one) => one === value);
  if (known === undefined) throw invalidField("model_speech", `model_speech must be ${MODEL_SPEECHES.join(" or ")}.`);
  return known;
}

/** `checkLanguage`: the agent's check of a language tag. */
export function checkedAnswers(
  answers: readonly ApprovedAnswer[],
  checkLanguage: (tag: string, field: string) => string,
): ApprovedAnswer[] {
  if (answers.length > MOST_ANSWERS) throw wrong(`may hold at most ${MOST_ANSWERS} answers.`);
  const seen = new Set<string>();
  return answers.map((given) => {
    const question = oneLine("question", given.question, LONGEST_QUESTION);
    const answer = oneLine("answer", given.answer, LONGEST_ANSWER);
    const language = given.language.trim() === "" ? "" : checkLanguage(given.language.trim(), "approved_answers");
    const key = JSON.stringify([question.toLowerCase(), language.toLowerCase()]);
    if (seen.has(key)) throw wrong("may answer each question once per language.");
    seen.add(key);
    return { question, answer, language };
  });
}

/** Spoken verbatim, so placeholders and unspeakable characters are rejected. */
function oneLine(field: "question" | "answer", value: string, longest: number): string {
  const text = value.replaceAll(/\s+/g, " ").trim();
  if (text.length === 0 || text.length > longest) throw wrong(`need a ${field} of 1 to ${longest} characters.`);
  if (/\{\{|\}\}/.test(text)) throw wrong("are spoken as written: they cannot hold {{placeholders}}.");
  if (/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u.test(text.replaceAll(/[\u200c\u200d]/g, "")))
    throw wrong("cannot hold control characters.");
  return text;
}

const wrong = (message: string) => invalidField("approved_answers", `approved_answers ${message}`);
