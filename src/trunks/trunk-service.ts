// SIP trunks, which carry the calls of an organisation. Secrets are stored encrypted and never returned.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { Config } from "../config/schema.ts";
import { MINUTE_MS, type Clock } from "../core/clock.ts";
import { assertUnchanged } from "../core/entity-tag.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import { decodeCursor, pageOf, pageSize } from "../core/pages.ts";
import { silentLogger, type Logger } from "../core/logger.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { Alongside } from "../db/alongside.ts";
import type { Database } from "../db/database.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { ListTrunksInput } from "./model.ts";
import type { Trunk } from "./records.ts";
import { createTrunkSecrets, type TrunkSecrets } from "./trunk-secrets.ts";
import type { TrunkRefusal } from "./trunk-addresses.ts";
import { carrierSettings } from "./carrier-settings.ts";
import { checkedTrunk, NEW_TRUNK, type NewTrunk, type TrunkChange } from "./checked-trunk.ts";
import { applySettings, type PlaceNumber, type SettingsNote } from "./settings-trunks.ts";
import {
  allTrunks,
  captureUntil,
  deleteTrunk,
  insertTrunk,
  listTrunks,
  nextUpdatedAt,
  numbersOnTrunk,
  numbersOnTrunks,
  trunkByName,
  trunkOf,
  trunkRevision,
  trunksOf,
  trunkStatesOf,
  updateTrunk,
  upsertTrunkState,
} from "./trunk-store.ts";
import {
  stateRow,
  storedStateView,
  trunkInputOf,
  trunkView,
  type TrunkStateView,
  type TrunkView,
} from "./trunk-view.ts";
import type { TrunkSettings, TrunkState } from "./trunk-settings.ts";

/** A test call, and why it overrode hours or limits. */
export interface TrialCall {
  overridden: readonly string[];
  reason: string | null;
}

export interface TrunkServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  secrets: SecretBox;
  /** Refused addresses. */
  refusal: TrunkRefusal;
  /** Places the numbers of trunks from the configuration. */
  placeNumber: PlaceNumber;
  logger?: Logger;
  /** Called after each change that concerns the carrier. */
  changed?: () => void;
}

const LONGEST_CAPTURE_MINUTES = 60;

export class TrunkService {
  readonly #secrets: TrunkSecrets;

  constructor(private readonly deps: Required<TrunkServiceDeps>) {
    this.#secrets = createTrunkSecrets(deps.secrets, deps.logger);
  }

  async create(
    organisationId: string,
    input: NewTrunk,
    actor: Actor,
    alongside: Alongside<TrunkView> = async () => {},
  ): Promise<TrunkView> {
    const { db, clock, ids, audit, refusal, changed } = this.deps;
    const { secret = null, ...given } = input;
    const checked = checkedTrunk({ ...NEW_TRUNK, ...given }, { secret, hasSecret: Boolean(secret) }, refusal);
    const view = await db.write(async (tx) => {
      await assertNameFree(tx, organisationId, checked.name);
      const id = ids.next("trk");
      const now = clock.now();
      const row: Trunk = {
        ...checked,
        id,
        organisation_id: organisationId,
        source: "dashboard",
        sealed_secret: secret ? this.#secrets.seal(id, secret) : null,
        capture_until: null,
        created_at: now,
        updated_at: now,
      };
      await insertTrunk(tx, row);
      const detail = { name: row.name, transport: row.transport };
      await audit.record(tx, { organisationId, actor, action: "trunk.created", subjectId: id, detail });
      const made = await this.#viewOf(tx, row);
      await alongside(tx, made);
      return made;
    });
    changed();
    return view;
  }

