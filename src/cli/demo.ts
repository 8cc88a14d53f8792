// The demo hospital of `serve --demo`: created once in an empty data folder, and recorded in demo.json.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAYS } from "../payloads/slot.ts";
import type { Config } from "../config/schema.ts";
import { SYSTEM_ACTOR } from "../core/actor.ts";
import { AppError } from "../core/errors.ts";
import { nestedDatabase } from "../db/nested.ts";
import type { Tx } from "../db/tables.ts";
import { insertHistory } from "../demo/history-store.ts";
import { createPastClock } from "../demo/past-clock.ts";
import { createReceiver, nowhere, receiverUrl } from "../demo/receiver.ts";
import type { DemoHospital } from "../demo/staff.ts";
import { beginningOf } from "../demo/story.ts";
import { ALL_SCOPES } from "../payloads/scopes.ts";
import type { ServiceDeps } from "../compose/ground.ts";
import { createServices, type Services } from "../compose/services.ts";

export interface Demo {
  base_url: string;
  dashboard_url: string;
  email: string;
  password: string;
  api_key: string;
  readonly_api_key: string;
  agent_id: string;
  inbound_agent_id: string;
  hook_url: string;
  hook_signing_secret: string;
  branch_id: string;
  appointment_type_id: string;
  /** Missing in demos created before the demo had a history. */
  organisation_id?: string;
  owner_id?: string;
}

type DemoDeps = Pick<ServiceDeps, "config" | "db" | "clock" | "logger" | "rootKey">;

const DEMO_FILE = "demo.json";
export const DEMO_EMAIL = "owner@demo.invalid";
const TIME_ZONE = "Asia/Kolkata";
/** Retention in the demo, so that a demo running for months stays small. */
const KEPT_DAYS = 30;

/**
 * Creates the demo in one transaction and writes demo.json before the commit. After a crash in between, the database is
 * still empty, and the next start creates the demo again.
 */
export async function prepareDemo(deps: DemoDeps): Promise<Demo> {
  const { config, db } = deps;
  const file = join(config.data.dir, DEMO_FILE);
  const addresses = { base_url: config.base_url, dashboard_url: config.dashboard_url };
  const isEmpty = await createServices({ ...deps, safePost: nowhere }).setup.isEmpty();
  if (existsSync(file) && !isEmpty) {
    const demo = JSON.parse(readFileSync(file, "utf8")) as Demo;
    return save(file, { ...demo, ...addresses, hook_url: demo.hook_url.replace(demo.base_url, config.base_url) });
  }
  if (!isEmpty) {
    throw new AppError(
      "CONFLICT",
      `${config.data.dir} holds a real appliance. Start without --demo, or name an empty folder with --data.`,
    );
  }
  return db.write(async (tx) => save(file, { ...addresses, ...(await makeHospital(deps, tx)) }));
}

/** The hospital with generated history and simulated activity; null if the demo has neither. */
export function livingHospital(demo: Demo, { demo: { history } }: Config): DemoHospital | null {
  const { organisation_id, owner_id, agent_id, branch_id, appointment_type_id } = demo;
  if (!history || organisation_id === undefined || owner_id === undefined) return null;
  return {
    organisationId: organisation_id,
    ownerId: owner_id,
    agentId: agent_id,
    branchId: branch_id,
    serviceId: appointment_type_id,
    timeZone: TIME_ZONE,
  };
}

/** Limits retention, so that a demo left running does not fill the disk. */
export function demoConfig(config: Config): Config {
  if (!config.demo.history || config.retention.days > 0) return config;
  return { ...config, retention: { ...config.retention, days: KEPT_DAYS } };
}

