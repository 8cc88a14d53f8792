// Streams clauses in order, requesting the next one during playback.
import { G711_SAMPLE_RATE_HZ } from "../../../audio/g711.ts";
import { SECOND_MS } from "../../../core/clock.ts";
import type { Sound } from "../../../telephony/port.ts";
import type { SpokenStream } from "../../tts/port.ts";

/** Servers accept parallel requests, and a conversation needs no more. */
const MOST_IN_FLIGHT = 2;

export interface Asked {
  /** Null on failure. Never rejects. */
  samples: Promise<Int16Array | null>;
  cancel(): void;
}

export function askedAhead(clauses: readonly string[], ask: (words: string) => Asked): SpokenStream {
  const left = [...clauses];
  const inFlight: (Asked & { words: string })[] = [];

  function askAhead(): void {
    while (inFlight.length < MOST_IN_FLIGHT) {
      const words = left.shift();
      if (words === undefined) return;
      inFlight.push({ ...ask(words), words });
    }
  }

  function cancel(): void {
    left.length = 0;
    for (const each of inFlight.splice(0)) each.cancel();
  }

  askAhead();
  return {
    cancel,
    async next() {
      const first = inFlight[0];
      const samples = (await first?.samples) ?? null;
      // Cancelled or failed: the following clauses make no sense without it.
      if (!first || inFlight[0] !== first || !samples?.length) {
        cancel();
        return null;
      }
      inFlight.shift();
      askAhead();
      return soundOf(samples, first.words);
    },
  };
}

export function soundOf(samples: Int16Array, words: string): Sound {
  return { samples, lengthMs: (samples.length / G711_SAMPLE_RATE_HZ) * SECOND_MS, words };
}