  async update(organisationId: string, id: string, change: TrunkChange, actor: Actor): Promise<TrunkView> {
    const { db, clock, audit, refusal, changed } = this.deps;
    const { secret, ...given } = change;
    const view = await db.write(async (tx) => {
      const row = await mustFindOwn(tx, organisationId, id);
      assertUnchanged(actor, await this.#viewOf(tx, row));
      const hasSecret = secret === undefined ? row.sealed_secret !== null : Boolean(secret);
      const checked = checkedTrunk({ ...trunkInputOf(row), ...given }, { secret: secret ?? null, hasSecret }, refusal);
      if (checked.name !== row.name) await assertNameFree(tx, organisationId, checked.name);
      const changedRow = {
        ...checked,
        ...(secret === undefined ? {} : { sealed_secret: secret ? this.#secrets.seal(id, secret) : null }),
        updated_at: nextUpdatedAt(row, clock.now()),
      };
      await updateTrunk(tx, id, changedRow);
      const detail = { fields: Object.keys(change) };
      await audit.record(tx, { organisationId, actor, action: "trunk.changed", subjectId: id, detail });
      return this.#viewOf(tx, { ...row, ...changedRow });
    });
    changed();
    return view;
  }

  async remove(organisationId: string, id: string, actor: Actor): Promise<void> {
    const { db, audit, changed } = this.deps;
    await db.write(async (tx) => {
      const row = await mustFindOwn(tx, organisationId, id);
      const numbers = await numbersOnTrunk(tx, id);
      if (numbers.length > 0) {
        throw new AppError(
          "CONFLICT",
          `${numbers.length === 1 ? "A phone number uses" : `${numbers.length} phone numbers use`} this trunk. Put ${numbers.length === 1 ? "it" : "them"} on another trunk first.`,
        );
      }
      await deleteTrunk(tx, id);
      const detail = { name: row.name };
      await audit.record(tx, { organisationId, actor, action: "trunk.deleted", subjectId: id, detail });
    });
    changed();
  }

  async list(organisationId: string): Promise<TrunkView[]> {
    const { db } = this.deps;
    return Promise.all((await trunksOf(db.reader, organisationId)).map((row) => this.#viewOf(db.reader, row)));
  }

  /** Newest first. */
  async page(organisationId: string, input: ListTrunksInput) {
    const { reader } = this.deps.db;
    const limit = pageSize(input.limit);
    const before = input.cursor === undefined ? undefined : decodeCursor(input.cursor, input);
    const rows = await listTrunks(reader, { organisationId, before, limit: limit + 1 });
    const { data, next_cursor } = pageOf(rows, limit, input, (row) => this.#viewOf(reader, row));
    return { data: await Promise.all(data), next_cursor };
  }

  async get(organisationId: string, id: string): Promise<TrunkView> {
    const { db } = this.deps;
    return this.#viewOf(db.reader, await mustFind(db.reader, organisationId, id));
  }

  async byName(organisationId: string, name: string): Promise<TrunkView> {
    const { db } = this.deps;
    const row = await trunkByName(db.reader, organisationId, name);
    if (!row) throw new AppError("NOT_FOUND", `There is no trunk named ${name}. "ringward trunks list" names them.`);
    return this.#viewOf(db.reader, row);
  }

  /** Packets contain conversations, so capturing is limited to the time of troubleshooting. 0 stops it. */
  async setCapture(organisationId: string, id: string, minutes: number, actor: Actor): Promise<TrunkView> {
    const { db, clock, audit } = this.deps;
    if (!Number.isInteger(minutes) || minutes < 0 || minutes > LONGEST_CAPTURE_MINUTES) {
      throw invalidField("minutes", `minutes must be a whole number from 0 to ${LONGEST_CAPTURE_MINUTES}.`);
    }
    return db.write(async (tx) => {
      const row = await mustFind(tx, organisationId, id);
      const capture_until = minutes === 0 ? null : clock.now() + minutes * MINUTE_MS;
      await updateTrunk(tx, id, { capture_until });
      const detail = { minutes };
      await audit.record(tx, { organisationId, actor, action: "trunk.capture_set", subjectId: id, detail });
      return this.#viewOf(tx, { ...row, capture_until });
    });
  }

  /** Checked at every dial. */
  async isCaptured(executor: Executor, trunkId: string): Promise<boolean> {
    return ((await captureUntil(executor, trunkId)) ?? 0) > this.deps.clock.now();
  }

  /** All enabled trunks of all organisations with their secrets: for the carrier only. */
  async settings(isWanted = ({ enabled }: Trunk) => enabled): Promise<TrunkSettings[]> {
    const { db } = this.deps;
    const rows = (await allTrunks(db.reader)).filter(isWanted);
    const carried = await numbersOnTrunks(db.reader);
    return rows.map((row) => {
      const numbers = carried.filter(({ trunk_id }) => trunk_id === row.id).map(({ number }) => number);
      return carrierSettings(row, this.#secrets.openOrNull(row), numbers);
    });
  }

  /** One trunk, enabled or disabled, for a trial. Recorded in the audit trail. */
  async forTrial(
    organisationId: string,
    trunkId: string,
    call: TrialCall | null,
    actor: Actor,
  ): Promise<TrunkSettings> {
    const { db, audit } = this.deps;
    await mustFind(db.reader, organisationId, trunkId);
    await db.write((tx) =>
      audit.record(tx, {
        organisationId,
        actor,
        action: "trunk.tried",
        subjectId: trunkId,
        detail: { with_call: call !== null, ...overrideOf(call) },
      }),
    );
    const [settings] = await this.settings(({ id }) => id === trunkId);
    if (!settings) throw new AppError("NOT_FOUND", "The trunk was removed in the meantime.");
    return settings;
  }

  /** Changes whenever settings() may change: commands outside the server modify trunks too. */
  revision(): Promise<string> {
    return trunkRevision(this.deps.db.reader);
  }

  /** For commands outside the server. Skips trunks that were deleted meanwhile. */
  async storeStates(states: readonly TrunkState[]): Promise<void> {
    const { db, clock } = this.deps;
    await db.write(async (tx) => {
      const known = new Set((await allTrunks(tx)).map(({ id }) => id));
      for (const state of states) if (known.has(state.id)) await upsertTrunkState(tx, stateRow(state, clock.now()));
    });
  }

  /** Last stored states by trunk id. */
  async statesOf(organisationId: string): Promise<Record<string, TrunkStateView>> {
    const { db } = this.deps;
    const rows = await trunksOf(db.reader, organisationId);
    const states = await trunkStatesOf(db.reader, organisationId);
    const linesOf = (id: string) => rows.find((row) => row.id === id)?.concurrent_calls ?? 0;
    return Object.fromEntries(states.map((state) => [state.trunk_id, storedStateView(state, linesOf(state.trunk_id))]));
  }

  /** Runs at each start, and whenever an organisation or a number is added. Idempotent. */
  async applySettingsTrunks({ trunks }: Pick<Config, "trunks">): Promise<SettingsNote[]> {
    const { db, clock, ids, audit, refusal, placeNumber, changed } = this.deps;
    const { notes, hasChanged } = await db.write((tx) =>
      applySettings(
        { tx, now: clock.now(), ids, audit, refusal, seal: this.#secrets.seal, open: this.#secrets.open, placeNumber },
        trunks,
      ),
    );
    if (hasChanged) changed();
    return notes;
  }

  async #viewOf(executor: Executor, row: Trunk): Promise<TrunkView> {
    return trunkView(row, await numbersOnTrunk(executor, row.id), this.deps.clock.now());
  }
}

export function createTrunkService(deps: TrunkServiceDeps): TrunkService {
  return new TrunkService({ logger: silentLogger, changed: () => {}, ...deps });
}

const overrideOf = (call: TrialCall | null) =>
  call === null || call.reason === null ? {} : { overridden: call.overridden, reason: call.reason };

async function mustFind(executor: Executor, organisationId: string, id: string): Promise<Trunk> {
  const row = await trunkOf(executor, organisationId, id);
  if (!row) throw new AppError("NOT_FOUND", "There is no trunk with this id.");
  return row;
}

async function mustFindOwn(tx: Tx, organisationId: string, id: string): Promise<Trunk> {
  const row = await mustFind(tx, organisationId, id);
  if (row.source === "dashboard") return row;
  throw new AppError(
    "CONFLICT",
    // Trunks in the configuration are always enabled.
    row.enabled
      ? `This trunk follows the configuration: change it there, under trunks.${row.name}, and restart Ringward.`
      : "This trunk was taken out of the configuration. Put its numbers on another one: the next start removes it.",
  );
}

async function assertNameFree(tx: Tx, organisationId: string, name: string): Promise<void> {
  if (await trunkByName(tx, organisationId, name)) {
    throw new AppError("CONFLICT", "There is already a trunk with this name. Choose another.");
  }
}
