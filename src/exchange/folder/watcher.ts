// Looks at the folders of all sources every few seconds, a few sources at once. A source that waits is looked at less
// often, until it is changed. Problems of a folder are stored, so that people see them.
import { SECOND_MS } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { FolderProblem } from "../../payloads/source-file.ts";
import type { Source } from "../sources/records.ts";
import { enabledSources } from "../sources/store.ts";
import { checkedFolderSettings } from "./checked-settings.ts";
import { FolderFault, isFull } from "./disk.ts";
import { Intake } from "./intake.ts";
import { Waits, type IntakeDeps } from "./intake-deps.ts";
import { removeOld } from "./retention.ts";
import type { FolderSource } from "./settings.ts";
import { clearProblem, problemOf, putProblem } from "./store.ts";

/** Each holds a file of up to 10 MB. */
const MOST_AT_ONCE = 4;
/** The next files of one source follow at once, up to this many; then other sources have their turn. */
const MOST_FILES_OF_A_PASS = 20;
/** Until a person acts, or after a fault: reading a file again and again would keep the machine busy. */
const REST_MS = 20 * SECOND_MS;
const LONGEST_STOP_MS = 5 * SECOND_MS;

class Stopped extends Error {}

type Watched = FolderSource & { updatedAt: number };

interface Due {
  source: Watched;
  /** Another source has the same folder. */
  isTaken: boolean;
}

interface State {
  intake: Intake;
  /** Elapsed time until which it rests, unless the source is changed. */
  restsUntilMs: number;
  restsAt: number;
}

export class FolderWatcher {
  readonly #states = new Map<string, State>();
  readonly #running = new Map<string, Promise<void>>();
  /** In the order in which they became due, so that no source waits forever behind others. */
  #waiting = new Map<string, Due>();
  #isStopping = false;
  #looking: Promise<void> | null = null;

  constructor(private readonly deps: IntakeDeps) {}

  /** Starts what is due and does not wait for it. */
  start(): void {
    if (this.#isStopping) return;
    this.#looking ??= this.#look()
      .catch((error: unknown) => {
        this.deps.logger.error("The folders of sources could not be looked at.", { error: messageOf(error) });
      })
      .finally(() => (this.#looking = null));
  }

  /** The same, until nothing is running: for tests. */
  async settled(): Promise<void> {
    this.start();
    await this.#looking;
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** A person decided about a file of this source. */
  wake(sourceId: string): void {
    const state = this.#states.get(sourceId);
    if (state) state.restsUntilMs = -Infinity;
    this.start();
  }

  removeOld(now: number): Promise<void> {
    return removeOld(this.deps, now);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    // A folder on a network that hangs must not hold the process.
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.deps.clock.after(LONGEST_STOP_MS, resolve);
    });
    await Promise.race([Promise.all([this.#looking, ...this.#running.values()]), late]).finally(cancel);
  }

  async #look(): Promise<void> {
    const { db, clock } = this.deps;
    const sources = (await enabledSources(db.reader, "folder")).flatMap(watchedOf);
    const known = new Set(sources.map(({ id }) => id));
    for (const id of this.#states.keys()) if (!known.has(id)) this.#states.delete(id);
    // Two sources in one folder would take each other's files.
    const taken = new Set<string>();
    const due = new Map<string, Due>();
    for (const source of sources) {
      const place = `${source.organisationId}/${source.settings.folder}`;
      const isTaken = taken.has(place);
      taken.add(place);
      const { restsUntilMs, restsAt } = this.#stateOf(source.id);
      const isResting = restsUntilMs > clock.elapsedMs() && restsAt === source.updatedAt;
      if (!isResting && !this.#running.has(source.id)) due.set(source.id, { source, isTaken });
    }
    const waitedBefore = [...this.#waiting.keys()].flatMap((id): [string, Due][] => {
      const still = due.get(id);
      return still ? [[id, still]] : [];
    });
    this.#waiting = new Map([...waitedBefore, ...due]);
    this.#startNext();
  }

  #startNext(): void {
    for (const [id, { source, isTaken }] of this.#waiting) {
      if (this.#isStopping || this.#running.size >= MOST_AT_ONCE) return;
      this.#waiting.delete(id);
      const work = this.#work(source, isTaken).finally(() => {
        this.#running.delete(id);
        this.#startNext();
      });
      this.#running.set(id, work);
    }
  }

  async #work(source: Watched, isTaken: boolean): Promise<void> {
    const state = this.#stateOf(source.id);
    let problem: FolderProblem | null = null;
    try {
      if (isTaken) throw new FolderFault("taken");
      for (let count = 0; count < MOST_FILES_OF_A_PASS; count++) {
        this.#check();
        const { isMore, isFinished } = await state.intake.pass(source);
        problem = isMore ? "too_many" : null;
        if (!isFinished) break;
      }
    } catch (error) {
      if (error instanceof Stopped) return;
      if (!(error instanceof Waits)) problem = this.#problemIn(error, source);
      if (!(error instanceof FolderFault))
        Object.assign(state, { restsUntilMs: this.deps.clock.elapsedMs() + REST_MS, restsAt: source.updatedAt });
    }
    await this.#note(source, problem).catch((error: unknown) => this.#logged(source.id, error));
  }

  #check(): void {
    if (this.#isStopping) throw new Stopped("The intake of files stops.");
  }

  #stateOf(id: string): State {
    const intake = () => new Intake(this.deps, () => this.#check());
    const state = this.#states.get(id) ?? { intake: intake(), restsUntilMs: -Infinity, restsAt: 0 };
    this.#states.set(id, state);
    return state;
  }

  #problemIn(error: unknown, { id }: Watched): FolderProblem {
    if (error instanceof FolderFault) return error.problem;
    this.#logged(id, error);
    return isFull(error) || (error instanceof Error && isFull(error.cause)) ? "disk_full" : "failed";
  }

  /** Messages of the disk name files, and file names may name people. */
  #logged(source: string, error: unknown): void {
    const { code } = error as { code?: unknown };
    const fault = typeof code === "string" ? code : messageOf(error);
    this.deps.logger.warn("The files of a source could not be read; retrying.", { source, error: fault });
  }

  async #note({ id, organisationId }: Watched, problem: FolderProblem | null): Promise<void> {
    const { db, clock } = this.deps;
    if ((await problemOf(db.reader, id)) === problem) return;
    const state = { source_id: id, organisation_id: organisationId, since: clock.now() };
    await db.write((tx) => (problem === null ? clearProblem(tx, id) : putProblem(tx, { ...state, problem })));
  }
}

/** Settings of an older version that no longer hold are skipped; a change in the dashboard corrects them. */
function watchedOf({ id, organisation_id: organisationId, settings, updated_at: updatedAt }: Source): Watched[] {
  try {
    return [{ id, organisationId, settings: checkedFolderSettings(settings), updatedAt }];
  } catch {
    return [];
  }
}
