// Answers what a call's agent asks from the worker: the calendar from the call's own desk, words from the voice.
import type { Logger } from "../../../core/logger.ts";
import type { Voice } from "../../../speech/tts/port.ts";
import type { BookingDesk, DialRequest } from "../../port.ts";
import { faultFields } from "../worker/fault.ts";
import type { Answer, Answers, Question } from "../protocol.ts";
import { spokenLanguage } from "./spoken-language.ts";

/** Never rejects: a failure is logged here, without what was asked, and told as such. */
export async function answerTo(
  question: Question,
  request: DialRequest,
  voice: Voice | null,
  logger: Logger,
): Promise<Answer> {
  const { callId, desk } = request;
  try {
    if (question.kind !== "speak") return { value: await askDesk(question, desk) };
    return { value: voice && spokenLanguage(request, voice) !== null ? await voice.speak(question.text) : null };
  } catch (error) {
    const fields = { call_id: callId, question: question.kind, ...faultFields(error) };
    logger.error("a question of a call's agent could not be answered", fields);
    return { failed: true };
  }
}

function askDesk(
  question: Exclude<Question, { kind: "speak" }>,
  desk: BookingDesk | null,
): Promise<Answers[typeof question.kind]> {
  if (!desk) throw new Error("The call has no calendar.");
  switch (question.kind) {
    case "appointment":
      return desk.appointment();
    case "confirm":
      return desk.confirm();
    case "requestChange":
      return desk.requestChange();
    case "offer":
      return desk.offer(question.most);
    case "book":
      return desk.book(question.label);
  }
}
