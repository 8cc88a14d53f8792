// What the main thread knows of the trunks: how they are set up, how they were last seen, and whether they take calls.
import type { TrunkLines } from "../../port.ts";
import { isSameTrunk } from "../trunk/same-trunk.ts";
import type { WorkerStatus } from "../../../core/worker-supervisor.ts";
import type { TrunkSettings, TrunkState } from "../../../trunks/trunk-settings.ts";

export interface TrunkBoard {
  readonly settings: readonly TrunkSettings[];
  set(trunks: readonly TrunkSettings[]): void;
  seen(states: readonly TrunkState[]): void;
  /** The worker is gone, and with it all that was known. */
  lost(): void;
  states(status: WorkerStatus): TrunkState[];
  trunkLines(trunkId: string | null, line: LineState): TrunkLines;
}

export interface LineState {
  status: WorkerStatus;
  /** How late audio leaves. */
  lagP99Ms: number;
  liveCalls: number;
}

/** A frame of 20 ms that leaves a frame late is heard; a further call would make it worse for everybody. */
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
      // A trunk that was changed is another trunk: nothing is known of it yet.
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
      // Without an address its name is still being looked up.
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
