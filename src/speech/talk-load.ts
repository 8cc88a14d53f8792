// How many calls this machine can talk in: from how quick its recognisers, its phrase spotters and its voice were when they started,
// and then from how much the calls that are under way really ask of them.
import { MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";

/** Whose time calls take: all recognisers together, all phrase spotters, and the one voice. */
export type SpeechWork = "recogniser" | "spotter" | "voice";

/**
 * Until there is experience: what a second of a call asks for. Of a recogniser an ordinary answer each ten seconds, of a spotter the two
 * seconds that it lasts, of the voice four tenths of a second of new speech. Patients of ./scripts/bench talk ask for half of it.
 */
const ASKED_A_SECOND: Readonly<Record<SpeechWork, number>> = { recogniser: 0.1, spotter: 0.2, voice: 0.4 };
/** At half of its time a worker lets nobody wait longer than half a piece of work on the average; beyond it queues grow. */
const MOST_BUSY = 0.5;
/** Nobody waits for a spotter, as long as it gets round to everything. */
const MOST_BUSY_SPOTTER = 0.8;
/** The rest is for requests, and for moments in which many speak at once. */
const MOST_BUSY_CORES = 0.7;
/** Of a core, what the line and the voice detector take for a call, measured by ./scripts/bench talk. */
const REST_OF_CALL = 0.02;
const WORKS: readonly SpeechWork[] = ["recogniser", "spotter", "voice"];
/** What is older counts ever less. */
const MEMORY_MS = 2 * MINUTE_MS;
/** Of calls, taken together: before that, experience is chance. */
const ENOUGH_CALL_MS = 2 * MINUTE_MS;

export interface TalkLoad {
  /** How long an ordinary answer takes a recogniser, or a second of speech a spotter or the voice. */
  measured(whose: SpeechWork, tookMs: number): void;
  /** It was busy this long. */
  worked(whose: SpeechWork, tookMs: number): void;
  /** So many calls are listened to from now on. */
  listening(calls: number): void;
  /** What was measured; null until then. */
  readonly measuredMs: Readonly<Record<SpeechWork, number | null>>;
  readonly calls: number;
  /** Calls at once that so many recognisers and spotters, the voice and the cores can serve; null while nothing is known. */
  mostCalls(recognisers: number, spotters?: number): number | null;
}

export function createTalkLoad({ clock, cores }: { clock: Clock; cores: number }): TalkLoad {
  const measuredMs: Record<SpeechWork, number | null> = { recogniser: null, spotter: null, voice: null };
  const busyMs: Record<SpeechWork, number> = { recogniser: 0, spotter: 0, voice: 0 };
  let calls = 0;
  let callMs = 0;
  let lookedAt = clock.elapsedMs();

  /** Moves the account on to now. */
  function look(): void {
    const now = clock.elapsedMs();
    const passedMs = now - lookedAt;
    lookedAt = now;
    const kept = Math.exp(-passedMs / MEMORY_MS);
    for (const whose of WORKS) busyMs[whose] *= kept;
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
