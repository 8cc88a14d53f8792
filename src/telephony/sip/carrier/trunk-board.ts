// Trunks as seen by the main thread: settings, last states, and whether they accept calls.
import { SECOND_MS } from "../../../core/clock.ts";
import type { TrunkLines } from "../../port.ts";
import { isSameTrunk } from "../trunk/same-trunk.ts";
import type { WorkerStatus } from "../../../core/worker-supervisor.ts";
import type { TrunkSettings, TrunkState } from "../../../trunks/trunk-settings.ts";

export interface TrunkBoard {
  readonly settings: readonly TrunkSettings[];
  set(trunks: readonly TrunkSettings[]): void;
  seen(states: readonly TrunkState[]): void;
  /** The worker is gone, and with it the states. */
  lost(): void;
  states(status: WorkerStatus): TrunkState[];
  trunkLines(trunkId: string | null, line: LineState): TrunkLines;
  /** A call was handed to the trunk: it leaves when its turn in the trunk's pace comes. */
  dialled(trunkId: string): void;
}

export interface LineState {
  status: WorkerStatus;
  /** Send lag of audio. */
  lagP99Ms: number;
  liveCalls: number;
}

/** A lag of one frame (20 ms) is audible; another call would make it worse for all. */
const MOST_LAG_MS = 20;

/** A call that waits longer in the trunk's pace would ring long after it was judged. */
const LONGEST_PACED_MS = 2 * SECOND_MS;

const closed = (
  reason: Extract<TrunkLines, { kind: "closed" }>["reason"],
  until: number | null = null,
): TrunkLines => ({
  kind: "closed",
  reason,
  until,
});

export function createTrunkBoard(elapsedMs: () => number): TrunkBoard {
  let settings: readonly TrunkSettings[] = [];
  const seen = new Map<string, TrunkState>();
  /** When the next call leaves at the earliest; see trunk/call-pace.ts. */
  const nextLeaves = new Map<string, number>();

  const spacingOf = ({ callsPerSecond }: TrunkSettings): number => SECOND_MS / callsPerSecond;

  /** How many more calls leave soon. */
  function pacedLines(trunk: TrunkSettings): number {
    const now = elapsedMs();
    const first = Math.max(now, nextLeaves.get(trunk.id) ?? now);
    return Math.max(0, Math.floor((now + LONGEST_PACED_MS - first) / spacingOf(trunk)) + 1);
  }

  return {
    get settings() {
      return settings;
    },
    set(trunks) {
      // A changed trunk counts as a new one: its state is unknown.
      const unchanged = settings.filter((one) =>
        isSameTrunk(
          one,
          trunks.find(({ id }) => id === one.id),
        ),
      );
      settings = trunks;
      for (const known of [seen, nextLeaves])
        for (const id of known.keys()) if (!unchanged.some((one) => one.id === id)) known.delete(id);
    },
    seen(states) {
      for (const state of states) if (settings.some(({ id }) => id === state.id)) seen.set(state.id, state);
    },
    lost() {
      seen.clear();
      nextLeaves.clear();
    },
    dialled(trunkId) {
      const trunk = settings.find(({ id }) => id === trunkId);
      const now = elapsedMs();
      if (trunk) nextLeaves.set(trunkId, Math.max(now, nextLeaves.get(trunkId) ?? now) + spacingOf(trunk));
    },
    states: (status) => settings.map((trunk) => seen.get(trunk.id) ?? unseen(trunk, status)),
    trunkLines(trunkId, { status, lagP99Ms, liveCalls }) {
      if (trunkId === null) return closed("number_has_no_trunk");
      const trunk = settings.find(({ id }) => id === trunkId);
      const state = seen.get(trunkId);
      if (!trunk || !state || status.worker !== "running") return closed("trunk_unavailable");
      if (state.restingUntilMs !== null) return closed("trunk_unavailable", state.restingUntilMs);
      // Without an address the name is still being resolved.
      if (state.state === "down" || state.address === null) return closed("trunk_unavailable");
      if (lagP99Ms > MOST_LAG_MS) return closed("overloaded");
      const [lines, paced] = [Math.max(0, trunk.lines - liveCalls), pacedLines(trunk)];
      return paced < lines ? { kind: "open", lines: paced, spacingMs: spacingOf(trunk) } : { kind: "open", lines };
    },
  };
}

function unseen({ id, register, lines }: TrunkSettings, { message }: WorkerStatus): TrunkState {
  return {
    id,
    state: "unknown",
    isRegistered: register ? false : null,
    roundTripMs: null,
    lastError: message,
    restingUntilMs: null,
    activeCalls: 0,
    lines,
    address: null,
  };
}
