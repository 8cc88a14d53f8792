// Bounded set of addresses besides a trunk's own: targets of its calls, and former addresses from DNS. Their messages
// are accepted. The least recently added address is evicted first.

/** A carrier's media cluster uses a few addresses of its own. */
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
