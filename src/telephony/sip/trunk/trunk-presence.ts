// Availability of a trunk, from all signals: responses to OPTIONS and calls, timeouts, connections established and
// lost.
import type { Clock } from "../../../core/clock.ts";
import { CERTIFICATE_REFUSED } from "../transport/stream-link.ts";
import type { TrunkState } from "../../../trunks/trunk-settings.ts";

export interface TrunkPresence {
  readonly state: TrunkState["state"];
  /** What is wrong and what to do, for users who manage the trunk. */
  readonly problem: string | null;
  /** It has responded to any request since the start. */
  readonly hasBeenHeard: boolean;
  /** It has answered OPTIONS at least once, so a timeout is meaningful. */
  readonly answersOptions: boolean;
  /** Returns whether it may have lost our registration: it was down, or rejects OPTIONS for the first time. */
  answered(status: number): boolean;
  /** An OPTIONS request timed out, or failed if `isCertain`. Returns whether the trunk counts as down or doubtful. */
  silent(detail: string, isCertain: boolean): "down" | "doubtful" | "unknown";
  /** A call did not get through. Without OPTIONS checks, the next call may try after a while. */
  notReached(detail: string, isAsked: boolean): void;
  up(): void;
  down(problem: string): void;
  /** The host accepts connections, which is no response yet. */
  connected(): void;
  stop(): void;
}

/** A trunk that has never answered OPTIONS may not support it. */
const MISSES_UNTIL_DOUBTFUL = 2;
/** Without OPTIONS checks, a call tries the trunk again after this time. */
const TRY_AGAIN_MS = 30_000;
/** Responses of trunks that do not have our registration; 481 if a restart also lost an active call. */
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
      // Once: some trunks reject OPTIONS always, registered or not.
      return wasDown || (refusesOptions && !wasRefused);
    },
    silent(detail, isCertain) {
      misses += 1;
      // The request was sent five times within its 5 s. A trunk that never answered one may still accept calls.
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
      // If it supports OPTIONS, it is checked at once.
      if (answersOptions) return;
      if (state === "down") state = "unknown";
      problem = null;
    },
    stop: () => cancelTryAgain(),
  };
}
