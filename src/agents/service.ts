// Agents and their phone numbers.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { Claims } from "../accounts/claims.ts";
import type { Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import { assertDiallable } from "../core/phone.ts";
import type { Database } from "../db/database.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { PlacedNumber } from "../trunks/settings-trunks.ts";
import { trunkOf } from "../trunks/trunk-store.ts";
import { AGENT_DEFAULTS } from "./agent-defaults.ts";
import { checkedAgent, type AgentInput } from "./checked-agent.ts";
import type { Agent, PhoneNumber } from "./records.ts";
import type { WaitingCalls } from "./waiting-calls.ts";
import type { KnownValues } from "../payloads/known-values.ts";
import { agentFields, agentView, archivedView, numberView } from "./views.ts";
import { fieldsOfVersion, keepVersion, listVersions, versionDifference } from "./versions/versions.ts";
import { changeSpeech } from "./speech-audit.ts";
import { assertMayTransferTo } from "./transfer-target.ts";
import {
  agentById,
  agentsOf,
  archivedAgentsOf,
  insertAgent,
  insertNumber,
  knownValuesOf,
  numberByText,
  numbersOf,
  takeNumbersFrom,
  updateAgent,
  updateNumber,
} from "./store.ts";

export interface NewNumber {
  number: string;
  agentId?: string | null;
  concurrentCalls?: number;
  /** The trunk that carries it; the simulator needs none. */
  trunkId?: string | null;
}

export interface AgentServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  claims: Claims;
  /** `calls.allowed_ranges`. */
  allowedRanges: readonly string[];
  /** Called when calls may be waiting for an agent's hours or a number's trunk. */
  waiting: WaitingCalls;
  /** The trunk that the configuration assigns to a number. */
  trunkBySettings?: (number: string) => string | undefined;
}

export class AgentService {
  constructor(private readonly deps: Required<AgentServiceDeps>) {}

  async create(organisationId: string, input: Partial<AgentInput>, actor: Actor) {
    const { db, clock, ids, audit, allowedRanges } = this.deps;
    const checked = checkedAgent({ ...AGENT_DEFAULTS, ...input });
    assertMayTransferTo(checked.transfer_to, allowedRanges);
    return db.write(async (tx) => {
      const now = clock.now();
      const row: Agent = {
        ...checked,
        id: ids.next("agt"),
        organisation_id: organisationId,
        created_at: now,
        updated_at: now,
        archived_at: null,
      };
      await insertAgent(tx, row);
      await keepVersion(tx, row, { actor, at: now });
      await changeSpeech(tx, audit, { before: AGENT_DEFAULTS.model_speech, agent: row, actor });
      await audit.record(tx, {
        organisationId,
        actor,
        action: "agent.created",
        subjectId: row.id,
        detail: { type: row.type },
      });
      return agentView(row);
    });
  }

  async update(organisationId: string, id: string, change: Partial<AgentInput>, actor: Actor) {
    const { db, audit } = this.deps;
    return db.write(async (tx) => {
      const changed = await this.#change(tx, organisationId, id, change, { actor });
      await audit.record(tx, {
        organisationId,
        actor,
        action: "agent.changed",
        subjectId: id,
        detail: { fields: Object.keys(change) },
      });
      return agentView(changed);
    });
  }

  /** Restores an earlier version as a new version, so that no state is lost. */
  async restore(organisationId: string, id: string, version: number, actor: Actor) {
    const { db, audit } = this.deps;
    return db.write(async (tx) => {
      await mustFind(tx, organisationId, id);
      const fields = await fieldsOfVersion(tx, id, version);
      const restored = await this.#change(tx, organisationId, id, fields, { actor, restoredFrom: version });
      await audit.record(tx, { organisationId, actor, action: "agent.restored", subjectId: id, detail: { version } });
      return agentView(restored);
    });
  }

  /** Newest first. */
  async versions(organisationId: string, id: string) {
    const { reader } = this.deps.db;
    await mustFind(reader, organisationId, id);
    return listVersions(reader, id);
  }

  /** A version and its difference from the previous one, or from `against`. */
  async version(organisationId: string, id: string, version: number, against?: number) {
    const { reader } = this.deps.db;
    await mustFind(reader, organisationId, id);
    return versionDifference(reader, id, version, against);
  }

