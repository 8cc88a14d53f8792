// Which pages of the database file have something left in their free space. It is known as long as nobody but us
// changes the file: every change passes through the WAL, and we read the WAL before we move it into the file
// (checkpoints.ts).
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

  /** False where any page may be dirty, beside those that are listed. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  get size(): number {
    return this.#pages.size;
  }

  /** Together with what is known of it, the version of the file that it is known of; null where it is not. */
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

  /** Whether the file is as it was after our last change. */
  isUntouched(): boolean {
    return stampOf(this.#file) === this.#stamp;
  }

  /** Before a change of ours. */
  compare(): void {
    if (!this.isUntouched()) this.doubt();
  }

  /** After a change of ours, of which it is known which pages it made dirty. */
  changed(): void {
    this.#stamp = newStampOf(this.#file);
  }

  /** Somebody else changed the file, or may have. */
  doubt(): void {
    this.#isKnown = false;
    this.#doubts += 1;
  }

  /**
   * Begins anew, with a look through the whole file. What is answered says, when the look is over, whether it is known
   * again: it is not where somebody else changed the file meanwhile.
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
