// Connections that are used one after the other by many. Where PostgreSQL does not answer, everybody is told at once for a
// moment, instead of each waiting for it.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { DatabaseFault, faultOf } from "./faults.ts";
import type { PoolStats } from "../port.ts";
import type { Wire } from "./wire.ts";

export interface PoolOptions {
  open: () => Promise<Wire>;
  most: number;
  clock: Clock;
}

/** After a connection was refused, no other is tried for so long. */
const BREAK_MS = SECOND_MS;
/** For a connection to become free. */
const LONGEST_WAIT_MS = 10 * SECOND_MS;

interface Waiter {
  take(wire: Wire): void;
  refuse(fault: DatabaseFault): void;
}

export class WirePool {
  readonly #options: PoolOptions;
  /** The one that was used last is taken first: what it prepared is at hand. */
  readonly #idle: Wire[] = [];
  readonly #all = new Set<Wire>();
  readonly #waiters: Waiter[] = [];
  #opening = 0;
  #broken: { fault: DatabaseFault; untilMs: number } | null = null;
  #isEnded = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get inUse(): number {
    return this.#all.size - this.#idle.length + this.#opening;
  }

  get stats(): Omit<PoolStats, "name"> {
    return {
      most: this.#options.most,
      inUse: this.inUse,
      idle: this.#idle.length,
      waiting: this.#waiters.length,
    };
  }

  async take(): Promise<Wire> {
    for (let wire = this.#idle.pop(); wire; wire = this.#idle.pop()) {
      if (!wire.isLost) return wire;
      this.#all.delete(wire);
    }
    if (this.#isEnded) throw new DatabaseFault("The database is closed.", null, true);
    if (this.#all.size + this.#opening < this.#options.most) return this.#openOne();
    return this.#waitForOne();
  }

  give(wire: Wire): void {
    if (wire.isLost || this.#isEnded) {
      this.#drop(wire);
      return;
    }
    const waiter = this.#waiters.shift();
    if (waiter) waiter.take(wire);
    else this.#idle.push(wire);
  }

  end(): void {
    this.#isEnded = true;
    for (const wire of this.#idle.splice(0)) this.#drop(wire);
  }

  async #openOne(): Promise<Wire> {
    const { clock, open } = this.#options;
    if (this.#broken && clock.elapsedMs() < this.#broken.untilMs) throw this.#broken.fault;
    this.#opening += 1;
    try {
      const wire = await open();
      this.#broken = null;
      this.#all.add(wire);
      void wire.lost.then(() => this.#lost(wire));
      return wire;
    } catch (error) {
      const fault = faultOf(error);
      this.#broken = { fault, untilMs: clock.elapsedMs() + BREAK_MS };
      // Those who wait for a connection that would not be opened now would wait for nothing.
      if (this.#all.size === 0) for (const waiter of this.#waiters.splice(0)) waiter.refuse(fault);
      throw fault;
    } finally {
      this.#opening -= 1;
    }
  }

  #waitForOne(): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        take(wire) {
          cancel();
          resolve(wire);
        },
        refuse(fault) {
          cancel();
          reject(fault);
        },
      };
      const cancel = this.#options.clock.after(LONGEST_WAIT_MS, () => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(new DatabaseFault("No connection became free.", "53300", false));
      });
      this.#waiters.push(waiter);
    });
  }

  /** One that nobody uses goes at once; one in use is handed back by its user, who hears of it. */
  #lost(wire: Wire): void {
    const at = this.#idle.indexOf(wire);
    if (at === -1) return;
    this.#idle.splice(at, 1);
    this.#all.delete(wire);
  }

  #drop(wire: Wire): void {
    this.#all.delete(wire);
    wire.end();
    // Its place is free for whoever waits.
    const waiter = this.#waiters.shift();
    if (!waiter) return;
    this.take().then(
      (another) => waiter.take(another),
      (error: unknown) => waiter.refuse(faultOf(error)),
    );
  }
}
