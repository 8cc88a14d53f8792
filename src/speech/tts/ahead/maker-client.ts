// The shelf's way to the thread that makes clauses. What that one died over is asked of the next.
import type { SpeechAnswer, SpeechRequest } from "../protocol.ts";

export interface MakerClient {
  /** Waits as long as it takes: to make a clause, and for somebody who can. */
  say(clause: string, voice: string): Promise<Int16Array>;
  /** The way to the maker, and to the next one after it died. */
  connect(port: MessagePort): void;
}

interface Asked {
  request: SpeechRequest<string>;
  result: PromiseWithResolvers<Int16Array>;
}

export function createMakerClient(): MakerClient {
  const asked = new Map<number, Asked>();
  let way: MessagePort | null = null;
  let count = 0;

  function answered(answer: SpeechAnswer): void {
    const { result } = asked.get(answer.id) ?? {};
    asked.delete(answer.id);
    if ("samples" in answer) result?.resolve(answer.samples);
    else result?.reject(new Error(answer.error));
  }

  return {
    say(text, voice) {
      const request: SpeechRequest<string> = { id: ++count, text, voice, pace: "usual", longestWaitMs: Infinity };
      const result = Promise.withResolvers<Int16Array>();
      asked.set(request.id, { request, result });
      way?.postMessage(request, []);
      return result.promise;
    },
    connect(port) {
      way?.close();
      way = port;
      port.addEventListener("message", ({ data }: MessageEvent<SpeechAnswer>) => answered(data));
      port.start();
      for (const { request } of asked.values()) port.postMessage(request, []);
    },
  };
}
