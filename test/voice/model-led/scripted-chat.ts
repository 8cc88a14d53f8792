// In-memory language model server with scripted answers and delays.
import { ServerFault, type ChatClient, type ChatPart, type ChatRequest } from "../../../src/speech/servers/port.ts";
import type { Clock } from "../../../src/core/clock.ts";
import type { ModelAnswer } from "../../support/patient/models.ts";

export type ScriptedAnswer = ModelAnswer;

export type ChatScript = (request: ChatRequest, turn: number) => ScriptedAnswer;

export interface ScriptedChat extends ChatClient {
  requests: ChatRequest[];
}

const isProbe = ({ tools }: ChatRequest) => tools.length === 0;

/** `probe`: whether it answers probes quickly. */
export function scriptedChat(clock: Clock, script: ChatScript, { probe = (): boolean => true } = {}): ScriptedChat {
  const requests: ChatRequest[] = [];
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const fail = () => reject(new ServerFault("aborted"));
      if (signal.aborted) return fail();
      signal.addEventListener("abort", fail);
      if (Number.isFinite(ms)) clock.after(ms, resolve);
    });

  async function* stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatPart> {
    if (isProbe(request)) {
      if (!probe()) throw new ServerFault("status", 500);
      yield { type: "text", text: "ready" };
      yield { type: "end", reason: "stop" };
      return;
    }
    requests.push(request);
    const answer = script(request, requests.length - 1);
    await wait(answer.afterMs ?? 0, signal);
    if (answer.fails) throw new ServerFault(answer.fails, answer.fails === "status" ? 500 : null);
    const { text = "", stallsAfter } = answer;
    for (let at = 0; at < text.length; at += 7) {
      if (stallsAfter !== undefined && at >= stallsAfter) await wait(Number.POSITIVE_INFINITY, signal);
      yield { type: "text", text: text.slice(at, at + 7) };
    }
    for (const [index, { name, arguments: given = {} }] of (answer.calls ?? []).entries()) {
      const json = typeof given === "string" ? given : JSON.stringify(given);
      yield { type: "toolCall", call: { id: `call-${index}`, name, arguments: json } };
    }
    yield { type: "end", reason: answer.calls ? "tool_calls" : "stop" };
  }

  return { requests, stream, warm() {}, close() {} };
}
