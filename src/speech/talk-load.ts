// How many calls this machine can listen to: from how long its recognisers really take, and how much the calls that are
// under way really ask of them.
import { MINUTE_MS, type Clock } from "../core/clock.ts";

/** Until there is experience: somebody on the phone says something every eight seconds, and half of it is heard twice. */
const UTTERANCES_A_SECOND = 1.5 / 8;
/** At half of their time recognisers let nobody wait longer than half an utterance on the average; beyond it queues grow. */
const MOST_BUSY = 0.5;
/** What is older counts ever less. */
const MEMORY_MS = 2 * MINUTE_MS;
/** Of calls, taken together: before that, experience is chance. */
const ENOUGH_CALL_MS = 2 * MINUTE_MS;

export interface TalkLoad {
  /** A recogniser told how long an ordinary answer takes it. */
  measured(utteranceMs: number): void;
  /** It was busy this long. */
  recognised(tookMs: number): void;
  /** So many calls are listened to from now on. */
  listening(calls: number): void;
  readonly utteranceMs: number | null;
  readonly calls: number;
  /** Calls at once that so many recognisers can serve; null while nothing is known. */
  mostCalls(recognisers: number): number | null;
}

export function createTalkLoad({ clock }: { clock: Clock }): TalkLoad {
  let utteranceMs: number | null = null;
  let calls = 0;
  let busyMs = 0;
  let callMs = 0;
  let lookedAt = clock.elapsedMs();

  /** Moves the account on to now. */
  function look(): void {
    const now = clock.elapsedMs();
    const passedMs = now - lookedAt;
    lookedAt = now;
    const kept = Math.exp(-passedMs / MEMORY_MS);
    busyMs *= kept;
    callMs = callMs * kept + calls * passedMs;
  }

  /** The share of one recogniser that one call takes. */
  function shareOfCall(): number | null {
    look();
    if (utteranceMs === null) return null;
    if (callMs < ENOUGH_CALL_MS) return (utteranceMs / 1_000) * UTTERANCES_A_SECOND;
    return busyMs / callMs;
  }

  return {
    measured(ms) {
      // Several recognisers measure at once; the slowest is nearest to how it is when all work.
      utteranceMs = Math.max(utteranceMs ?? 0, ms);
    },
    recognised(tookMs) {
      look();
      busyMs += tookMs;
    },
    listening(now) {
      look();
      calls = now;
    },
    get utteranceMs() {
      return utteranceMs;
    },
    get calls() {
      return calls;
    },
    mostCalls(recognisers) {
      const share = shareOfCall();
      return share === null ? null : Math.max(1, Math.floor((recognisers * MOST_BUSY) / Math.max(share, 0.001)));
    },
  };
}
