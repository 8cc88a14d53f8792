// What the main thread has asked the Hindi voice's shelf to have made, and what of it is there. It remembers no text longer than
// it waits for it: that may name a person.
import { MINUTE_MS, type Clock } from "../../../core/clock.ts";
import type { HindiVoice } from "../kokoro/voices.ts";
import type { AheadRequest, FromHindiVoice } from "./protocol.ts";
import { soundKey } from "./sound-store.ts";

/** What was made is in the shelf's memory for longer than that, whatever else is made. Then it is asked again. */
const READY_FOR_MS = 10 * MINUTE_MS;
/** More could not be made in any time that is of use. */
const MOST_ASKED = 2_000;

interface Asked extends AheadRequest {
  key: string;
  isStock: boolean;
}

export interface AheadRequests {
  /** The way to the shelf, and to the next one after it died: what is still waited for is asked again. */
  connect(port: MessagePort): void;
  ask(text: string, voice: HindiVoice, ahead: AheadRequest["ahead"]): void;
  isMade(text: string, voice: HindiVoice): boolean;
  isStocked(text: string, voice: HindiVoice): boolean;
  /** The shelf is empty, but for what is on disk. */
  forget(): void;
  readonly waiting: number;
}

export function createAheadRequests(clock: Clock): AheadRequests {
  const asked = new Map<number, Asked>();
  const idOf = new Map<string, number>();
  /** When each was last known to be made. */
  const madeAt = new Map<string, number>();
  /** Made and kept for good. */
  const stocked = new Set<string>();
  let way: MessagePort | null = null;
  let count = 0;

  function send({ id, text, voice, ahead }: AheadRequest): void {
    way?.postMessage({ id, text, voice, ahead } satisfies AheadRequest, []);
  }

  /** Where it cannot be made, as a text in another script, waiting is no use either. */
  function answered({ id }: FromHindiVoice): void {
    const request = asked.get(id);
    if (!request) return;
    asked.delete(id);
    idOf.delete(request.key);
    if (request.isStock) stocked.add(request.key);
    madeAt.delete(request.key);
    madeAt.set(request.key, clock.elapsedMs());
    for (const oldest of madeAt.keys()) {
      if (madeAt.size <= 2 * MOST_ASKED) break;
      madeAt.delete(oldest);
    }
  }

  return {
    connect(port) {
      way?.close();
      way = port;
      port.addEventListener("message", ({ data }: MessageEvent<FromHindiVoice>) => answered(data));
      port.start();
      for (const request of asked.values()) send(request);
    },
    ask(text, voice, ahead) {
      const key = soundKey(voice, text);
      const known = asked.get(idOf.get(key) ?? -1);
      if (known && (known.ahead === ahead || ahead === "stock")) return;
      if (!known && asked.size >= MOST_ASKED) return;
      const isStock = ahead === "stock" || known?.ahead === "stock";
      const request: Asked = { id: known?.id ?? ++count, key, text, voice, ahead, isStock };
      asked.set(request.id, request);
      idOf.set(key, request.id);
      send(request);
    },
    isMade(text, voice) {
      const key = soundKey(voice, text);
      const at = madeAt.get(key);
      return stocked.has(key) || (at !== undefined && clock.elapsedMs() - at < READY_FOR_MS);
    },
    isStocked: (text, voice) => stocked.has(soundKey(voice, text)),
    forget() {
      way = null;
      madeAt.clear();
      stocked.clear();
    },
    get waiting() {
      return asked.size;
    },
  };
}
