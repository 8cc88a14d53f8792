// Addresses beside a trunk's own that its calls led us to, or that were its own until DNS said otherwise: their
// messages are heard, and the one that was spoken of longest ago is forgotten first.

/** A carrier's media cluster answers from a few addresses of its own. */
const MOST_SIDE_ADDRESSES = 64;

export class SideAddresses {
  readonly #addresses = new Set<string>();

  has(address: string): boolean {
    return this.#addresses.has(address);
  }

  add(address: string): void {
    this.#addresses.delete(address);
    this.#addresses.add(address);
    const [oldest] = this.#addresses;
    if (this.#addresses.size > MOST_SIDE_ADDRESSES && oldest !== undefined) this.#addresses.delete(oldest);
  }
}
