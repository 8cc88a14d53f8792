// Sends the analysis question of a call to a language model, once.
import type { ChatClient } from "../../speech/servers/port.ts";
import { readAnswer, type ModelAnalysis } from "./answer.ts";
import { analysisRequest, type AnalysedCall } from "./question.ts";

/** A form of twenty fields with 500 characters each takes half of it. */
const LONGEST_ANSWER = 40_000;

/** Null if the answer is invalid. Throws a ServerFault if there is none. */
export async function askAboutCall(
  client: ChatClient,
  call: AnalysedCall,
  signal: AbortSignal,
): Promise<ModelAnalysis | null> {
  let text = "";
  for await (const part of client.stream(analysisRequest(call), signal)) {
    if (part.type === "text") text += part.text;
    if (text.length > LONGEST_ANSWER) return null;
  }
  return readAnswer(text, call.fields);
}
