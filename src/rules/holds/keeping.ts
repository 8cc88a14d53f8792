// The lawful floor: records younger than `retention.least_days` and records under a hold are not erased.
import { DAY_MS, toIso, type Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Executor } from "../../db/tables.ts";
import { storedClock } from "../../scheduler/clock-store.ts";
import { deleteEndedHolds } from "./hold-store.ts";
import { heldAmong, heldUntil, longer, personHeldUntil, type Held, type Keepable } from "./held.ts";

export interface KeepingDeps {
  clock: Clock;
  /** 0: no floor. */
  leastDays: number;
  /** The checked time, or null while the clock is not trusted. Without it, the clock is. */
  trustedNow?: (() => number | null) | undefined;
}

export function createKeeping({ clock, leastDays, trustedNow = () => clock.now() }: KeepingDeps) {
  /** A wrong clock must not end a hold early: while it is not trusted, the last trusted time counts. */
  async function timeOf(executor: Executor): Promise<number> {
    const trusted = trustedNow();
    if (trusted !== null) return trusted;
    const { believedAt, kept } = await storedClock(executor);
    return Math.min(believedAt ?? kept?.at ?? 0, clock.now());
  }

  const floorOf = (recordedAt: number | null | undefined, now: number): Held | null => {
    const until = (recordedAt ?? 0) + leastDays * DAY_MS;
    return leastDays > 0 && until > now ? { until } : null;
  };
  const both = (one: Held | null, other: Held | null): Held | null => (other ? longer(one, other) : one);

  async function ofRecord(executor: Executor, record: Keepable, recordedAt?: number | null): Promise<Held | null> {
    const now = await timeOf(executor);
    return both(await heldUntil(executor, record, now), floorOf(recordedAt, now));
  }

  async function ofPerson(
    executor: Executor,
    { organisationId, number }: { organisationId: string; number: string },
    recordedAt?: number | null,
  ): Promise<Held | null> {
    const now = await timeOf(executor);
    return both(await personHeldUntil(executor, organisationId, number, now), floorOf(recordedAt, now));
  }

  return {
    leastDays,
    timeOf,
    ofRecord,
    ofPerson,
    /** Refuses the erasure of a record. Call it in the transaction that erases. `recordedAt`: start of the floor. */
    async assertErasable(executor: Executor, record: Keepable, recordedAt?: number | null): Promise<void> {
      refuse(await ofRecord(executor, record, recordedAt));
    },
    async assertPersonErasable(
      executor: Executor,
      person: { organisationId: string; number: string },
      recordedAt?: number | null,
    ): Promise<void> {
      refuse(await ofPerson(executor, person, recordedAt));
    },
    /** Records made after this moment are kept by the least retention. */
    async youngestErasable(executor: Executor): Promise<number> {
      return leastDays === 0 ? Number.MAX_SAFE_INTEGER : (await timeOf(executor)) - leastDays * DAY_MS;
    },
    /** The records that are under no hold, for retention, which skips the others. */
    async erasable<Kept>(executor: Executor, rows: readonly Kept[], about: (row: Kept) => Keepable): Promise<Kept[]> {
      const held = await heldAmong(executor, rows.map(about), await timeOf(executor));
      return rows.filter((_, i) => held[i] === null);
    },
    /** Ended holds name people, and expire like the records they were about. */
    forgetEnded: deleteEndedHolds,
    /** Days of a retention setting, raised to the floor. 0 stays 0: nothing expires. */
    daysOf: (days: number): number => (days === 0 ? 0 : Math.max(days, leastDays)),
  };
}

export type Keeping = ReturnType<typeof createKeeping>;

/** Answers an erasure of something that must be kept. */
export function refuse(held: Held | null): void {
  if (held === null) return;
  const { until } = held;
  throw new AppError(
    "RETENTION_HOLD",
    until === null
      ? "This must be kept until its retention hold is released. An owner releases holds under Settings, Holds."
      : `This must be kept until ${toIso(until)}. Erase it after that, or release its retention hold if it has one.`,
    { until },
  );
}
