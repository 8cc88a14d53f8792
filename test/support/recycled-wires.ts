// PostgreSQL connections reused across the databases of several tests: connecting and planning again would cost more
// than most tests.
import type { Address } from "../../src/db/postgres/address.ts";
import { DatabaseFault } from "../../src/db/postgres/faults.ts";
import { openWire, type Answer, type Statement, type Wire, type WireOptions } from "../../src/db/postgres/wire.ts";

/** By the database and the settings of the session. */
const idle = new Map<string, Wire[]>();
const comingBack = new Set<Promise<void>>();

/** In the place of openWire. */
export async function openRecycled(address: Address, options: WireOptions): Promise<Wire> {
  const { settings = [], isPatient = false } = options;
  const kind = JSON.stringify([address.host, address.database, settings, isPatient]);
  // One that comes back may hold the lock of its server until it is clean.
  await Promise.all(comingBack);
  for (let wire = idle.get(kind)?.pop(); wire; wire = idle.get(kind)?.pop())
    if (!wire.isLost) return new LentWire(wire, kind);
  return new LentWire(await openWire(address, options), kind);
}

/** Whoever ends it gives it back. */
class LentWire implements Wire {
  readonly lost: Promise<DatabaseFault>;
  readonly #closed = Promise.withResolvers<DatabaseFault>();
  #isEnded = false;

  constructor(
    private readonly wire: Wire,
    private readonly kind: string,
  ) {
    this.lost = Promise.race([wire.lost, this.#closed.promise]);
  }

  get isLost(): boolean {
    return this.#isEnded || this.wire.isLost;
  }

  async query(text: string, values?: readonly unknown[]): Promise<Answer> {
    this.#assertOpen();
    return this.wire.query(text, values);
  }

  async ask(text: string, values?: readonly unknown[]): Promise<Answer> {
    this.#assertOpen();
    return this.wire.ask(text, values);
  }

  async askAll(all: readonly Statement[]): Promise<Answer[]> {
    this.#assertOpen();
    return this.wire.askAll(all);
  }

  #assertOpen(): void {
    if (this.#isEnded) throw new DatabaseFault("The connection was closed.", null, true);
  }

  settled(): Promise<boolean> {
    return this.wire.settled();
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#closed.resolve(new DatabaseFault("The connection was closed.", null, true));
    const back = this.#giveBack();
    comingBack.add(back);
    void back.then(() => comingBack.delete(back));
  }

  async #giveBack(): Promise<void> {
    if (this.wire.isLost) return;
    try {
      await this.wire.query("ROLLBACK; SELECT pg_advisory_unlock_all()");
      idle.set(this.kind, [...(idle.get(this.kind) ?? []), this.wire]);
    } catch {
      this.wire.end();
    }
  }
}
