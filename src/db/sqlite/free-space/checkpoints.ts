// Checkpoints: moves the WAL into the database file. Only this class does so while a server runs (automatic checkpoints
// are off: see open.ts). It first reads what it moves, so it is always known which pages of the file contain leftovers
// of deleted rows.
import { beginAtOnce, checkpointAtOnce, fileVersionOf, type Connection } from "../connection.ts";
import type { DirtyPages } from "./dirty-pages.ts";
import type { Pages } from "./pages.ts";
import type { WalFrames } from "./wal-frames.ts";
import type { WalMover } from "./wal-mover.ts";

export interface WalLimits {
  /** From here on the WAL is moved as soon as writes pause for a moment. */
  frames: number;
  /** From here on it is moved immediately, and writers wait for it. */
  mostFrames: number;
}

export class Checkpoints {
  readonly #connection: Connection;
  readonly #frames: WalFrames;
  readonly #dirty: DirtyPages;
  readonly #mover: WalMover;
  readonly #pages: Pages;
  readonly #version: () => number;
  readonly #limits: WalLimits;
  #dueAtFrames: number;

  constructor(
    connection: Connection,
    frames: WalFrames,
    dirty: DirtyPages,
    { limits, mover, pages }: { limits: WalLimits; mover: WalMover; pages: Pages },
  ) {
    this.#connection = connection;
    this.#frames = frames;
    this.#dirty = dirty;
    this.#mover = mover;
    this.#pages = pages;
    this.#version = fileVersionOf(connection);
    this.#limits = limits;
    this.#dueAtFrames = limits.frames;
  }

  /** Checked after every commit: whether there is much unread content. */
  isDue(): boolean {
    return this.#frames.isAsLongAs(this.#dueAtFrames);
  }

  isLong(): boolean {
    return this.#frames.isAsLongAs(this.#limits.mostFrames);
  }

  /** Reads new frames ahead, so they need not be read when everything is moved. */
  readAhead(): void {
    if (this.#readWal() !== null) this.#dueAtFrames = this.#frames.committed + this.#limits.frames;
  }

  /**
   * RESTART makes the next commit overwrite the WAL from its start; TRUNCATE empties it. Returns false if a reader or a
   * writing process blocked it; the possible part is moved. Must be called between two commits.
   */
  async run(mode: "RESTART" | "TRUNCATE"): Promise<boolean> {
    const version = this.#readWal();
    if (version === null) return false;
    const moving = this.#mover.move();
    if (moving) await moving;
    // Everything is already moved, unless another process has committed meanwhile.
    const isDone = checkpointAtOnce(this.#connection, mode);
    this.#dirty.changed();
    // A commit by another process since the WAL was read may already be in the file, and no longer in the WAL.
    if (this.#version() !== version) this.#dirty.doubt();
    // While a long reader blocks it, the WAL grows; retrying at each commit would only slow commits down.
    this.#dueAtFrames = this.#limits.frames + (isDone ? 0 : this.#frames.committed);
    return isDone;
  }

  /** Like run(), and starts a new WAL. */
  async runAndBegin(mode: "RESTART" | "TRUNCATE"): Promise<boolean> {
    const isDone = await this.run(mode);
    if (isDone) await this.#mover.begin();
    return isDone;
  }

  /** The database version that was read; null while another process writes. */
  #readWal(): number | null {
    if (!beginAtOnce(this.#connection)) return null;
    try {
      this.#dirty.compare();
      this.#dirty.add(this.#frames.newPages(this.#pages.hasLeftovers));
      return this.#version();
    } finally {
      this.#connection.exec("ROLLBACK");
    }
  }
}
