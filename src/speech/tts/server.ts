// Speech worker's end of a client's port.
import { messageOf } from "../../core/errors.ts";
import type { SpeechAnswer, SpeechCancel, SpeechHurry, SpeechRequest } from "./protocol.ts";
import type { Speaker } from "./speaker.ts";

export function serveSpeech(port: MessagePort, speak: Speaker["speak"], hurry?: Speaker["hurry"]): void {
  const answer = (message: SpeechAnswer, transfer: Transferable[] = []) => port.postMessage(message, transfer);
  const underWay = new Map<number, { request: SpeechRequest; unwanted: AbortController }>();

  async function serve(request: SpeechRequest): Promise<void> {
    const { id, text, voice, pace, longestWaitMs } = request;
    const unwanted = new AbortController();
    underWay.set(id, { request, unwanted });
    try {
      const samples = await speak(text, { voice, pace }, unwanted.signal, longestWaitMs);
      answer({ id, samples }, [samples.buffer]);
    } catch (error) {
      answer({ id, error: messageOf(error) });
    } finally {
      underWay.delete(id);
    }
  }

  port.addEventListener("message", ({ data }: MessageEvent<SpeechRequest | SpeechCancel | SpeechHurry>) => {
    if ("cancel" in data) underWay.get(data.cancel)?.unwanted.abort();
    else if ("hurry" in data) {
      const waited = underWay.get(data.hurry)?.request;
      if (waited) hurry?.(waited.text, waited);
    } else void serve(data);
  });
  port.start();
}
