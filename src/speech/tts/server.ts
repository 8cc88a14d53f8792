// The speech worker's end of a client's port.
import { messageOf } from "../../core/errors.ts";
import type { SpeechAnswer, SpeechCancel, SpeechRequest } from "./protocol.ts";
import type { Speaker } from "./speaker.ts";

export function serveSpeech(port: MessagePort, speak: Speaker["speak"]): void {
  const answer = (message: SpeechAnswer, transfer: Transferable[] = []) => port.postMessage(message, transfer);
  const underWay = new Map<number, AbortController>();

  async function serve({ id, text, voice, pace, longestWaitMs }: SpeechRequest): Promise<void> {
    const unwanted = new AbortController();
    underWay.set(id, unwanted);
    try {
      const samples = await speak(text, { voice, pace }, unwanted.signal, longestWaitMs);
      answer({ id, samples }, [samples.buffer]);
    } catch (error) {
      answer({ id, error: messageOf(error) });
    } finally {
      underWay.delete(id);
    }
  }

  port.addEventListener("message", ({ data }: MessageEvent<SpeechRequest | SpeechCancel>) => {
    if ("cancel" in data) underWay.get(data.cancel)?.abort();
    else void serve(data);
  });
  port.start();
}
