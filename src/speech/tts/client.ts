// Asks the speech worker for words, straight from the thread that plays them. What the voice does not get round to in
// time is not said: a caller waits no longer than that.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Sound } from "../../telephony/port.ts";
import { G711_SAMPLE_RATE_HZ } from "../../audio/g711.ts";
import type { SpeechAnswer, SpeechRequest } from "./protocol.ts";

/** A sentence takes 50 to 200 ms. Whoever waits longer for it has long been offered silence. */
const LONGEST_WAIT_MS = 5 * SECOND_MS;

export interface SpeechClient {
  /** The way to the worker, and to the next one after it died: what is still waited for is asked again. */
  connect(port: MessagePort): void;
  /** Null where the voice does not have the language, failed, or took too long. Never rejects. */
  say(text: string, language: string): Promise<Sound | null>;
}

/** BCP 47, or as people write it. */
export function speaks(language: string): boolean {
  return /^(?:en|eng|english)(?:[-_ (]|$)/i.test(language.trim());
}

interface Waiting extends SpeechRequest {
  settle(samples: Int16Array | null): void;
}

export function createSpeechClient({ clock }: { clock: Clock }): SpeechClient {
  const waiting = new Map<number, Waiting>();
  let way: MessagePort | null = null;
  let count = 0;

  function ask(text: string): Promise<Int16Array | null> {
    return new Promise((resolve) => {
      const id = ++count;
      const cancel = clock.after(LONGEST_WAIT_MS, () => settle(null));
      const settle = (samples: Int16Array | null): void => {
        cancel();
        waiting.delete(id);
        resolve(samples);
      };
      waiting.set(id, { id, text, settle });
      send({ id, text });
    });
  }

  function send({ id, text }: SpeechRequest): void {
    way?.postMessage({ id, text } satisfies SpeechRequest, []);
  }

  return {
    connect(port) {
      way?.close();
      way = port;
      port.addEventListener("message", ({ data }: MessageEvent<SpeechAnswer>) =>
        waiting.get(data.id)?.settle("samples" in data ? data.samples : null),
      );
      port.start();
      for (const request of waiting.values()) send(request);
    },
    async say(text, language) {
      const samples = speaks(language) ? await ask(text) : null;
      if (!samples?.length) return null;
      return { samples, lengthMs: (samples.length / G711_SAMPLE_RATE_HZ) * SECOND_MS, words: text };
    },
  };
}
