// Webhook endpoints and API keys. Their secrets are created by the appliance and written to files, never printed.
import { CLI_ACTOR } from "../../core/actor.ts";
import { parseIsoTime } from "../../core/iso-time.ts";
import { EVENT_TYPES } from "../../events/catalogue.ts";
import { checkedDescription, checkedTypes } from "../../events/checked-endpoint.ts";
import { ALL_SCOPES, isScope } from "../../payloads/scopes.ts";
import type { Row } from "./file-schema.ts";
import { actionFor, differing, givenOf, picked, type Ground, type Step } from "./ground.ts";
import { SecretOutput } from "./secret-files.ts";

const INTERRUPTED = "an earlier run was interrupted before it wrote the secret: it is replaced";

export async function planEndpoints(ground: Ground): Promise<Step[]> {
  const given = ground.file.webhook_endpoints;
  if (!given) return [];
  const { endpoints } = ground.services;
  const all = await ground.stored((id) => endpoints.list(id));
  // Endpoints of sources follow the settings of their sources, and the hospital's systems make FHIR Subscriptions.
  const webhooks = all.filter(({ kind, fhir_criteria }) => kind === "webhook" && fhir_criteria === null);
  ground.assertDistinct(
    "webhook_endpoints",
    given.map(({ url }) => url),
  );
  const steps = given.map((row, i) => {
    const path = `webhook_endpoints[${i}]`;
    const stored = ground.only(
      path,
      webhooks.filter(({ url }) => url === row.url),
    );
    return endpointStep(ground, path, row, stored);
  });
  const others = webhooks.filter(({ url }) => !given.some((row) => row.url === url));
  const removals = ground.rest("webhook_endpoints", others, ({ url, endpoint_id }) => ({
    name: url,
    run: () => endpoints.remove(ground.org, endpoint_id, CLI_ACTOR),
  }));
  assertWithinPlan(ground, "webhook_endpoints", all.length - removals.length, steps);
  // Before the new ones, which may need their places in the plan.
  return [...removals, ...steps];
}

type StoredEndpoint = Awaited<ReturnType<Ground["services"]["endpoints"]["list"]>>[number];

function endpointStep(
  ground: Ground,
  path: string,
  row: Row<"webhook_endpoints">,
  stored: StoredEndpoint | undefined,
): Step {
  const { endpoints, safePost } = ground.services;
  ground.checked(`${path}.url`, () => safePost.checkUrl(row.url));
  ground.checked(`${path}.description`, () => checkedDescription(row.description ?? ""));
  const types = row.event_types === "all" ? EVENT_TYPES : row.event_types;
  const event_types = types && (ground.checked(`${path}.event_types`, () => checkedTypes(types)) ?? undefined);
  const wanted = givenOf({ description: row.description, event_types, signing: row.signing });
  const fields = stored ? differing(wanted, stored) : [];
  const output =
    row.secret_file === undefined ? null : outputOf(ground, `${path}.secret_file`, row.secret_file, !stored);
  if (!stored && output === null && row.signing !== false)
    ground.fault(`${path}.secret_file`, "is required: the signing secret is written there.");
  const isLost = stored !== undefined && output?.state() === "reserved";
  return {
    kind: "webhook_endpoints",
    name: row.url,
    action: actionFor(stored !== undefined, isLost ? [...fields, "secret"] : fields),
    fields: isLost ? [...fields, "secret"] : fields,
    ...(isLost && { note: INTERRUPTED }),
    run: async () => {
      const { event_types: eventTypes, ...rest } = picked({ ...wanted }, stored ? fields : Object.keys(wanted));
      const input = { ...rest, ...(eventTypes && { eventTypes }) };
      if (stored && fields.length > 0) await endpoints.update(ground.org, stored.endpoint_id, input, CLI_ACTOR);
      if (stored && !isLost) return;
      output?.reserve();
      const { secret } = stored
        ? await endpoints.rotateSecret(ground.org, stored.endpoint_id, CLI_ACTOR)
        : await endpoints.create(ground.org, { eventTypes: EVENT_TYPES, ...input, url: row.url }, CLI_ACTOR);
      output?.write(secret);
    },
  };
}

