// One pass over the folder of a source: continues the file that is being read, or claims the next one. A source has one
// file at a time, so files apply in the order in which they arrived.
import { createHmac } from "node:crypto";
import { join } from "node:path";
import { SECOND_MS } from "../../core/clock.ts";
import { takeAppointments } from "./appointments.ts";
import { claim, filesIn, fingerprintAt, openFolder, readWhole, type Entry, type FolderPaths } from "./disk.ts";
import { finish, settle, type Ending } from "./finish.ts";
import { FileFault, meaningOf, Waits, type IntakeDeps } from "./intake-deps.ts";
import { takePeople } from "./people.ts";
import type { SourceFile } from "./records.ts";
import { DEFAULT_SETTLE_SECONDS, isMapped, type FolderSource } from "./settings.ts";
import { deleteFaults, fileById, insertFile, lastRead, openFileOf, readWithHash, updateFile } from "./store.ts";

/** A file as it was at the last looks: unchanged since. */
interface Seen {
  fingerprint: string;
  sinceMs: number;
}

interface Held {
  name: string;
  bytes: Uint8Array;
  hash: string;
  fingerprint: string;
}

export interface Pass {
  /** Entries beyond the limit were not looked at. */
  isMore: boolean;
  /** A file was brought to its end: another may follow at once. */
  isFinished: boolean;
}

const TOO_LARGE = "The file is larger than 10 MB. Split it.";
const GONE = "The file was deleted while it was read. Rows after the last one that was taken are missing.";
const CHANGED = "The file changed while it was read. Deliver it again, whole, under another name first.";

export class Intake {
  readonly #hashKey: Uint8Array;
  #seen = new Map<string, Seen>();

  constructor(
    private readonly deps: IntakeDeps,
    /** Throws when the intake has to stop. */
    private readonly check: () => void,
  ) {
    this.#hashKey = deps.secrets.deriveKey("source-files");
  }

