// Set of pages in the database file with leftovers in their free space. It is accurate while only this process changes
// the file: every change passes through the WAL, which is read before it is moved into the file (checkpoints.ts).
import type { CleanMark } from "./clean-mark.ts";
import { newStampOf, stampOf, type Stamp } from "./file-stamp.ts";

export class DirtyPages {
  readonly #file: string;
  readonly #pages: Set<number>;
  #stamp: Stamp | null;
  #isKnown: boolean;
  #doubts = 0;

  constructor(file: string, mark: CleanMark | null) {
    this.#file = file;
    this.#pages = new Set(mark?.dirtyPages);
    this.#stamp = mark?.stamp ?? null;
    this.#isKnown = mark !== null;
  }

  /** False if pages other than the listed ones may be dirty. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  get size(): number {
    return this.#pages.size;
  }

  /** The list with the file version it applies to; null if it is not accurate. */
  mark(): CleanMark | null {
    return this.#isKnown && this.#stamp !== null && this.isUntouched()
      ? { stamp: this.#stamp, dirtyPages: this.sorted() }
      : null;
  }

  sorted(): number[] {
    return [...this.#pages].toSorted((a, b) => a - b);
  }

  add(pages: Iterable<number>): void {
    for (const page of pages) this.#pages.add(page);
  }

  cleaned(pages: Iterable<number>): void {
    for (const page of pages) this.#pages.delete(page);
  }

  /** Whether the file is unchanged since our last change. */
  isUntouched(): boolean {
    return stampOf(this.#file) === this.#stamp;
  }

  /** Called before our own changes. */
  compare(): void {
    if (!this.isUntouched()) this.doubt();
  }

  /** Called after our own change, whose dirty pages are known. */
  changed(): void {
    this.#stamp = newStampOf(this.#file);
  }

  /** Another program changed the file, or may have. */
  doubt(): void {
    this.#isKnown = false;
    this.#doubts += 1;
  }

  /**
   * Starts over with a scan of the whole file. The returned function is called after the scan, and returns whether the
   * list is accurate again: it is not if another program changed the file meanwhile.
   */
  startOver(): () => boolean {
    this.#pages.clear();
    const doubts = this.#doubts;
    return () => {
      this.#isKnown = this.#doubts === doubts;
      return this.#isKnown;
    };
  }
}
