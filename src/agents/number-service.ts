// Phone numbers: who answers or calls from them, how many calls at once, and the trunk that carries them.
import type { Actor } from "../core/actor.ts";
import type { Audit, AuditNote } from "../accounts/audit.ts";
import type { Claims } from "../accounts/claims.ts";
import type { Clock } from "../core/clock.ts";
import { assertUnchanged } from "../core/entity-tag.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import { decodeCursor, pageOf, pageSize } from "../core/pages.ts";
import { assertDiallable } from "../core/phone.ts";
import type { Alongside } from "../db/alongside.ts";
import type { Database } from "../db/database.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { PlacedNumber } from "../trunks/settings-trunks.ts";
import { trunkOf } from "../trunks/trunk-store.ts";
import { MOST_LINES, type ListNumbersInput } from "./number-model.ts";
import type { PhoneNumber } from "./records.ts";
import { mustFindAgent } from "./found-agent.ts";
import { insertNumber, listNumbers, numberById, numberByText, numbersOf, updateNumber } from "./store.ts";
import { numberView, type NumberView } from "./views.ts";
import type { WaitingCalls } from "./waiting-calls.ts";

export interface NewNumber {
  number: string;
  agentId?: string | null;
  concurrentCalls?: number;
  /** The trunk that carries it; the simulator needs none. */
  trunkId?: string | null;
}

/** Omitted: unchanged. Null: no agent, or no trunk. */
export interface NumberChange {
  agent_id?: string | null;
  concurrent_calls?: number;
  trunk_id?: string | null;
}

export interface NumberServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  claims: Claims;
  /** Called when calls may be waiting for an agent's hours or a number's trunk. */
  waiting: WaitingCalls;
  /** The trunk that the configuration assigns to a number. */
  trunkBySettings: (number: string) => string | undefined;
}

/** The part of the agent service that manages phone numbers. */
export class NumberService<Deps extends NumberServiceDeps = NumberServiceDeps> {
  constructor(protected readonly deps: Deps) {}

  async addNumber(
    organisationId: string,
    input: NewNumber,
    actor: Actor,
    alongside: Alongside<NumberView> = async () => {},
  ): Promise<NumberView> {
    const { clock, ids, audit, claims } = this.deps;
    assertDiallable(input.number, "number");
    const concurrentCalls = checkedLines(input.concurrentCalls ?? 10);
    const holder = async (executor: Executor) => (await numberByText(executor, input.number))?.organisation_id;
    return claims.run({ organisationId, kind: "phone_number", actor, holder }, async (tx) => {
      if (await numberByText(tx, input.number))
        throw new AppError("CONFLICT", "This phone number is already registered.");
      if (typeof input.agentId === "string") await mustFindAgent(tx, organisationId, input.agentId);
      if (typeof input.trunkId === "string") await assertTrunk(tx, organisationId, input.trunkId);
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
      const view = numberView(row);
      await alongside(tx, view);
      return view;
    });
  }

  /** Null unassigns the number. */
  assignNumber(organisationId: string, number: string, agentId: string | null, actor: Actor): Promise<void> {
    return this.#changeByText(organisationId, number, { agent_id: agentId }, actor);
  }

  /** Number of concurrent calls on the number. */
  setLines(organisationId: string, number: string, concurrentCalls: number, actor: Actor): Promise<void> {
    return this.#changeByText(organisationId, number, { concurrent_calls: concurrentCalls }, actor);
  }

  /** Null removes the number from its trunk. */
  setTrunk(organisationId: string, number: string, trunkId: string | null, actor: Actor): Promise<void> {
    return this.#changeByText(organisationId, number, { trunk_id: trunkId }, actor);
  }

  /** All changes or none. Active calls continue. */
  async changeNumber(organisationId: string, id: string, change: NumberChange, actor: Actor): Promise<NumberView> {
    return this.deps.db.write(async (tx) => {
      const row = await mustFindNumberById(tx, organisationId, id);
      await this.#change(tx, row, change, actor);
      return numberView({ ...row, ...change });
    });
  }

