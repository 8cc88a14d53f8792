// How many calls this machine can talk in: from how quick its recognisers and its voice were when they started, and then from how
// much the calls that are under way really ask of them.
import { MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";

/** Whose time calls take: all recognisers together, and the one voice. */
export type SpeechWork = "recogniser" | "voice";

/**
 * Until there is experience: what a second of a call asks for. Of a recogniser an ordinary answer each ten seconds, of the voice four
 * tenths of a second of new speech. Patients of scripts/bench-talk ask for half of both.
 */
const ASKED_A_SECOND: Readonly<Record<SpeechWork, number>> = { recogniser: 0.1, voice: 0.4 };
/** At half of its time a worker lets nobody wait longer than half a piece of work on the average; beyond it queues grow. */
const MOST_BUSY = 0.5;
/** The rest is for requests, and for moments in which many speak at once. */
const MOST_BUSY_CORES = 0.7;
/** Of a core, what the line and the voice detector take for a call, measured by scripts/bench-talk. */
const REST_OF_CALL = 0.02;
/** What is older counts ever less. */
const MEMORY_MS = 2 * MINUTE_MS;
/** Of calls, taken together: before that, experience is chance. */
const ENOUGH_CALL_MS = 2 * MINUTE_MS;

export interface TalkLoad {
  /** How long an ordinary answer takes a recogniser, or a second of speech the voice. */
  measured(whose: SpeechWork, tookMs: number): void;
  /** It was busy this long. */
  worked(whose: SpeechWork, tookMs: number): void;
  /** So many calls are listened to from now on. */
  listening(calls: number): void;
  /** What was measured; null until then. */
  readonly measuredMs: Readonly<Record<SpeechWork, number | null>>;
  readonly calls: number;
  /** Calls at once that so many recognisers, the voice and the cores can serve; null while nothing is known. */
  mostCalls(recognisers: number): number | null;
}

export function createTalkLoad({ clock, cores }: { clock: Clock; cores: number }): TalkLoad {
  const measuredMs: Record<SpeechWork, number | null> = { recogniser: null, voice: null };
  const busyMs: Record<SpeechWork, number> = { recogniser: 0, voice: 0 };
  let calls = 0;
  let callMs = 0;
  let lookedAt = clock.elapsedMs();

  /** Moves the account on to now. */
  function look(): void {
    const now = clock.elapsedMs();
    const passedMs = now - lookedAt;
    lookedAt = now;
    const kept = Math.exp(-passedMs / MEMORY_MS);
    busyMs.recogniser *= kept;
    busyMs.voice *= kept;
    callMs = callMs * kept + calls * passedMs;
  }

  /** The share of one such worker that one call takes. */
  function shareOf(whose: SpeechWork): number {
    if (callMs >= ENOUGH_CALL_MS) return busyMs[whose] / callMs;
    return ((measuredMs[whose] ?? 0) / SECOND_MS) * ASKED_A_SECOND[whose];
  }

  return {
    measured(whose, ms) {
      // Several recognisers measure at once; the slowest is nearest to how it is when all work.
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
    mostCalls(recognisers) {
      look();
      if (measuredMs.recogniser === null) return null;
      const [hearing, speaking] = [shareOf("recogniser"), shareOf("voice")];
      const most = Math.min(
        (recognisers * MOST_BUSY) / hearing,
        MOST_BUSY / speaking,
        (cores * MOST_BUSY_CORES) / (hearing + speaking + REST_OF_CALL),
      );
      return Math.max(1, Math.floor(most));
    },
  };
}