  /** Throws a FolderFault, Waits, or an error of the disk or the database. */
  async pass(source: FolderSource & { updatedAt: number }): Promise<Pass> {
    const { db, root } = this.deps;
    const paths = await openFolder(root, source.organisationId, source.settings.folder);
    const open = await openFileOf(db.reader, source.id);
    if (open) return { isMore: false, isFinished: await this.#continue(source, paths, open) };
    const [left] = (await filesIn(paths.working)).files;
    const { entry, isMore } = await this.#next(paths, source);
    const name = left?.name ?? (entry && (await claim(paths, entry)));
    if (!name) return { isMore, isFinished: false };
    return { isMore, isFinished: await this.#begin(source, paths, name) };
  }

  /** The oldest file that has settled: its writer has finished. An empty one has not begun. */
  async #next({ incoming }: FolderPaths, { settings }: FolderSource): Promise<{ entry?: Entry; isMore: boolean }> {
    const { files, isMore } = await filesIn(incoming);
    const nowMs = this.deps.clock.elapsedMs();
    this.#seen = new Map(
      files.map(({ name, fingerprint }) => {
        const before = this.#seen.get(name);
        return [name, before?.fingerprint === fingerprint ? before : { fingerprint, sinceMs: nowMs }];
      }),
    );
    const settleMs = (settings.settle_seconds ?? DEFAULT_SETTLE_SECONDS) * SECOND_MS;
    const entry = files.find(
      ({ name, size }) => size > 0 && nowMs - (this.#seen.get(name)?.sinceMs ?? nowMs) >= settleMs,
    );
    return entry ? { entry, isMore } : { isMore };
  }

  async #begin(source: FolderSource & { updatedAt: number }, paths: FolderPaths, name: string): Promise<boolean> {
    const held = await this.#read(paths, name);
    if (held === null || held === "changing") return false;
    const file = this.#newFile(source, name, held === "too_large" ? null : held);
    await this.deps.db.write((tx) => insertFile(tx, file));
    if (held === "too_large")
      return this.#finish(source, paths, file, name, null, { state: "faulty", reason: TOO_LARGE });
    if (await this.#isRepeated(source, held.hash))
      return this.#finish(source, paths, file, name, held.bytes, { state: "repeated", reason: null });
    return this.#take(source, paths, file, held);
  }

  async #continue(source: FolderSource, paths: FolderPaths, file: SourceFile): Promise<boolean> {
    if (file.state === "asking") return false;
    const held = await this.#heldOf(paths, file);
    if (held === "changing") return false;
    if (file.moved_to !== null) {
      await settle(this.deps, source, paths, file, held?.name ?? null, held?.bytes ?? null);
      return true;
    }
    if (file.state === "rejected")
      return this.#finish(source, paths, file, held?.name ?? file.name, held?.bytes ?? null, {
        state: "rejected",
        reason: "A person refused this list.",
      });
    if (!held) return this.#finish(source, paths, file, file.name, null, { state: "faulty", reason: GONE });
    if (held.hash === file.hash) return this.#take(source, paths, file, held);
    if (file.campaign_id !== null)
      return this.#finish(source, paths, file, held.name, null, { state: "faulty", reason: CHANGED });
    // Its writer went on after it was claimed. Appointments are told again from the start, which changes nothing twice.
    const restarted = { hash: held.hash, size: held.bytes.length, last_row: 0, faults: 0, state: "waiting" as const };
    await this.deps.db.write(async (tx) => {
      await deleteFaults(tx, file.id);
      await updateFile(tx, file.id, restarted);
    });
    return this.#take(source, paths, { ...file, ...restarted }, held);
  }

  /** Under its name, or under another one that a person gave it. */
  async #heldOf(paths: FolderPaths, { name, hash }: SourceFile): Promise<Held | "changing" | null> {
    const { files } = await filesIn(paths.working);
    const sorted = files.toSorted((one, other) => Number(other.name === name) - Number(one.name === name));
    let found: Held | null = null;
    for (const entry of sorted) {
      const held = await this.#read(paths, entry.name);
      if (held === "changing") return held;
      if (held === null || held === "too_large") continue;
      if (held.hash === hash) return held;
      if (entry.name === name) found = held;
    }
    return found;
  }

  async #take(source: FolderSource, paths: FolderPaths, file: SourceFile, held: Held): Promise<boolean> {
    if (!isMapped(source.settings)) throw await this.#waiting(file, new Waits("not_mapped"));
    try {
      if (source.settings.list === "people") await takePeople(this.deps, source, file, held.bytes, this.check);
      else if (!(await takeAppointments(this.deps, source, file, held.bytes, this.check))) return false;
    } catch (error) {
      const meant = meaningOf(error);
      if (meant instanceof FileFault)
        return this.#finish(source, paths, file, held.name, held.bytes, { state: "faulty", reason: meant.message });
      throw meant instanceof Waits ? await this.#waiting(file, meant) : meant;
    }
    const now = await fingerprintAt(join(paths.working, held.name));
    // Its writer went on. It is read again from the start.
    if (now !== null && now !== held.fingerprint) return false;
    const read = (await fileById(this.deps.db.reader, file.id)) ?? file;
    const isTaken = read.faults === 0 || read.created + read.updated + read.unchanged > 0;
    return this.#finish(source, paths, read, held.name, held.bytes, {
      state: isTaken ? "done" : "faulty",
      reason: null,
    });
  }

  async #waiting(file: SourceFile, waits: Waits): Promise<Waits> {
    const { reason } = waits;
    if (reason !== null && (file.state !== "waiting" || file.reason !== reason))
      await this.deps.db.write((tx) => updateFile(tx, file.id, { state: "waiting", reason }));
    return waits;
  }

  async #finish(
    source: FolderSource,
    paths: FolderPaths,
    file: SourceFile,
    working: string,
    bytes: Uint8Array | null,
    ending: Ending,
  ): Promise<boolean> {
    await finish(this.deps, source, paths, file, working, bytes, ending);
    return true;
  }

  async #read({ working }: FolderPaths, name: string): Promise<Held | "changing" | "too_large" | null> {
    const hash = createHmac("sha256", this.#hashKey);
    const read = await readWhole(working, name, (part) => hash.update(part));
    if (read === null || typeof read === "string") return read;
    return { name, ...read, hash: hash.digest("base64url") };
  }

  /**
   * The same people are not called again. The same appointments are read again after a change of the settings, and a
   * complete list also after another list.
   */
  async #isRepeated(source: FolderSource & { updatedAt: number }, hash: string): Promise<boolean> {
    const { reader } = this.deps.db;
    const same = await readWithHash(reader, source.id, hash);
    if (!same || source.settings.list === "people") return same !== undefined;
    if (same.received_at < source.updatedAt) return false;
    return source.settings.list === "changes" || (await lastRead(reader, source.id))?.id === same.id;
  }

  #newFile({ id: source_id, organisationId }: FolderSource, name: string, held: Held | null): SourceFile {
    const { ids, clock } = this.deps;
    return {
      id: ids.next("sfl"),
      organisation_id: organisationId,
      source_id,
      name,
      hash: held?.hash ?? "",
      size: held?.bytes.length ?? 0,
      state: "waiting",
      reason: null,
      received_at: clock.now(),
      finished_at: null,
      last_row: 0,
      row_count: null,
      created: 0,
      updated: 0,
      unchanged: 0,
      faults: 0,
      cancelled: 0,
      absent: null,
      known: null,
      accepted: null,
      campaign_id: null,
      moved_to: null,
    };
  }
}
