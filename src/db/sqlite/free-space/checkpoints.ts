// Moves the WAL into the database file, which nobody else does while a server runs (SQLite is told not to: see
// open.ts), and reads before what it moves: so it is always known which pages of the file hold leftovers of deleted
// rows.
import { beginAtOnce, checkpointAtOnce, fileVersionOf, type Connection } from "../connection.ts";
import type { DirtyPages } from "./dirty-pages.ts";
import { hasLeftovers } from "./free-span.ts";
import type { WalFrames } from "./wal-frames.ts";
import type { WalMover } from "./wal-mover.ts";

export interface WalLimits {
  /** From here on the WAL is moved as soon as nobody writes for a moment. */
  frames: number;
  /** From here on it is moved at once, and whoever writes waits for it. */
  mostFrames: number;
}

export class Checkpoints {
  readonly #connection: Connection;
  readonly #frames: WalFrames;
  readonly #dirty: DirtyPages;
  readonly #mover: WalMover;
  readonly #version: () => number;
  readonly #limits: WalLimits;
  #dueAtFrames: number;

  constructor(
    connection: Connection,
    frames: WalFrames,
    dirty: DirtyPages,
    { limits, mover }: { limits: WalLimits; mover: WalMover },
  ) {
    this.#connection = connection;
    this.#frames = frames;
    this.#dirty = dirty;
    this.#mover = mover;
    this.#version = fileVersionOf(connection);
    this.#limits = limits;
    this.#dueAtFrames = limits.frames;
  }

  /** To be asked after every commit: whether there is much that was not read yet. */
  isDue(): boolean {
    return this.#frames.isAsLongAs(this.#dueAtFrames);
  }

  isLong(): boolean {
    return this.#frames.isAsLongAs(this.#limits.mostFrames);
  }

  /** Reads what came since the last time, so that it need not be read when all of it is moved. */
  readAhead(): void {
    if (this.#readWal() !== null) this.#dueAtFrames = this.#frames.committed + this.#limits.frames;
  }

  /**
   * RESTART has the next commit begin at the front of the WAL, over what is there; TRUNCATE leaves it empty. Answers
   * false where a reader or another process that writes stood in the way; what could be moved is moved. To be called
   * between two commits.
   */
  async run(mode: "RESTART" | "TRUNCATE"): Promise<boolean> {
    const version = this.#readWal();
    if (version === null) return false;
    const moving = this.#mover.move();
    if (moving) await moving;
    // Finds everything moved, unless another process has committed meanwhile.
    const isDone = checkpointAtOnce(this.#connection, mode);
    this.#dirty.changed();
    // What another process committed since the WAL was read may be in the file by now, and not in the WAL any more.
    if (this.#version() !== version) this.#dirty.doubt();
    // While a long reader is in the way the WAL grows; to ask anew at each commit would only slow it down.
    this.#dueAtFrames = this.#limits.frames + (isDone ? 0 : this.#frames.committed);
    return isDone;
  }

  /** As run(), and the WAL is begun anew. */
  async runAndBegin(mode: "RESTART" | "TRUNCATE"): Promise<boolean> {
    const isDone = await this.run(mode);
    if (isDone) await this.#mover.begin();
    return isDone;
  }

  /** The version of the database that was read; null while another process writes. */
  #readWal(): number | null {
    if (!beginAtOnce(this.#connection)) return null;
    try {
      this.#dirty.compare();
      this.#dirty.add(this.#frames.newPages(hasLeftovers));
      return this.#version();
    } finally {
      this.#connection.exec("ROLLBACK");
    }
  }
}
