// Agents and their phone numbers.
import type { Actor } from "../core/actor.ts";
import { assertUnchanged } from "../core/entity-tag.ts";
import { AppError } from "../core/errors.ts";
import { decodeCursor, pageOf, pageSize } from "../core/pages.ts";
import type { Alongside } from "../db/alongside.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { AGENT_DEFAULTS } from "./agent-defaults.ts";
import { checkedAgent, type AgentInput } from "./checked-agent.ts";
import { mustFindAgent } from "./found-agent.ts";
import type { ListAgentsInput } from "./model.ts";
import { NumberService, type NumberServiceDeps } from "./number-service.ts";
import type { Agent } from "./records.ts";
import type { KnownValues } from "../payloads/known-values.ts";
import { agentFields, agentView, archivedView, type AgentView } from "./views.ts";
import { fieldsOfVersion, keepVersion, listVersions, versionDifference } from "./versions/versions.ts";
import { changePurpose } from "./purpose-change.ts";
import { changeSpeech } from "./speech-audit.ts";
import { assertMayTransferTo } from "./transfer-target.ts";
import {
  agentById,
  agentsOf,
  archivedAgentsOf,
  insertAgent,
  knownValuesOf,
  listAgents,
  takeNumbersFrom,
  updateAgent,
} from "./store.ts";

export type { NewNumber } from "./number-service.ts";

export interface AgentServiceDeps extends Omit<NumberServiceDeps, "trunkBySettings"> {
  /** `calls.allowed_ranges`. */
  allowedRanges: readonly string[];
  trunkBySettings?: NumberServiceDeps["trunkBySettings"];
}

/** Why a promotional agent gets another purpose; unused otherwise. */
export type AgentChange = Partial<AgentInput> & { purpose_reason?: string };

interface ChangedBy {
  actor: Actor;
  restoredFrom?: number;
  purposeReason?: string | undefined;
}

export class AgentService extends NumberService<Required<AgentServiceDeps>> {
  async create(
    organisationId: string,
    input: Partial<AgentInput>,
    actor: Actor,
    alongside: Alongside<AgentView> = async () => {},
  ): Promise<AgentView> {
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
      const view = agentView(row);
      await alongside(tx, view);
      return view;
    });
  }

  async update(organisationId: string, id: string, { purpose_reason, ...change }: AgentChange, actor: Actor) {
    const { db, audit } = this.deps;
    return db.write(async (tx) => {
      const changed = await this.#change(tx, organisationId, id, change, { actor, purposeReason: purpose_reason });
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
      await mustFindAgent(tx, organisationId, id);
      const fields = await fieldsOfVersion(tx, id, version);
      const restored = await this.#change(tx, organisationId, id, fields, { actor, restoredFrom: version });
      await audit.record(tx, { organisationId, actor, action: "agent.restored", subjectId: id, detail: { version } });
      return agentView(restored);
    });
  }

  /** Newest first. */
  async versions(organisationId: string, id: string) {
    const { reader } = this.deps.db;
    await mustFindAgent(reader, organisationId, id);
    return listVersions(reader, id);
  }

  /** A version and its difference from the previous one, or from `against`. */
  async version(organisationId: string, id: string, version: number, against?: number) {
    const { reader } = this.deps.db;
    await mustFindAgent(reader, organisationId, id);
    return versionDifference(reader, id, version, against);
  }

  async #change(
    tx: Tx,
    organisationId: string,
    id: string,
    change: Partial<AgentInput>,
    { purposeReason: reason, ...by }: ChangedBy,
  ): Promise<Agent> {
    const { clock, audit, allowedRanges, waiting } = this.deps;
    const now = clock.now();
    const row = await mustFindAgent(tx, organisationId, id);
    assertUnchanged(by.actor, agentView(row));
    const checked = checkedAgent({ ...agentFields(row), ...change });
    // A target that was set before this rule may stay.
    if (checked.transfer_to !== row.transfer_to) assertMayTransferTo(checked.transfer_to, allowedRanges);
    const changed: Agent = { ...row, ...checked, updated_at: now };
    await updateAgent(tx, id, { ...checked, updated_at: now });
    if (change.calling_hours !== undefined) await waiting.hoursChanged(tx, organisationId, id, now);
    await keepVersion(tx, changed, { ...by, at: now });
    await changeSpeech(tx, audit, { before: row.model_speech, agent: changed, actor: by.actor });
    await changePurpose(tx, audit, { before: row.purpose, agent: changed, reason, actor: by.actor });
    return changed;
  }

  /** Removes the agent from all lists and releases its numbers; its calls stay. Archiving twice changes nothing. */
  async archive(organisationId: string, id: string, actor: Actor): Promise<AgentView> {
    const { db, clock, audit, waiting } = this.deps;
    // Checked before the write transaction: an agent may have a million calls.
    if (await waiting.hasUnfinished(db.reader, organisationId, id)) throw isBusy();
    return db.write(async (tx) => {
      const row = await mustFindAny(tx, organisationId, id);
      if (row.archived_at !== null) return agentView(row);
      if (await waiting.hasCampaign(tx, organisationId, id)) throw isBusy();
      await takeNumbersFrom(tx, id);
      const archived_at = clock.now();
      await updateAgent(tx, id, { archived_at });
      await audit.record(tx, { organisationId, actor, action: "agent.archived", subjectId: id });
      return agentView({ ...row, archived_at });
    });
  }

  /** Returns the agent to the lists. Its numbers may be assigned elsewhere, so they are not restored. */
  async unarchive(organisationId: string, id: string, actor: Actor): Promise<AgentView> {
    const { db, audit } = this.deps;
    return db.write(async (tx) => {
      const row = await mustFindAny(tx, organisationId, id);
      if (row.archived_at === null) return agentView(row);
      await updateAgent(tx, id, { archived_at: null });
      await audit.record(tx, { organisationId, actor, action: "agent.unarchived", subjectId: id });
      return agentView({ ...row, archived_at: null });
    });
  }

  async listArchived(organisationId: string) {
    return (await archivedAgentsOf(this.deps.db.reader, organisationId)).map(archivedView);
  }

  async list(organisationId: string) {
    return (await agentsOf(this.deps.db.reader, organisationId)).map(agentView);
  }

  /** Also an archived one. */
  async get(organisationId: string, id: string): Promise<AgentView> {
    return agentView(await mustFindAny(this.deps.db.reader, organisationId, id));
  }

  /** Newest first. */
  async page(organisationId: string, input: ListAgentsInput) {
    const limit = pageSize(input.limit);
    const rows = await listAgents(this.deps.db.reader, {
      organisationId,
      isArchived: input.archived === "true",
      before: input.cursor === undefined ? undefined : decodeCursor(input.cursor, input),
      limit: limit + 1,
    });
    return pageOf(rows, limit, input, agentView);
  }

  /** Values of placeholders that calls do not have to supply. */
  known(organisationId: string, branchId: string | null): Promise<KnownValues> {
    return knownValuesOf(this.deps.db.reader, organisationId, branchId);
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

async function mustFindAny(executor: Executor, organisationId: string, id: string): Promise<Agent> {
  const row = await agentById(executor, organisationId, id);
  if (!row) throw new AppError("NOT_FOUND", "There is no agent with this id.");
  return row;
}
