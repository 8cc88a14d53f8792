// Model servers of an organisation: configured by its owner or the configuration file, chosen by agents, passed to
// calls. Keys are stored encrypted and never shown.
import type { Audit } from "../../accounts/audit.ts";
import { allOrganisations } from "../../accounts/organisation-store.ts";
import type { Config } from "../../config/schema.ts";
import type { Actor } from "../../core/actor.ts";
import type { Clock } from "../../core/clock.ts";
import { assertUnchanged } from "../../core/entity-tag.ts";
import { AppError, invalidField, messageOf } from "../../core/errors.ts";
import type { Ids } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../db/database.ts";
import { modelServerPurpose } from "../../db/sealed-secrets.ts";
import type { ModelServer } from "../records.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { ServerChoices } from "../../speech/servers/choices.ts";
import type { CommandAddress, ServerAddress, ServerRole } from "../../speech/servers/port.ts";
import { agentById } from "../store.ts";
import { checkedServer, inputOf, NEW_SERVER, type NewServer, type ServerChange } from "./checked-server.ts";
import {
  addressOf,
  serverOfRow,
  serverOfSettings,
  serverView,
  type KnownServer,
  type ModelServerView,
} from "./known-server.ts";
import {
  allModelServers,
  choicesOf,
  deleteChoice,
  deleteModelServer,
  insertModelServer,
  modelServersOf,
  putChoice,
  updateModelServer,
} from "./model-server-store.ts";
import { unreachable, type ServerPlace } from "./reach.ts";
import type { ServerAddresses } from "./server-addresses.ts";

export interface ModelServerServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  secrets: SecretBox;
  logger: Logger;
  config: Pick<Config, "models">;
  /** From models.ca_file. */
  commonCa: string | null;
  addresses: ServerAddresses;
}

/** More indicates a mistake. */
const MOST_SERVERS = 50;
/** Choice of an agent that uses no server. */
export const BUILT_IN = "builtin";

const ROLES: readonly ServerRole[] = ["language", "recognition", "voice"];

/** Null: the organisation's default. */
export type AgentChoices = Record<ServerRole, string | null>;

export class ModelServerService {
  readonly #ofSettings: readonly KnownServer[];
  /** The organisation named by an entry of the configuration, by name or id. */
  #owners = new Map<string, string>();

  constructor(private readonly deps: ModelServerServiceDeps) {
    const entries = Object.entries(deps.config.models.servers);
    this.#ofSettings = entries.map(([name, entry]) => serverOfSettings(name, entry, deps.commonCa));
  }

