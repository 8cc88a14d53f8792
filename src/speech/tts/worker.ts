// The voice's worker: one sentence after the other, away from the threads that calls and requests wait on.
import { messageOf } from "../../core/errors.ts";
import { loadFlite } from "./flite.ts";
import type { FromVoiceWorker, ToVoiceWorker } from "./worker-port.ts";

declare const self: Worker;

const loading = loadFlite();

self.addEventListener("message", ({ data }: MessageEvent<ToVoiceWorker>) => void answer(data));

async function answer({ id, sentence }: ToVoiceWorker): Promise<void> {
  const speak = await loading;
  try {
    const samples = speak(sentence);
    const message: FromVoiceWorker = { id, samples };
    self.postMessage(message, [samples.buffer]);
  } catch (error) {
    const message: FromVoiceWorker = { id, error: messageOf(error) };
    self.postMessage(message, []);
  }
}
