// Capacity for conversations: how many calls this machine can serve, first from the measured speed of recognisers,
// spotters and voice, then from the load of current calls.
import { MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";

/** Workers whose time calls take: all recognisers, all spotters, the one voice. */
export type SpeechWork = "recogniser" | "spotter" | "voice";

/**
 * Prior per second of a call: for a recogniser one ordinary answer every ten seconds, for a spotter its two seconds of
 * audio, for the voice 0.4 s of new speech. Patients of ./scripts/bench talk need half of it.
 */
const ASKED_A_SECOND: Readonly<Record<SpeechWork, number>> = { recogniser: 0.1, spotter: 0.2, voice: 0.4 };
/** At 50 % utilisation the mean wait is half a job; beyond it queues grow. */
const MOST_BUSY = 0.5;
/** Spotters may be busier, because calls do not wait for them. */
const MOST_BUSY_SPOTTER = 0.8;
/** The rest is for requests and for moments in which many callees speak at once. */
const MOST_BUSY_CORES = 0.7;
/** Share of a core per call for the line and voice activity detection, measured by ./scripts/bench talk. */
const REST_OF_CALL = 0.02;
const WORKS: readonly SpeechWork[] = ["recogniser", "spotter", "voice"];
/** Time constant of the exponential decay. */
const MEMORY_MS = 2 * MINUTE_MS;
/** Sum over all calls; with less, the measurement is noise. */
const ENOUGH_CALL_MS = 2 * MINUTE_MS;

export interface TalkLoad {
  /** Time of an ordinary answer (recogniser), or of one second of speech (spotter, voice). */
  measured(whose: SpeechWork, tookMs: number): void;
  /** Busy time. */
  worked(whose: SpeechWork, tookMs: number): void;
  /** Number of calls from now on. */
  listening(calls: number): void;
  /** Measured times; null until known. */
  readonly measuredMs: Readonly<Record<SpeechWork, number | null>>;
  readonly calls: number;
  /** Calls that these recognisers and spotters, the voice and the cores can serve at once; null while unknown. */
  mostCalls(recognisers: number, spotters?: number): number | null;
}

export function createTalkLoad({ clock, cores }: { clock: Clock; cores: number }): TalkLoad {
  const measuredMs: Record<SpeechWork, number | null> = { recogniser: null, spotter: null, voice: null };
  const busyMs: Record<SpeechWork, number> = { recogniser: 0, spotter: 0, voice: 0 };
  let calls = 0;
  let callMs = 0;
  let lookedAt = clock.elapsedMs();

  /** Applies the decay up to now. */
  function look(): void {
    const now = clock.elapsedMs();
    const passedMs = now - lookedAt;
    lookedAt = now;
    const kept = Math.exp(-passedMs / MEMORY_MS);
    for (const whose of WORKS) busyMs[whose] *= kept;
    callMs = callMs * kept + calls * passedMs;
  }

  /** Share of one worker that one call takes. */
  function shareOf(whose: SpeechWork): number {
    if (callMs >= ENOUGH_CALL_MS) return busyMs[whose] / callMs;
    return ((measuredMs[whose] ?? 0) / SECOND_MS) * ASKED_A_SECOND[whose];
  }

  return {
    measured(whose, ms) {
      // Recognisers measure at the same time; the slowest is closest to the speed under full load.
      measuredMs[whose] = Math.max(measuredMs[whose] ?? 0, ms);
    },
    worked(whose, tookMs) {
      look();
      busyMs[whose] += tookMs;
    },
    listening(now) {
      look();
      calls = now;
    },
    measuredMs,
    get calls() {
      return calls;
    },
    mostCalls(recognisers, spotters = 0) {
      look();
      if (measuredMs.recogniser === null) return null;
      const [hearing, speaking] = [shareOf("recogniser"), shareOf("voice")];
      const spotting = spotters > 0 ? shareOf("spotter") : 0;
      const most = Math.min(
        (recognisers * MOST_BUSY) / hearing,
        MOST_BUSY / speaking,
        spotting > 0 ? (spotters * MOST_BUSY_SPOTTER) / spotting : Infinity,
        (cores * MOST_BUSY_CORES) / (hearing + spotting + speaking + REST_OF_CALL),
      );
      return Math.max(1, Math.floor(most));
    },
  };
}