async function makeHospital(deps: DemoDeps, tx: Tx): Promise<Omit<Demo, "base_url" | "dashboard_url">> {
  const { config } = deps;
  const now = deps.clock.now();
  const beginsAt = config.demo.history ? beginningOf(now, TIME_ZONE) : now;
  const clock = config.demo.history ? createPastClock(beginsAt) : deps.clock;
  const db = nestedDatabase(tx, deps.db);
  const receiver = createReceiver({ db, clock, secretsOf: () => null });
  const services = createServices({ ...deps, db, clock, safePost: receiver.around(nowhere) });
  const { setup, keys, ids, agents, hooks, credits, directory } = services;
  const email = DEMO_EMAIL;
  const password = ids.secret(12);
  const { organisationId, personId } = await setup.createFirst(
    { organisation: "Demo Hospital", timeZone: TIME_ZONE, email, name: "Demo Owner", password },
    SYSTEM_ACTOR,
  );
  const full = await keys.create(organisationId, { name: "Demo key, all scopes", scopes: ALL_SCOPES }, SYSTEM_ACTOR);
  const readonly = await keys.create(
    organisationId,
    { name: "Demo key, read only", scopes: ["calls:read"] },
    SYSTEM_ACTOR,
  );
  const branchId = ids.uuid();
  const serviceId = ids.uuid();
  await directory.setBranch(organisationId, branchId, { name: "Main branch" }, SYSTEM_ACTOR);
  await directory.setService(organisationId, serviceId, "General consultation", SYSTEM_ACTOR);
  await openMornings(services, organisationId, branchId, serviceId);
  const outbound = await agents.create(
    organisationId,
    { ...OUTBOUND_AGENT, branch_id: branchId, appointment_type_id: serviceId },
    SYSTEM_ACTOR,
  );
  const inbound = await agents.create(organisationId, INBOUND_AGENT, SYSTEM_ACTOR);
  await agents.addNumber(organisationId, { number: "+15555550190", agentId: outbound.agent_id }, SYSTEM_ACTOR);
  await agents.addNumber(organisationId, { number: "+15555550191", agentId: inbound.agent_id }, SYSTEM_ACTOR);
  // Credits are limited in the demo, so that a new user sees them being spent.
  await credits.setUnlimited(organisationId, false, SYSTEM_ACTOR);
  await credits.grant(organisationId, 1_000, SYSTEM_ACTOR);
  const hook = await hooks.regenerate(organisationId, SYSTEM_ACTOR);
  if (config.demo.history) await beginHistory(services, tx, organisationId, beginsAt);
  return {
    email,
    password,
    api_key: full.key,
    readonly_api_key: readonly.key,
    agent_id: outbound.agent_id,
    inbound_agent_id: inbound.agent_id,
    hook_url: hook.url,
    hook_signing_secret: hook.signingSecret,
    branch_id: branchId,
    appointment_type_id: serviceId,
    organisation_id: organisationId,
    owner_id: personId,
  };
}

async function openMornings({ windows }: Services, organisationId: string, branchId: string, serviceId: string) {
  for (const day of DAYS.filter((name) => name !== "sunday")) {
    await windows.create(
      organisationId,
      {
        branch_id: branchId,
        day,
        session: "Morning",
        ai_slots: 4,
        max_slots: 10,
        appointment_type_id: serviceId,
        batch_name: "A",
      },
      SYSTEM_ACTOR,
    );
  }
}

/**
 * Sets a plan with room for the demo receiver and the user's own endpoints, and schedules the generation of history.
 */
async function beginHistory(services: Services, tx: Tx, organisationId: string, beginsAt: number): Promise<void> {
  await services.organisations.setPlan(organisationId, "professional", SYSTEM_ACTOR);
  await services.endpoints.create(
    organisationId,
    {
      url: receiverUrl(organisationId),
      description: "The demo's own receiver, inside this appliance",
      eventTypes: ["call.completed", "call.failed", "call.disallowed", "appointment.created", "appointment.cancelled"],
    },
    SYSTEM_ACTOR,
  );
  const row = { organisation_id: organisationId, begins_at: beginsAt, made_until: beginsAt, is_whole: false };
  await insertHistory(tx, row);
}

const OUTBOUND_AGENT = {
  type: "outbound",
  name: "Asha",
  language: "en-IN",
  prompt: "A reminder of your visit to {{hospital}}. Be brief and kind, and confirm {{visit}} with {{doctor}}.",
  greeting: "Hello {{user_name}}, this is Asha from {{hospital}}.",
};

const INBOUND_AGENT = {
  type: "inbound",
  name: "Reception",
  language: "en-IN",
  prompt: "You answer the telephone of Demo Hospital and help callers with their appointments.",
  greeting: "Demo Hospital, how may I help you?",
};

function save(file: string, demo: Demo): Demo {
  writeFileSync(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  return demo;
}

export function demoText(demo: Demo): string {
  return [
    "",
    "Ringward demo",
    "",
    `  API and docs   ${demo.base_url}/swagger`,
    `  Dashboard      ${demo.dashboard_url}  (${demo.email}, ${demo.password})`,
    `  API key        ${demo.api_key}`,
    "",
    "Try it:",
    "",
    `  curl -s ${demo.base_url}/v1/calls -H 'x-api-key: ${demo.api_key}' -H 'content-type: application/json' \\`,
    `    -d '{"agent_id":"${demo.agent_id}","user_number":"+15555550123","user_name":"Test Patient"}'`,
    "",
    `Everything is in ${DEMO_FILE} of the data folder.`,
    "",
  ].join("\n");
}
