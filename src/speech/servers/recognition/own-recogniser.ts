// A hospital's own recogniser on one call, with the built-in one beside it: that one answers where the server is slow or
// down, and spots alarm phrases whoever wrote the words.
import type { Clock } from "../../../core/clock.ts";
import type { OwnRecogniser, Recognised } from "../../ears/port.ts";
import { ServerFault } from "../port.ts";
import type { Transcriber } from "./transcriber.ts";

/** With words of the built-in one at hand, nobody waits longer for better ones. */
const PATIENCE_MS = 1_200;
/** Without: a turn ends after three seconds, whatever is known of it, and the keypad serves it. */
const LONGEST_MS = 2_600;
/** After a fault the server is left alone for so long on this call. */
const REST_MS = 20_000;
/** Servers tell no confidence that could be compared. */
const CONFIDENCE = 0.9;

export function createOwnRecogniser(options: {
  clock: Clock;
  transcriber: Transcriber;
  /** Whether the built-in recogniser has the call's language. */
  hasBuiltIn: boolean;
}): OwnRecogniser {
  const { clock, transcriber, hasBuiltIn } = options;
  let restsUntilMs = -Infinity;

  /** Null where it failed or was too slow. */
  async function ask(samples: Int16Array): Promise<string | null> {
    if (clock.elapsedMs() < restsUntilMs) return null;
    const stop = new AbortController();
    const cancel = clock.after(hasBuiltIn ? PATIENCE_MS : LONGEST_MS, () => stop.abort());
    try {
      return await transcriber.transcribe(samples, stop.signal);
    } catch (error) {
      const isBusy = error instanceof ServerFault && error.kind === "status" && error.status === 429;
      // Without another recogniser it is asked again at the next turn.
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
