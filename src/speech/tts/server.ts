// The speech worker's end of a client's port.
import { messageOf } from "../../core/errors.ts";
import type { SpeechAnswer, SpeechRequest } from "./protocol.ts";

export function serveSpeech(port: MessagePort, speak: (text: string) => Promise<Int16Array<ArrayBuffer>>): void {
  const answer = (message: SpeechAnswer, transfer: Transferable[] = []) => port.postMessage(message, transfer);
  port.addEventListener("message", ({ data: { id, text } }: MessageEvent<SpeechRequest>) => {
    speak(text).then(
      (samples) => answer({ id, samples }, [samples.buffer]),
      (error: unknown) => answer({ id, error: messageOf(error) }),
    );
  });
  port.start();
}
