// Recogniser end of a client's port. Handles one utterance at a time; the client sends the next one after the answer.
import { messageOf } from "../../core/errors.ts";
import type { RecogniseAnswer, RecogniseRequest } from "./protocol.ts";
import type { Transcribed } from "./moonshine.ts";

export interface RecogniserServer {
  recognise: (samples: Int16Array) => Transcribed;
  stopwatch: () => () => number;
  /** Duration of the recognition. */
  recognised: (tookMs: number) => void;
}

export function serveRecogniser(port: MessagePort, { recognise, stopwatch, recognised }: RecogniserServer): void {
  const answer = (message: RecogniseAnswer): void => port.postMessage(message, []);
  port.addEventListener("message", ({ data: { id, samples } }: MessageEvent<RecogniseRequest>) => {
    const tookMs = stopwatch();
    try {
      answer({ id, ...recognise(samples) });
    } catch (error) {
      answer({ id, error: messageOf(error) });
    }
    recognised(tookMs());
  });
  port.start();
}
