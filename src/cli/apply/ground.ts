// What every kind of `ringward apply` plans with: the services, the file, what other objects are called, and faults.
import type { Services } from "../../compose/services.ts";
import type { Config, PlanName } from "../../config/schema.ts";
import { AppError } from "../../core/errors.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../db/database.ts";
import { orNull, type ApplyFile, type Kind } from "./file-schema.ts";

export type Action = "create" | "change" | "unchanged" | "remove";

/** One object of the file, or one that is removed. Holds names of fields, never their values. */
export interface Step {
  kind: Kind;
  name: string;
  action: Action;
  /** The fields that differ. */
  fields: readonly string[];
  note?: string;
  run(): Promise<void>;
}

export interface GroundDeps {
  services: Services;
  db: Database;
  config: Config;
  clock: Clock;
  file: ApplyFile;
  /** Absolute folder of the file: paths in it are relative to this folder. */
  folder: string;
  prune: ReadonlySet<Kind>;
}

/** Objects that others refer to by name. */
type Named = "branches" | "services" | "trunks" | "agents";

export class Ground {
  readonly services: Services;
  readonly db: Database;
  readonly config: Config;
  readonly clock: Clock;
  readonly file: ApplyFile;
  readonly folder: string;
  readonly faults: string[] = [];
  readonly warnings: string[] = [];
  /** Files that receive a secret. */
  readonly outputs = new Set<string>();
  /** Of the stored organisation; a new one is on the base plan. */
  plan: PlanName = "base";
  /** Number of objects that exist, are not in the file, and are not removed. */
  readonly left = new Map<Kind, number>();
  /** Removals run last, in the opposite order: dependants first. */
  readonly removals: Step[] = [];
  readonly #prune: ReadonlySet<Kind>;
  /** Name → id, or null while it is still to be created. */
  readonly #ids = new Map<string, string | null>();
  #organisationId: string | null = null;

  constructor(deps: GroundDeps) {
    this.services = deps.services;
    this.db = deps.db;
    this.config = deps.config;
    this.clock = deps.clock;
    this.file = deps.file;
    this.folder = deps.folder;
    this.#prune = deps.prune;
  }

  /** Null until the organisation is created. */
  get organisationId(): string | null {
    return this.#organisationId;
  }

  /** When steps run, the organisation exists. */
  get org(): string {
    if (this.#organisationId === null) throw new Error("The organisation is not there yet.");
    return this.#organisationId;
  }

  isOrganisation(id: string): void {
    this.#organisationId = id;
  }

  /** The stored objects; none while the organisation is still to be created. */
  async stored<T>(read: (organisationId: string) => Promise<T[]>): Promise<T[]> {
    return this.#organisationId === null ? [] : read(this.#organisationId);
  }

  fault(path: string, message: string): void {
    this.faults.push(`${path}: ${message}`);
  }

  /** Runs a check of the services; its error becomes a fault. Null if it failed. */
  checked<T>(path: string, check: () => T): T | null {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const messages = error.details.length > 0 ? error.details.map(({ message }) => message) : [error.message];
      for (const message of messages) this.fault(path, message);
      return null;
    }
  }

  /** Faults for entries that name the same object. */
  assertDistinct(kind: Kind, keys: readonly string[], paths = keys.map((_, i) => `${kind}[${i}]`)): void {
    for (const [i, key] of keys.entries()) {
      const first = keys.indexOf(key);
      if (first < i) this.fault(paths[i] ?? kind, `is the same object as ${paths[first] ?? kind}.`);
    }
  }

  /** The only stored object with this name. */
  only<T>(path: string, found: readonly T[]): T | undefined {
    if (found.length > 1) this.fault(path, `${found.length} stored objects have this name. Rename all but one.`);
    return found[0];
  }

  knows(kind: Named, name: string, id: string | null): void {
    this.#ids.set(`${kind} ${name}`, id);
  }

  /** The id behind a name; null if there is none, or if it is still to be created. */
  idOf(kind: Named, name: string | null | undefined): string | null {
    const wanted = orNull(name ?? null);
    return wanted === null ? null : (this.#ids.get(`${kind} ${wanted}`) ?? null);
  }

  knowsOf(kind: Named, name: string): boolean {
    return this.#ids.has(`${kind} ${name}`);
  }

  /** Faults if nothing in the file or the database has this name. */
  refer(kind: Named, name: string | null | undefined, path: string): void {
    const wanted = orNull(name ?? null);
    if (wanted !== null && !this.#ids.has(`${kind} ${wanted}`))
      this.fault(path, `nothing under ${kind} has this name, in the file or on this appliance.`);
  }

  later(removals: readonly Step[]): void {
    this.removals.unshift(...removals);
  }

  /** Objects that the file does not name: removal steps with `--prune`, otherwise only counted. */
  rest<T>(
    kind: Kind,
    objects: readonly T[],
    stepOf: (object: T) => { name: string; run: () => Promise<void> },
  ): Step[] {
    if (!this.#prune.has(kind)) {
      this.left.set(kind, objects.length);
      return [];
    }
    return objects.map((object) => ({ kind, action: "remove", fields: [], ...stepOf(object) }));
  }
}

/** `create` without a stored object; otherwise `change` or `unchanged`, by the fields that differ. */
export function actionFor(isStored: boolean, fields: readonly string[]): Action {
  if (!isStored) return "create";
  return fields.length > 0 ? "change" : "unchanged";
}

/** Keys of `wanted` whose value differs from `present`. */
export function differing(wanted: object, present: object): string[] {
  const there = present as Record<string, unknown>;
  return Object.entries(wanted)
    .filter(([key, value]) => value !== undefined && !Bun.deepEquals(value, there[key]))
    .map(([key]) => key);
}

/** Only the given keys. */
export function picked<T extends object>(object: T, keys: readonly string[]): Partial<T> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key))) as Partial<T>;
}

/** Without undefined values. */
export function givenOf<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}