  async #change(
    tx: Tx,
    organisationId: string,
    id: string,
    change: Partial<AgentInput>,
    by: { actor: Actor; restoredFrom?: number },
  ): Promise<Agent> {
    const { clock, audit, allowedRanges, waiting } = this.deps;
    const now = clock.now();
    const row = await mustFind(tx, organisationId, id);
    const checked = checkedAgent({ ...agentFields(row), ...change });
    // A target that was set before this rule may stay.
    if (checked.transfer_to !== row.transfer_to) assertMayTransferTo(checked.transfer_to, allowedRanges);
    const changed: Agent = { ...row, ...checked, updated_at: now };
    await updateAgent(tx, id, { ...checked, updated_at: now });
    if (change.calling_hours !== undefined) await waiting.hoursChanged(tx, organisationId, id, now);
    await keepVersion(tx, changed, { ...by, at: now });
    await changeSpeech(tx, audit, { before: row.model_speech, agent: changed, actor: by.actor });
    return changed;
  }

  /** Removes the agent from all lists and releases its numbers; its calls stay. */
  async archive(organisationId: string, id: string, actor: Actor): Promise<void> {
    const { db, clock, audit, waiting } = this.deps;
    // Checked before the write transaction: an agent may have a million calls.
    if (await waiting.hasUnfinished(db.reader, organisationId, id)) throw isBusy();
    await db.write(async (tx) => {
      await mustFind(tx, organisationId, id);
      if (await waiting.hasCampaign(tx, organisationId, id)) throw isBusy();
      await takeNumbersFrom(tx, id);
      await updateAgent(tx, id, { archived_at: clock.now() });
      await audit.record(tx, { organisationId, actor, action: "agent.archived", subjectId: id });
    });
  }

  /** Returns the agent to the lists. Its numbers may be assigned elsewhere, so they are not restored. */
  async unarchive(organisationId: string, id: string, actor: Actor): Promise<void> {
    const { db, audit } = this.deps;
    await db.write(async (tx) => {
      const row = await agentById(tx, organisationId, id);
      if (!row) throw new AppError("NOT_FOUND", "There is no agent with this id.");
      if (row.archived_at === null) return;
      await updateAgent(tx, id, { archived_at: null });
      await audit.record(tx, { organisationId, actor, action: "agent.unarchived", subjectId: id });
    });
  }

  async listArchived(organisationId: string) {
    return (await archivedAgentsOf(this.deps.db.reader, organisationId)).map(archivedView);
  }

  async list(organisationId: string) {
    return (await agentsOf(this.deps.db.reader, organisationId)).map(agentView);
  }

  /** Values of placeholders that calls do not have to supply. */
  known(organisationId: string, branchId: string | null): Promise<KnownValues> {
    return knownValuesOf(this.deps.db.reader, organisationId, branchId);
  }

  async addNumber(organisationId: string, input: NewNumber, actor: Actor) {
    const { clock, ids, audit, claims } = this.deps;
    assertDiallable(input.number, "number");
    const concurrentCalls = checkedLines(input.concurrentCalls ?? 10);
    const holder = async (executor: Executor) => (await numberByText(executor, input.number))?.organisation_id;
    return claims.run({ organisationId, kind: "phone_number", actor, holder }, async (tx) => {
      if (await numberByText(tx, input.number))
        throw new AppError("CONFLICT", "This phone number is already registered.");
      if (input.agentId) await mustFind(tx, organisationId, input.agentId);
      if (input.trunkId) await assertTrunk(tx, organisationId, input.trunkId);
      const row: PhoneNumber = {
        id: ids.next("num"),
        organisation_id: organisationId,
        number: input.number,
        agent_id: input.agentId ?? null,
        concurrent_calls: concurrentCalls,
        created_at: clock.now(),
        trunk_id: input.trunkId ?? null,
        removed_at: null,
      };
      await insertNumber(tx, row);
      await audit.record(tx, { organisationId, actor, action: "phone_number.added", subjectId: row.id });
      return numberView(row);
    });
  }

  /** Null unassigns the number. */
  async assignNumber(organisationId: string, number: string, agentId: string | null, actor: Actor): Promise<void> {
    const { db, audit } = this.deps;
    await db.write(async (tx) => {
      const row = await mustFindNumber(tx, organisationId, number);
      if (agentId !== null) await mustFind(tx, organisationId, agentId);
      await updateNumber(tx, row.id, { agent_id: agentId });
      await audit.record(tx, {
        organisationId,
        actor,
        action: "phone_number.assigned",
        subjectId: row.id,
        detail: { agent_id: agentId },
      });
    });
  }

  /** Removes the number from all lists; any organisation may add it again. Active calls continue. */
  async removeNumber(organisationId: string, number: string, actor: Actor): Promise<void> {
    const { db, clock, audit } = this.deps;
    await db.write(async (tx) => {
      const row = await mustFindNumber(tx, organisationId, number);
      await this.#assertMovable(tx, row);
      await updateNumber(tx, row.id, {
        number: `removed ${row.id}`,
        agent_id: null,
        trunk_id: null,
        removed_at: clock.now(),
      });
      await audit.record(tx, { organisationId, actor, action: "phone_number.removed", subjectId: row.id });
    });
  }

  /** Number of concurrent calls on the number. Active calls continue. */
  async setLines(organisationId: string, number: string, concurrentCalls: number, actor: Actor): Promise<void> {
    const { db, audit } = this.deps;
    const lines = checkedLines(concurrentCalls);
    await db.write(async (tx) => {
      const row = await mustFindNumber(tx, organisationId, number);
      await updateNumber(tx, row.id, { concurrent_calls: lines });
      await audit.record(tx, {
        organisationId,
        actor,
        action: "phone_number.lines_changed",
        subjectId: row.id,
        detail: { lines },
      });
    });
  }

  /** For a trunk of the configuration, in its transaction. */
  async placeOnTrunk(tx: Tx, organisationId: string, number: string, trunkId: string): Promise<PlacedNumber> {
    const { clock, waiting } = this.deps;
    const row = await numberByText(tx, number);
    if (row?.organisation_id !== organisationId) return { kind: "unknown" };
    if (row.trunk_id === trunkId) return { kind: "there already" };
    await updateNumber(tx, row.id, { trunk_id: trunkId });
    await waiting.trunkChanged(tx, clock.now());
    return { kind: "placed", numberId: row.id };
  }

  /** Null removes the number from its trunk. Active calls continue. */
  async setTrunk(organisationId: string, number: string, trunkId: string | null, actor: Actor): Promise<void> {
    const { db, clock, audit, waiting } = this.deps;
    await db.write(async (tx) => {
      const row = await mustFindNumber(tx, organisationId, number);
      if (trunkId !== null) await assertTrunk(tx, organisationId, trunkId);
      if (trunkId !== row.trunk_id) await this.#assertMovable(tx, row);
      await updateNumber(tx, row.id, { trunk_id: trunkId });
      await waiting.trunkChanged(tx, clock.now());
      await audit.record(tx, {
        organisationId,
        actor,
        action: "phone_number.trunk_changed",
        subjectId: row.id,
        detail: { trunk_id: trunkId },
      });
    });
  }

  async listNumbers(organisationId: string) {
    return (await numbersOf(this.deps.db.reader, organisationId)).map(numberView);
  }

  /** A number placed by the configuration would be moved back, so it cannot be moved here. */
  async #assertMovable(tx: Tx, { organisation_id, number, trunk_id }: PhoneNumber): Promise<void> {
    const present = trunk_id === null ? undefined : await trunkOf(tx, organisation_id, trunk_id);
    if (present?.source !== "settings" || this.deps.trunkBySettings(number) !== present.name) return;
    throw new AppError(
      "CONFLICT",
      `The configuration puts this number on the trunk ${present.name}: change it there, under trunks.${present.name}.numbers, and restart Ringward.`,
    );
  }
}

