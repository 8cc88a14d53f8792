// The pace of released calls: each organisation's go out one after the other, evenly, whenever and for whatever they
// waited.
import { MINUTE_MS } from "../../core/clock.ts";

interface Turn {
  /** The next one goes out no earlier. */
  nextAt: number;
  /** The last turn that was given away. */
  givenAt: number;
}

/** Organisations whose released calls have all gone are forgotten when there are more. */
const MOST_REMEMBERED = 1_000;

export class Turns {
  readonly #everyMs: number;
  #turns: ReadonlyMap<string, Turn> = new Map();

  constructor(perMinute: number) {
    this.#everyMs = MINUTE_MS / perMinute;
  }

  /** For one round of claiming, which may be made again: it counts only once it is kept. */
  begin(now: number): TurnRound {
    const turns = new Map(this.#turns);
    for (const [id, { nextAt }] of turns) {
      // Turns that were given by a clock that has been set back since are not kept.
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
    /** What was dialled in this round went out. */
    readonly keep: () => void,
  ) {}

  /** Now, where one may go, otherwise a turn that no other call was given. */
  turnAt(organisationId: string): number {
    const turn = this.turns.get(organisationId);
    if (!turn || turn.nextAt <= this.now) return this.now;
    const givenAt = Math.ceil(Math.max(turn.nextAt, turn.givenAt + this.everyMs));
    this.turns.set(organisationId, { ...turn, givenAt });
    return givenAt;
  }

  /** One goes out. */
  take(organisationId: string): void {
    const { now, everyMs } = this;
    const givenAt = Math.max(this.turns.get(organisationId)?.givenAt ?? now, now);
    this.turns.set(organisationId, { nextAt: now + everyMs, givenAt });
  }
}
