// Decides which faults have held, and which have stayed away, long enough to be told. Pure: time is passed in.
import { FAULTS } from "./faults.ts";
import { keyOf, type Sight, type Trouble } from "./sight.ts";

/** More faults than this at once help no one; the first ones are told. */
const MOST_WATCHED = 500;

interface Watched {
  trouble: Trouble;
  /** Times by Clock.elapsedMs; null: it is not so now. */
  thereSince: number | null;
  awaySince: number | null;
}

export interface Hysteresis {
  /** `open`: the troubles whose alarm is open. Returns those that held, and the keys of open ones that are over. */
  look(sight: Sight, open: readonly Trouble[], nowMs: number): { held: Trouble[]; over: string[] };
}

export function createHysteresis(): Hysteresis {
  const watched = new Map<string, Watched>();

  /** Opened by an earlier run, and not seen since. */
  function watchOpen(open: readonly Trouble[]): void {
    for (const trouble of open) {
      const key = keyOf(trouble);
      if (!watched.has(key)) watched.set(key, { trouble, thereSince: null, awaySince: null });
    }
  }

  function note(sight: Sight, nowMs: number): void {
    const there = new Set<string>();
    for (const trouble of [...sight.values()].flatMap((troubles) => troubles ?? [])) {
      const key = keyOf(trouble);
      there.add(key);
      const known = watched.get(key);
      if (!known && watched.size >= MOST_WATCHED) continue;
      watched.set(key, { trouble, thereSince: known?.thereSince ?? nowMs, awaySince: null });
    }
    for (const [key, each] of watched) {
      if (there.has(key)) continue;
      // Not known now: neither there nor away.
      if ((sight.get(each.trouble.fault) ?? null) === null) each.awaySince = null;
      else {
        each.thereSince = null;
        each.awaySince ??= nowMs;
      }
    }
  }

  return {
    look(sight, open, nowMs) {
      watchOpen(open);
      note(sight, nowMs);
      const openKeys = new Set(open.map(keyOf));
      const held: Trouble[] = [];
      const over: string[] = [];
      for (const [key, { trouble, thereSince, awaySince }] of watched) {
        const { holdMs, overMs } = FAULTS[trouble.fault];
        if (thereSince !== null && nowMs - thereSince >= holdMs) held.push(trouble);
        if (awaySince === null) continue;
        if (!openKeys.has(key)) watched.delete(key);
        else if (nowMs - awaySince >= overMs) over.push(key);
      }
      return { held, over };
    },
  };
}
