// Rate limit of released calls: each organisation's calls are dialled at even intervals, whatever the reason and length
// of their hold.
import { MINUTE_MS } from "../../core/clock.ts";

interface Turn {
  /** Earliest time of the next call. */
  nextAt: number;
  /** Latest turn assigned. */
  givenAt: number;
}

/** Beyond this number, organisations without pending turns are dropped. */
const MOST_REMEMBERED = 1_000;

export class Turns {
  readonly #everyMs: number;
  #turns: ReadonlyMap<string, Turn> = new Map();

  constructor(perMinute: number) {
    this.#everyMs = MINUTE_MS / perMinute;
  }

  /** Turns for one round of claims, which may be retried: they take effect only with `keep`. */
  begin(now: number): TurnRound {
    const turns = new Map(this.#turns);
    for (const [id, { nextAt }] of turns) {
      // Turns assigned before the clock was set back are dropped.
      const isOver = nextAt > now + this.#everyMs || (nextAt <= now && turns.size > MOST_REMEMBERED);
      if (isOver) turns.delete(id);
    }
    return new TurnRound(turns, now, this.#everyMs, () => (this.#turns = turns));
  }
}

export class TurnRound {
  constructor(
    private readonly turns: Map<string, Turn>,
    private readonly now: number,
    private readonly everyMs: number,
    /** Commits the turns after the round's calls were dialled. */
    readonly keep: () => void,
  ) {}

  /** Now if a call may be dialled, otherwise a turn not assigned to another call. */
  turnAt(organisationId: string): number {
    const turn = this.turns.get(organisationId);
    if (!turn || turn.nextAt <= this.now) return this.now;
    const givenAt = Math.ceil(Math.max(turn.nextAt, turn.givenAt + this.everyMs));
    this.turns.set(organisationId, { ...turn, givenAt });
    return givenAt;
  }

  /** Uses the turn for one call. */
  take(organisationId: string): void {
    const { now, everyMs } = this;
    const givenAt = Math.max(this.turns.get(organisationId)?.givenAt ?? now, now);
    this.turns.set(organisationId, { nextAt: now + everyMs, givenAt });
  }
}