  async create(organisationId: string, input: NewServer, actor: Actor): Promise<ModelServerView> {
    const { db, clock, ids, audit, addresses } = this.deps;
    const { key = null, ...given } = input;
    const checked = checkedServer({ ...NEW_SERVER, ...given }, key, addresses.refusal);
    const row = await db.write(async (tx) => {
      const known = await modelServersOf(tx, organisationId);
      if (known.length >= MOST_SERVERS) {
        throw new AppError("CONFLICT", `There are ${MOST_SERVERS} model servers, and more are not allowed.`);
      }
      assertNameFree(known, checked.name);
      const id = ids.next("mds");
      const now = clock.now();
      const made: ModelServer = {
        ...checked,
        id,
        organisation_id: organisationId,
        sealed_key: key ? this.#seal(id, key) : null,
        created_at: now,
        updated_at: now,
      };
      await insertModelServer(tx, made);
      const detail = { name: made.name, role: made.role };
      await audit.record(tx, { organisationId, actor, action: "model_server.created", subjectId: id, detail });
      return made;
    });
    void addresses.find(row.base_url);
    return serverView(this.#ofRow(row));
  }

  async update(organisationId: string, id: string, change: ServerChange, actor: Actor): Promise<ModelServerView> {
    const { db, clock, audit, addresses } = this.deps;
    const { key, ...given } = change;
    const row = await db.write(async (tx) => {
      const known = await modelServersOf(tx, organisationId);
      const present = ownOf(known, id);
      assertUnchanged(actor, serverView(this.#ofRow(present)));
      const checked = checkedServer({ ...inputOf(present), ...given }, key, addresses.refusal);
      if (checked.name !== present.name) assertNameFree(known, checked.name);
      // A key belongs to one server: a new address requires the key again, or it would be sent to a different server.
      const isElsewhere = checked.base_url !== present.base_url;
      if (isElsewhere && key === undefined && present.sealed_key !== null) {
        throw invalidField("key", "key must be given again with another base_url, or removed.");
      }
      const changed = {
        ...checked,
        ...(key === undefined ? {} : { sealed_key: key ? this.#seal(id, key) : null }),
        updated_at: clock.now(),
      };
      await updateModelServer(tx, id, changed);
      const detail = { fields: Object.keys(change) };
      await audit.record(tx, { organisationId, actor, action: "model_server.changed", subjectId: id, detail });
      return { ...present, ...changed };
    });
    void addresses.find(row.base_url);
    return serverView(this.#ofRow(row));
  }

  async remove(organisationId: string, id: string, actor: Actor): Promise<void> {
    const { db, audit } = this.deps;
    await db.write(async (tx) => {
      const { name } = ownOf(await modelServersOf(tx, organisationId), id);
      await deleteModelServer(tx, id);
      const detail = { name };
      await audit.record(tx, { organisationId, actor, action: "model_server.deleted", subjectId: id, detail });
    });
  }

  async list(organisationId: string): Promise<ModelServerView[]> {
    return (await this.#known(this.deps.db.reader, organisationId)).map(serverView);
  }

  async byName(organisationId: string, name: string): Promise<ModelServerView> {
    const found = (await this.list(organisationId)).find((server) => server.name === name || server.server_id === name);
    if (found) return found;
    throw new AppError("NOT_FOUND", `There is no model server named ${name}. "ringward servers list" names them.`);
  }

  async choices(organisationId: string, agentId: string): Promise<AgentChoices> {
    const { reader } = this.deps.db;
    await mustFindAgent(reader, organisationId, agentId);
    const rows = await choicesOf(reader, agentId);
    const of = (role: ServerRole) => rows.find((row) => row.role === role)?.server_id ?? null;
    return { language: of("language"), recognition: of("recognition"), voice: of("voice") };
  }

  /** Omitted fields stay unchanged. */
  async choose(
    organisationId: string,
    agentId: string,
    wish: Partial<AgentChoices>,
    actor: Actor,
  ): Promise<AgentChoices> {
    const { db, audit } = this.deps;
    await db.write(async (tx) => {
      await mustFindAgent(tx, organisationId, agentId);
      const known = await this.#known(tx, organisationId);
      for (const role of ROLES) {
        const server_id = wish[role];
        if (server_id === undefined) continue;
        if (server_id === null) {
          await deleteChoice(tx, { agent_id: agentId, role });
          continue;
        }
        if (server_id !== BUILT_IN && !known.some((server) => server.id === server_id && server.role === role)) {
          throw invalidField(role, `${role} must be a model server of that role, "${BUILT_IN}" or null.`);
        }
        await putChoice(tx, { agent_id: agentId, role, server_id });
      }
      const detail = { roles: ROLES.filter((role) => wish[role] !== undefined) };
      await audit.record(tx, { organisationId, actor, action: "agent.servers_chosen", subjectId: agentId, detail });
    });
    return this.choices(organisationId, agentId);
  }

  /** Servers available to a call of this agent, with keys, for this call only. Read at every dial. */
  async forCall(executor: Executor, organisationId: string, agentId: string): Promise<ServerChoices> {
    const known = await this.#known(executor, organisationId);
    if (known.length === 0) return { language: [], recognition: [], voice: [] };
    const chosen = await choicesOf(executor, agentId);
    const of = (role: ServerRole) => {
      const choice = chosen.find((row) => row.role === role)?.server_id;
      const wanted = known.filter((server) => (choice === undefined ? server.is_default : server.id === choice));
      return wanted.filter((server) => server.role === role).flatMap((server) => this.#address(server) ?? []);
    };
    const language = of("language").filter((address): address is ServerAddress => address.kind === "openai");
    return { language, recognition: of("recognition"), voice: of("voice") };
  }

  /** One server, resolved again, for a trial, which is recorded in the audit trail. Throws if it is unreachable. */
  async forTrial(
    organisationId: string,
    id: string,
    actor: Actor,
  ): Promise<{ role: ServerRole; address: ServerAddress | CommandAddress }> {
    const { db, audit, addresses, commonCa } = this.deps;
    const server = (await this.#known(db.reader, organisationId)).find((each) => each.id === id);
    if (!server) throw new AppError("NOT_FOUND", "There is no model server with this id.");
    await db.write((tx) => audit.record(tx, { organisationId, actor, action: "model_server.tried", subjectId: id }));
    const found = server.base_url === null ? { addresses: [] } : await addresses.find(server.base_url);
    if ("reason" in found) throw new AppError("CONFLICT", found.reason);
    const address = addressOf(server, found.addresses, commonCa);
    if (!address) throw new AppError("CONFLICT", "The server has no address.");
    return { role: server.role, address };
  }

  /** Resolves all servers again, so that calls need no look-up. Runs at start-up and every 30 seconds. */
  async refresh(): Promise<void> {
    const { db, addresses } = this.deps;
    const organisations = await allOrganisations(db.reader);
    this.#owners = new Map(organisations.flatMap(({ id, name }) => [[name, id] as const, [id, id] as const]));
    const rows = (await allModelServers(db.reader)).map(({ base_url }) => base_url);
    const urls = new Set([...rows, ...this.#ofSettings.flatMap(({ base_url }) => base_url ?? [])]);
    await Promise.all([...urls].map((url) => addresses.find(url)));
  }

  /** Servers of all organisations that cannot be connected to; refresh() has looked up their names. */
  async down(): Promise<ServerPlace[]> {
    const { db, addresses, clock } = this.deps;
    const placeOf = (server: KnownServer, organisationId: string | null): ServerPlace[] =>
      server.base_url === null ? [] : [{ id: server.id, name: server.name, organisationId, baseUrl: server.base_url }];
    const rows = await allModelServers(db.reader);
    const places = [
      ...rows.flatMap((row) => placeOf(this.#ofRow(row), row.organisation_id)),
      ...this.#ofSettings.flatMap((server) => {
        const owner = server.organisation === null ? null : this.#owners.get(server.organisation);
        // The organisation of the settings is not there yet.
        return owner === undefined ? [] : placeOf(server, owner);
      }),
    ];
    const down = await unreachable(places, addresses, clock);
    return places.filter(({ id }) => down.has(id));
  }

  #address(server: KnownServer): ServerAddress | CommandAddress | null {
    const { addresses, commonCa } = this.deps;
    return addressOf(server, server.base_url === null ? [] : addresses.known(server.base_url), commonCa);
  }

  /** The organisation's own servers come first. */
  async #known(executor: Executor, organisationId: string): Promise<KnownServer[]> {
    const own = (await modelServersOf(executor, organisationId)).map((row) => this.#ofRow(row));
    const settings = this.#ofSettings.filter(
      ({ organisation }) => organisation === null || this.#owners.get(organisation) === organisationId,
    );
    return [...own, ...settings];
  }

  #ofRow(row: ModelServer): KnownServer {
    return serverOfRow(row, ({ id, sealed_key }) => {
      if (sealed_key === null) return null;
      try {
        return this.deps.secrets.open(sealed_key, modelServerPurpose(id));
      } catch (error) {
        this.deps.logger.error("Decrypting a model server's key failed. Restore secret.key, or enter the key again.", {
          server_id: id,
          error: messageOf(error),
        });
        return null;
      }
    });
  }

  #seal(id: string, key: string): string {
    return this.deps.secrets.seal(key, modelServerPurpose(id));
  }
}

export function createModelServerService(deps: ModelServerServiceDeps): ModelServerService {
  return new ModelServerService(deps);
}

function assertNameFree(known: readonly ModelServer[], name: string): void {
  if (known.some((row) => row.name === name)) {
    throw new AppError("CONFLICT", "There is already a model server with this name. Choose another.");
  }
}

function ownOf(known: readonly ModelServer[], id: string): ModelServer {
  const row = known.find((each) => each.id === id);
  if (row) return row;
  if (id.startsWith("settings:")) {
    throw new AppError("CONFLICT", "This server follows the configuration: change it there, and restart Ringward.");
  }
  throw new AppError("NOT_FOUND", "There is no model server with this id.");
}

async function mustFindAgent(executor: Executor | Tx, organisationId: string, agentId: string): Promise<void> {
  if (!(await agentById(executor, organisationId, agentId))) {
    throw new AppError("NOT_FOUND", "There is no agent with this id.");
  }
}