  async #changeByText(organisationId: string, number: string, change: NumberChange, actor: Actor): Promise<void> {
    await this.deps.db.write(async (tx) => {
      await this.#change(tx, await mustFindNumber(tx, organisationId, number), change, actor);
    });
  }

  async #change(tx: Tx, row: PhoneNumber, change: NumberChange, actor: Actor): Promise<void> {
    const { clock, audit, waiting } = this.deps;
    const { organisation_id: organisationId, id } = row;
    assertUnchanged(actor, numberView(row));
    const { agent_id, concurrent_calls, trunk_id } = change;
    const record = (note: Pick<AuditNote, "action" | "detail">) =>
      audit.record(tx, { organisationId, actor, subjectId: id, ...note });
    if (agent_id !== undefined) {
      if (agent_id !== null) await mustFindAgent(tx, organisationId, agent_id);
      await updateNumber(tx, id, { agent_id });
      await record({ action: "phone_number.assigned", detail: { agent_id } });
    }
    if (concurrent_calls !== undefined) {
      const lines = checkedLines(concurrent_calls);
      await updateNumber(tx, id, { concurrent_calls: lines });
      await record({ action: "phone_number.lines_changed", detail: { lines } });
    }
    if (trunk_id !== undefined) {
      if (trunk_id !== null) await assertTrunk(tx, organisationId, trunk_id);
      if (trunk_id !== row.trunk_id) await this.#assertMovable(tx, row);
      await updateNumber(tx, id, { trunk_id });
      await waiting.trunkChanged(tx, clock.now());
      await record({ action: "phone_number.trunk_changed", detail: { trunk_id } });
    }
  }

  /** Removes the number from all lists; any organisation may add it again. Active calls continue. */
  async removeNumber(organisationId: string, number: string, actor: Actor): Promise<void> {
    await this.deps.db.write(async (tx) => this.#remove(tx, await mustFindNumber(tx, organisationId, number), actor));
  }

  async removeNumberById(organisationId: string, id: string, actor: Actor): Promise<void> {
    await this.deps.db.write(async (tx) => this.#remove(tx, await mustFindNumberById(tx, organisationId, id), actor));
  }

  async #remove(tx: Tx, row: PhoneNumber, actor: Actor): Promise<void> {
    const { clock, audit } = this.deps;
    await this.#assertMovable(tx, row);
    const change = { number: `removed ${row.id}`, agent_id: null, trunk_id: null, removed_at: clock.now() };
    await updateNumber(tx, row.id, change);
    const organisationId = row.organisation_id;
    await audit.record(tx, { organisationId, actor, action: "phone_number.removed", subjectId: row.id });
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

  async listNumbers(organisationId: string) {
    return (await numbersOf(this.deps.db.reader, organisationId)).map(numberView);
  }

  /** Newest first. */
  async numbersPage(organisationId: string, input: ListNumbersInput) {
    const limit = pageSize(input.limit);
    const before = input.cursor === undefined ? undefined : decodeCursor(input.cursor, input);
    const rows = await listNumbers(this.deps.db.reader, { organisationId, before, limit: limit + 1 });
    return pageOf(rows, limit, input, numberView);
  }

  async getNumber(organisationId: string, id: string): Promise<NumberView> {
    return numberView(await mustFindNumberById(this.deps.db.reader, organisationId, id));
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

function checkedLines(count: number): number {
  if (!Number.isInteger(count) || count < 1 || count > MOST_LINES) {
    throw invalidField("concurrent_calls", `concurrent_calls must be a whole number from 1 to ${MOST_LINES}.`);
  }
  return count;
}
async function mustFindNumber(tx: Tx, organisationId: string, number: string): Promise<PhoneNumber> {
  const row = await numberByText(tx, number);
  if (row?.organisation_id !== organisationId) throw new AppError("NOT_FOUND", "There is no such phone number here.");
  return row;
}

async function mustFindNumberById(executor: Executor, organisationId: string, id: string): Promise<PhoneNumber> {
  const row = await numberById(executor, organisationId, id);
  if (!row) throw new AppError("NOT_FOUND", "There is no phone number with this id.");
  return row;
}

async function assertTrunk(tx: Tx, organisationId: string, id: string): Promise<void> {
  if (!(await trunkOf(tx, organisationId, id))) throw new AppError("NOT_FOUND", "There is no trunk with this id.");
}
