// A hospital's own recogniser on one call, with the built-in one in parallel: it is the fallback when the server is
// slow or down, and always spots alarm phrases.
import type { Clock } from "../../../core/clock.ts";
import type { OwnRecogniser, Recognised } from "../../ears/port.ts";
import { ServerFault } from "../port.ts";
import type { Transcriber } from "./transcriber.ts";

/** Wait for the server when the built-in result is ready. */
const PATIENCE_MS = 1_200;
/** Wait without it: a turn ends after three seconds in any case, and the keypad takes over. */
const LONGEST_MS = 2_600;
/** Pause of the server on this call after a fault. */
const REST_MS = 20_000;
/** Servers report no comparable confidence. */
const CONFIDENCE = 0.9;

export function createOwnRecogniser(options: {
  clock: Clock;
  transcriber: Transcriber;
  /** The built-in recogniser supports the call's language. */
  hasBuiltIn: boolean;
}): OwnRecogniser {
  const { clock, transcriber, hasBuiltIn } = options;
  let restsUntilMs = -Infinity;

  /** Null on failure or timeout. */
  async function ask(samples: Int16Array): Promise<string | null> {
    if (clock.elapsedMs() < restsUntilMs) return null;
    const stop = new AbortController();
    const cancel = clock.after(hasBuiltIn ? PATIENCE_MS : LONGEST_MS, () => stop.abort());
    try {
      return await transcriber.transcribe(samples, stop.signal);
    } catch (error) {
      const isBusy = error instanceof ServerFault && error.kind === "status" && error.status === 429;
      // Without a fallback the server is tried again on the next turn.
      if (hasBuiltIn && !isBusy) restsUntilMs = clock.elapsedMs() + REST_MS;
      return null;
    } finally {
      cancel();
    }
  }

  return {
    async recognise(samples, builtIn) {
      if (!hasBuiltIn) {
        const text = await ask(samples);
        return text === null ? null : { text, confidence: CONFIDENCE, alarms: [] };
      }
      const [text, ours] = await Promise.all([ask(samples), builtIn()]);
      if (text === null) return ours;
      return { text, confidence: CONFIDENCE, alarms: ours?.alarms ?? [] } satisfies Recognised;
    },
  };
}
