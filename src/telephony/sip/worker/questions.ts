// Questions from agents to the main thread, matched to their answers by number.
import type { Answer, FromWorker } from "../carrier/protocol.ts";

export interface Questions {
  of(callId: string): (question: unknown) => Promise<unknown>;
  answered(askId: number, answer: Answer): void;
}

export function createQuestions(send: (message: FromWorker) => void): Questions {
  const open = new Map<number, (answer: Answer) => void>();
  let lastAskId = 0;
  return {
    of: (callId) => (question) =>
      new Promise((resolve, reject) => {
        const askId = ++lastAskId;
        open.set(askId, (answer) => {
          if ("value" in answer) resolve(answer.value);
          else reject(new Error("The main thread could not answer; its log says why."));
        });
        send({ type: "ask", askId, callId, question });
      }),
    answered(askId, answer) {
      const settle = open.get(askId);
      open.delete(askId);
      settle?.(answer);
    },
  };
}
