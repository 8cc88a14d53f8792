// Sources: list, create, change, remove.
import type { Audit } from "../../accounts/audit.ts";
import type { Actor } from "../../core/actor.ts";
import { DAY_MS, toIso, toIsoOrNull, type Clock } from "../../core/clock.ts";
import { assertUnchanged } from "../../core/entity-tag.ts";
import { AppError, invalidField } from "../../core/errors.ts";
import type { Ids } from "../../core/ids.ts";
import { decodeCursor, pageOf, pageSize } from "../../core/pages.ts";
import type { Alongside } from "../../db/alongside.ts";
import type { Database } from "../../db/database.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import { OWNED_PARTS, type SourceKind } from "../../payloads/source.ts";
import type { CreateSourceInput, ListSourcesInput, PatchSourceInput, SourceView } from "./model.ts";
import type { Source, SourceSettings } from "./records.ts";
import {
  countSources,
  enabledSources,
  insertSource,
  listSources,
  sourceByName,
  sourceOf,
  updateSource,
  upcomingOf,
} from "./store.ts";

/** Checks the settings of one kind. Throws VALIDATION_ERROR; returns what is stored. */
export type SettingsCheck = (settings: SourceSettings) => SourceSettings;

/** Called on every change, in its transaction. `removed_at` is set where the source was removed. */
export type SourceWatcher = (tx: Tx, source: Source) => Promise<void>;

export interface SourceServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  /** By kind; a kind without one takes any settings. */
  settingsChecks: Partial<Record<SourceKind, SettingsCheck>>;
  sourceWatchers?: readonly SourceWatcher[];
  /** Called after a change: whoever listens to sources looks again. */
  changed?: () => void;
}

const MOST_SOURCES = 100;
/** Room for a thousand codes of a scheduler, each with its id. */
const MOST_SETTINGS_CHARACTERS = 100_000;

const NO_SETTINGS: SettingsCheck = (settings) => {
  if (Object.keys(settings).length > 0) throw invalidField("settings", "A source of the kind api has no settings.");
  return settings;
};

export class SourceService {
  constructor(private readonly deps: SourceServiceDeps) {}

  async create(
    organisationId: string,
    input: CreateSourceInput,
    actor: Actor,
    alongside: Alongside<SourceView> = async () => {},
  ): Promise<SourceView> {
    const { db, clock, ids, audit, changed } = this.deps;
    const settings = this.checkedSettings(input.kind, input.settings ?? {});
    const view = await db.write(async (tx) => {
      const name = input.name.trim();
      await assertNameFree(tx, organisationId, name);
      if ((await countSources(tx, organisationId)) >= MOST_SOURCES)
        throw new AppError("CONFLICT", `An organisation has at most ${MOST_SOURCES} sources. Remove one first.`);
      const now = clock.now();
      const row: Source = {
        id: ids.next("src"),
        organisation_id: organisationId,
        name,
        kind: input.kind,
        settings,
        owns: ownedOf(input.owns),
        enabled: input.enabled ?? true,
        created_at: now,
        updated_at: now,
        last_heard_at: null,
        removed_at: null,
      };
      await insertSource(tx, row);
      const detail = { kind: row.kind };
      await audit.record(tx, { organisationId, actor, action: "source.created", subjectId: row.id, detail });
      await this.#watched(tx, row);
      await alongside(tx, sourceView(row));
      return sourceView(row);
    });
    changed?.();
    return view;
  }

  async change(organisationId: string, id: string, input: PatchSourceInput, actor: Actor): Promise<SourceView> {
    const { db, clock, audit, changed } = this.deps;
    if (Object.keys(input).length === 0)
      throw new AppError("VALIDATION_ERROR", "At least one field is needed: name, settings, owns or enabled.");
    const view = await db.write(async (tx) => {
      const row = await mustFind(tx, organisationId, id);
      assertUnchanged(actor, sourceView(row));
      const name = input.name?.trim() ?? row.name;
      if (name !== row.name) await assertNameFree(tx, organisationId, name);
      const change = {
        name,
        settings: input.settings ? this.checkedSettings(row.kind, input.settings) : row.settings,
        owns: input.owns ? ownedOf(input.owns) : row.owns,
        enabled: input.enabled ?? row.enabled,
        updated_at: clock.now(),
      };
      await updateSource(tx, id, change);
      const detail = { fields: Object.keys(input) };
      await audit.record(tx, { organisationId, actor, action: "source.changed", subjectId: id, detail });
      await this.#watched(tx, { ...row, ...change });
      return sourceView({ ...row, ...change });
    });
    changed?.();
    return view;
  }