export async function planKeys(ground: Ground): Promise<Step[]> {
  const given = ground.file.api_keys;
  if (!given) return [];
  const { keys } = ground.services;
  const all = await ground.stored((id) => keys.list(id));
  ground.assertDistinct(
    "api_keys",
    given.map(({ name }) => name.trim()),
  );
  const active = all.filter(({ status }) => status === "active");
  const steps = given.map((row, i) => keyStep(ground, `api_keys[${i}]`, row, all));
  const others = active.filter(({ name }) => !given.some((row) => row.name.trim() === name));
  const removals = ground.rest("api_keys", others, ({ name, key_id }) => ({
    name,
    run: () => keys.revoke(ground.org, key_id, CLI_ACTOR),
  }));
  assertWithinPlan(ground, "api_keys", active.length - removals.length, steps);
  return [...removals, ...steps];
}

type StoredKey = Awaited<ReturnType<Ground["services"]["keys"]["list"]>>[number];

/** A key is created once: one that was revoked or has expired stays so. */
function keyStep(ground: Ground, path: string, row: Row<"api_keys">, all: readonly StoredKey[]): Step {
  const { keys } = ground.services;
  const name = row.name.trim();
  const given = row.scopes === "all" ? ALL_SCOPES : row.scopes;
  const scopes = ALL_SCOPES.filter((scope) => given.includes(scope));
  for (const scope of given) if (!isScope(scope)) ground.fault(`${path}.scopes`, `${scope} is no scope.`);
  if (given.length === 0) ground.fault(`${path}.scopes`, "must hold at least one scope.");
  const named = all.filter((key) => key.name === name);
  const stored = named.find(({ status }) => status === "active") ?? named[0];
  const expires = row.expires_at;
  const expiresAt = expires === undefined ? null : ground.checked(path, () => parseIsoTime("expires_at", expires));
  if (
    stored?.status === "active" &&
    !Bun.deepEquals(
      ALL_SCOPES.filter((scope) => stored.scopes.includes(scope)),
      scopes,
    )
  )
    ground.fault(
      `${path}.scopes`,
      "an active key with this name has other scopes. Use another name, or revoke it first.",
    );
  const output = new SecretOutput(ground.folder, row.key_file);
  const isLost = output.state() === "reserved";
  const isNew = stored === undefined || isLost;
  if (isNew) outputOf(ground, `${path}.key_file`, row.key_file, true);
  if (isNew && expiresAt !== null && expiresAt <= ground.clock.now())
    ground.fault(`${path}.expires_at`, "must lie in the future.");
  const isReplaced = isLost && stored?.status === "active";
  const note = isReplaced ? INTERRUPTED : stored && stored.status !== "active" && !isNew ? stored.status : undefined;
  return {
    kind: "api_keys",
    name,
    action: isReplaced ? "change" : actionFor(!isNew, []),
    fields: isReplaced ? ["key"] : [],
    ...(note !== undefined && { note }),
    run: async () => {
      output.reserve();
      if (isReplaced) await keys.revoke(ground.org, stored.key_id, CLI_ACTOR);
      const { key } = await keys.create(ground.org, { name, scopes, expiresAt }, CLI_ACTOR);
      output.write(key);
    },
  };
}

/** A file receives one secret, and never replaces another file. */
function outputOf(ground: Ground, path: string, file: string, isWritten: boolean): SecretOutput {
  const output = new SecretOutput(ground.folder, file);
  if (ground.outputs.has(output.file)) ground.fault(path, "another entry names this file.");
  ground.outputs.add(output.file);
  const problem = isWritten ? output.problem() : null;
  if (problem !== null) ground.fault(path, problem);
  return output;
}

function assertWithinPlan(
  ground: Ground,
  kind: "webhook_endpoints" | "api_keys",
  count: number,
  steps: readonly Step[],
): void {
  const plan = ground.file.organisation.plan ?? ground.plan;
  const limit = ground.config.plans[plan][kind];
  const made = steps.filter(({ action }) => action === "create").length;
  if (limit !== "unlimited" && made > 0 && count + made > limit)
    ground.fault(kind, `the ${plan} plan allows ${limit}, and there would be ${count + made}.`);
}
