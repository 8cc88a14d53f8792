// Whether a trunk is there, from all that shows it: answers to OPTIONS and calls, silence, connections made and lost.
import type { Clock } from "../../../core/clock.ts";
import { CERTIFICATE_REFUSED } from "../transport/stream-link.ts";
import type { TrunkState } from "../../../trunks/trunk-settings.ts";

export interface TrunkPresence {
  readonly state: TrunkState["state"];
  /** For those who look after the trunk: what is wrong and what to do. */
  readonly problem: string | null;
  /** It has answered anything at all since the start. */
  readonly hasBeenHeard: boolean;
  /** It has answered OPTIONS at least once, so that its silence means something. */
  readonly answersOptions: boolean;
  /**
   * Answers whether it may have forgotten our registration: it was away, or says for the first time that it knows us
   * not.
   */
  answered(status: number): boolean;
  /**
   * An OPTIONS went unanswered; `isCertain` where it was refused. Answers whether the trunk counts as down, or as
   * doubtful.
   */
  silent(detail: string, isCertain: boolean): "down" | "doubtful" | "unknown";
  /** A call did not get through. Where nobody asks by OPTIONS, the next call may try after a while. */
  notReached(detail: string, isAsked: boolean): void;
  up(): void;
  down(problem: string): void;
  /** Somebody takes connections, which is no answer yet. */
  connected(): void;
  stop(): void;
}

/** One that has never answered OPTIONS may be of those that do not. */
const MISSES_UNTIL_DOUBTFUL = 2;
/** A trunk that nobody asks whether it is back is tried again by a call after this. */
const TRY_AGAIN_MS = 30_000;
/**
 * What trunks say to those whose registration they do not have; 481 where a restart cost them a call of ours as well.
 */
const FORGETFUL_STATUSES: readonly number[] = [401, 403, 404, 407, 481];

export function mayHaveForgotten(status: number): boolean {
  return FORGETFUL_STATUSES.includes(status);
}

export function unreachable(detail: string): string {
  const advice = detail.startsWith(CERTIFICATE_REFUSED)
    ? "Give the trunk the certificate of the authority that signed it (ringward trunks change NAME --ca-file FILE), and the host name that it carries."
    : "Check its host, port, transport and the firewall.";
  return `The trunk is not reachable: ${detail}. ${advice}`;
}

export function createTrunkPresence(clock: Clock, changed: () => void): TrunkPresence {
  let state: TrunkState["state"] = "unknown";
  let problem: string | null = null;
  let misses = 0;
  let hasBeenHeard = false;
  let answersOptions = false;
  let refusesOptions = false;
  let cancelTryAgain = () => {};

  function up(): void {
    cancelTryAgain();
    misses = 0;
    hasBeenHeard = true;
    state = "up";
    problem = null;
    changed();
  }

  function down(why: string): void {
    state = "down";
    problem = why;
    changed();
  }

  return {
    get state() {
      return state;
    },
    get problem() {
      return problem;
    },
    get hasBeenHeard() {
      return hasBeenHeard;
    },
    get answersOptions() {
      return answersOptions;
    },
    answered(status) {
      const wasDown = state === "down";
      const wasRefused = refusesOptions;
      refusesOptions = mayHaveForgotten(status);
      answersOptions = true;
      up();
      // Once: some say so to everybody, registered or not.
      return wasDown || (refusesOptions && !wasRefused);
    },
    silent(detail, isCertain) {
      misses += 1;
      // The question was sent five times within its 5 s. A trunk that never answered one may still take calls.
      if (isCertain || answersOptions) {
        down(unreachable(detail));
        return "down";
      }
      if (misses < MISSES_UNTIL_DOUBTFUL) return "unknown";
      problem = unreachable(detail);
      changed();
      return "doubtful";
    },
    notReached(detail, isAsked) {
      down(unreachable(detail));
      cancelTryAgain();
      if (isAsked) return;
      cancelTryAgain = clock.after(TRY_AGAIN_MS, () => {
        if (state === "down") state = "unknown";
        changed();
      });
    },
    up,
    down,
    connected() {
      // Whether anybody answers is asked at once, where it can be.
      if (answersOptions) return;
      if (state === "down") state = "unknown";
      problem = null;
    },
    stop: () => cancelTryAgain(),
  };
}
