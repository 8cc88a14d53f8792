// A model server becomes the default only after a trial that calls could use. Until then agents keep what they have.
import type { Actor } from "../../core/actor.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { ServerTrial } from "../../speech/servers/trial/finding.ts";
import { tryServer } from "../../speech/servers/trial/server-trial.ts";
import type { NewServer, ServerChange } from "./checked-server.ts";
import type { ModelServerView } from "./known-server.ts";
import type { ModelServerService } from "./model-server-service.ts";

export interface TriedDefaultDeps {
  clock: Clock;
  modelServers: Pick<ModelServerService, "create" | "update" | "list" | "forTrial">;
}

export interface TriedServer {
  server: ModelServerView;
  /** Null if it was not to become the default. */
  trial: ServerTrial | null;
}

/** What a trial tells about is another server once one of these changes. */
const TRIED_FIELDS = ["role", "base_url", "key", "model", "voice", "ca_pem"] as const satisfies (keyof ServerChange)[];

export function createTriedDefault({ clock, modelServers }: TriedDefaultDeps) {
  async function tried(organisationId: string, id: string, actor: Actor): Promise<ServerTrial> {
    try {
      return await tryServer({ clock, ...(await modelServers.forTrial(organisationId, id, actor)) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { isUsable: false, findings: [{ verdict: "fails", words: error.message }] };
    }
  }

  async function triedDefault(organisationId: string, server: ModelServerView, actor: Actor): Promise<TriedServer> {
    const trial = await tried(organisationId, server.server_id, actor);
    if (!trial.isUsable) return { server, trial };
    // The version that the request named was compared by the change before the trial.
    const { basedOn: _, ...later } = actor;
    return { server: await modelServers.update(organisationId, server.server_id, { is_default: true }, later), trial };
  }

  return {
    async create(organisationId: string, input: NewServer, actor: Actor): Promise<TriedServer> {
      const server = await modelServers.create(organisationId, { ...input, is_default: false }, actor);
      return input.is_default === false ? { server, trial: null } : triedDefault(organisationId, server, actor);
    },

    async update(organisationId: string, id: string, change: ServerChange, actor: Actor): Promise<TriedServer> {
      const before = (await modelServers.list(organisationId)).find(({ server_id }) => server_id === id);
      const isDefault = change.is_default ?? before?.is_default ?? false;
      const isKnown = before?.is_default === true && !TRIED_FIELDS.some((field) => change[field] !== undefined);
      if (!isDefault || isKnown)
        return { server: await modelServers.update(organisationId, id, change, actor), trial: null };
      const server = await modelServers.update(organisationId, id, { ...change, is_default: false }, actor);
      return triedDefault(organisationId, server, actor);
    },
  };
}
