// Trunks as seen by the main thread: settings, last states, and whether they accept calls.
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
}

export interface LineState {
  status: WorkerStatus;
  /** Send lag of audio. */
  lagP99Ms: number;
  liveCalls: number;
}

/** A lag of one frame (20 ms) is audible; another call would make it worse for all. */
const MOST_LAG_MS = 20;

const closed = (
  reason: Extract<TrunkLines, { kind: "closed" }>["reason"],
  until: number | null = null,
): TrunkLines => ({
  kind: "closed",
  reason,
  until,
});

export function createTrunkBoard(): TrunkBoard {
  let settings: readonly TrunkSettings[] = [];
  const seen = new Map<string, TrunkState>();

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
      for (const id of seen.keys()) if (!unchanged.some((one) => one.id === id)) seen.delete(id);
    },
    seen(states) {
      for (const state of states) if (settings.some(({ id }) => id === state.id)) seen.set(state.id, state);
    },
    lost: () => seen.clear(),
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
      return { kind: "open", lines: Math.max(0, trunk.lines - liveCalls) };
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
