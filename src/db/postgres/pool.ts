// Connection pool. While PostgreSQL refuses connections, or every connection of the pool is stuck, callers are refused
// immediately instead of each waiting for its own timeout.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { DatabaseFault, faultOf, isSilent } from "./faults.ts";
import type { PoolStats } from "../port.ts";
import type { Wire } from "./wire.ts";

export interface PoolOptions {
  open: () => Promise<Wire>;
  most: number;
  clock: Clock;
}

/** Circuit breaker: after a refused connection, no other is attempted for this long. */
const BREAK_MS = SECOND_MS;
/** Longest wait for a free connection. */
const LONGEST_WAIT_MS = 7 * SECOND_MS;
/** If none is returned for this long, all of them wait for a lock or for a stopped server. */
const STALLED_MS = 3 * SECOND_MS;

/** A caller that retries immediately must not starve the reading of other answers. */
const REFUSE_AFTER_MS = 50;

const noneFree = () => new DatabaseFault("No connection became free.", "53300", false);

interface Waiter {
  take(wire: Wire): void;
  refuse(fault: DatabaseFault): void;
}

export class WirePool {
  readonly #options: PoolOptions;
  /** LIFO: the most recently used connection has its statements prepared. */
  readonly #idle: Wire[] = [];
  readonly #all = new Set<Wire>();
  readonly #waiters: Waiter[] = [];
  #opening = 0;
  #broken: { fault: DatabaseFault; untilMs: number } | null = null;
  #isEnded = false;
  /** When a connection was last taken or returned. */
  #movedMs = 0;

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

  async take(withinMs = LONGEST_WAIT_MS): Promise<Wire> {
    for (let wire = this.#idle.pop(); wire; wire = this.#idle.pop()) {
      if (!wire.isLost) return this.#moved(wire);
      this.#all.delete(wire);
    }
    if (this.#isEnded) throw new DatabaseFault("The database is closed.", null, true);
    if (this.#all.size + this.#opening < this.#options.most) return this.#openOne();
    return this.#waitForOne(Math.min(withinMs, LONGEST_WAIT_MS));
  }

  give(wire: Wire): void {
    this.#moved(wire);
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
      void wire.lost.then((fault) => this.#lost(wire, fault));
      return this.#moved(wire);
    } catch (error) {
      const fault = faultOf(error);
      this.#broken = { fault, untilMs: clock.elapsedMs() + BREAK_MS };
      // Waiters are rejected, because no connection can be opened now.
      if (this.#all.size === 0) for (const waiter of this.#waiters.splice(0)) waiter.refuse(fault);
      throw fault;
    } finally {
      this.#opening -= 1;
    }
  }

  #moved(wire: Wire): Wire {
    this.#movedMs = this.#options.clock.elapsedMs();
    return wire;
  }

  #waitForOne(withinMs: number): Promise<Wire> {
    const { clock } = this.#options;
    const lateMs = clock.elapsedMs() + withinMs;
    const leftMs = () => Math.min(lateMs, this.#movedMs + STALLED_MS) - clock.elapsedMs();
    return new Promise((resolve, reject) => {
      let cancel = () => {};
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
      const look = (): void => {
        const ms = leftMs();
        if (ms > 0) {
          cancel = clock.after(ms, look);
          return;
        }
        const at = this.#waiters.indexOf(waiter);
        if (at !== -1) this.#waiters.splice(at, 1);
        reject(noneFree());
      };
      this.#waiters.push(waiter);
      cancel = clock.after(Math.max(leftMs(), REFUSE_AFTER_MS), look);
    });
  }

  /**
   * Removes a lost idle connection immediately; its user returns one in use. If the database is silent, all idle
   * connections are dropped, too.
   */
  #lost(wire: Wire, fault: DatabaseFault): void {
    const gone = isSilent(fault) ? this.#idle.splice(0) : this.#idle.filter((one) => one === wire);
    for (const one of gone) {
      const at = this.#idle.indexOf(one);
      if (at !== -1) this.#idle.splice(at, 1);
      this.#all.delete(one);
      one.end();
    }
  }

  #drop(wire: Wire): void {
    this.#all.delete(wire);
    wire.end();
    // Its place is free for a waiter.
    const waiter = this.#waiters.shift();
    if (!waiter) return;
    this.take().then(
      (another) => waiter.take(another),
      (error: unknown) => waiter.refuse(faultOf(error)),
    );
  }
}