export function createAgentService(deps: AgentServiceDeps): AgentService {
  return new AgentService({ trunkBySettings: () => undefined, ...deps });
}

const isBusy = () =>
  new AppError(
    "CONFLICT",
    "Calls or campaigns of this agent are planned or under way. Cancel or stop them, or wait for their end.",
  );

function checkedLines(count: number): number {
  if (!Number.isInteger(count) || count < 1 || count > 10_000) {
    throw invalidField("concurrent_calls", "concurrent_calls must be a whole number from 1 to 10000.");
  }
  return count;
}

async function mustFind(tx: Executor, organisationId: string, id: string): Promise<Agent> {
  const row = await agentById(tx, organisationId, id);
  if (!row || row.archived_at !== null) throw new AppError("NOT_FOUND", "There is no agent with this id.");
  return row;
}

async function mustFindNumber(tx: Tx, organisationId: string, number: string): Promise<PhoneNumber> {
  const row = await numberByText(tx, number);
  if (row?.organisation_id !== organisationId) throw new AppError("NOT_FOUND", "There is no such phone number here.");
  return row;
}

async function assertTrunk(tx: Tx, organisationId: string, id: string): Promise<void> {
  if (!(await trunkOf(tx, organisationId, id))) throw new AppError("NOT_FOUND", "There is no trunk with this id.");
}