  /** `release`: upcoming appointments stay, and staff may change them. Without it, they keep the source. */
  async remove(organisationId: string, id: string, release: boolean, actor: Actor): Promise<{ released: number }> {
    const { db, clock, audit, changed } = this.deps;
    const released = await db.write(async (tx) => {
      const row = await mustFind(tx, organisationId, id);
      const now = clock.now();
      // A day early, because a branch may lie west of UTC.
      const upcoming = await upcomingOf(tx, id, toIso(now - DAY_MS).slice(0, 10));
      if (upcoming > 0 && !release)
        throw new AppError(
          "CONFLICT",
          `${upcoming} upcoming ${upcoming === 1 ? "appointment is" : "appointments are"} of this source. ` +
            "Send release=true to keep them for staff to change.",
        );
      const change = { removed_at: now, updated_at: now, enabled: false };
      await updateSource(tx, id, change);
      await this.#watched(tx, { ...row, ...change });
      const detail = { released: upcoming };
      await audit.record(tx, { organisationId, actor, action: "source.removed", subjectId: id, detail });
      return upcoming;
    });
    changed?.();
    return { released };
  }

  async get(organisationId: string, id: string): Promise<SourceView> {
    return sourceView(await mustFind(this.deps.db.reader, organisationId, id));
  }

  /** Newest first: an organisation has few. */
  async all(organisationId: string): Promise<SourceView[]> {
    const rows = await listSources(this.deps.db.reader, { organisationId, limit: MOST_SOURCES });
    return rows.map(sourceView);
  }

  /** Newest first. */
  async page(organisationId: string, input: ListSourcesInput) {
    const limit = pageSize(input.limit);
    const before = input.cursor === undefined ? undefined : decodeCursor(input.cursor, input);
    const page = { organisationId, kind: input.kind, before, limit: limit + 1 };
    return pageOf(await listSources(this.deps.db.reader, page), limit, input, sourceView);
  }

  /** Of every organisation: for a room that listens to one kind. */
  async enabled(kind: SourceKind): Promise<Source[]> {
    return enabledSources(this.deps.db.reader, kind);
  }

  async #watched(tx: Tx, row: Source): Promise<void> {
    for (const watch of this.deps.sourceWatchers ?? []) await watch(tx, row);
  }

  /** Throws VALIDATION_ERROR; returns what is stored. */
  checkedSettings(kind: SourceKind, settings: SourceSettings): SourceSettings {
    if (JSON.stringify(settings).length > MOST_SETTINGS_CHARACTERS)
      throw invalidField("settings", `settings must have at most ${MOST_SETTINGS_CHARACTERS} characters as JSON.`);
    const check = this.deps.settingsChecks[kind] ?? (kind === "api" ? NO_SETTINGS : undefined);
    return check ? check(settings) : settings;
  }
}

export const createSourceService = (deps: SourceServiceDeps): SourceService => new SourceService(deps);

export function sourceView(row: Source): SourceView {
  const { id, name, kind, settings, owns, enabled, created_at, updated_at, last_heard_at } = row;
  return {
    source_id: id,
    name,
    kind,
    settings: { ...settings },
    owns: [...owns],
    enabled,
    created_at: toIso(created_at),
    updated_at: toIso(updated_at),
    last_heard_at: toIsoOrNull(last_heard_at),
  };
}

/** In the usual order, each once. */
function ownedOf(asked: CreateSourceInput["owns"]): Source["owns"] {
  return asked === undefined ? OWNED_PARTS : OWNED_PARTS.filter((part) => asked.includes(part));
}

async function assertNameFree(tx: Tx, organisationId: string, name: string): Promise<void> {
  if (await sourceByName(tx, organisationId, name))
    throw new AppError("CONFLICT", "A source has this name. Choose another name.");
}

async function mustFind(executor: Executor, organisationId: string, id: string): Promise<Source> {
  const row = await sourceOf(executor, organisationId, id);
  if (!row) throw unknownSource();
  return row;
}

export const unknownSource = () => new AppError("NOT_FOUND", "There is no source with this id.");
