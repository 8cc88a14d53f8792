// The demo hospital of `serve --demo`: made once on an empty data folder, remembered in demo.json.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Services } from "../services.ts";
import { SYSTEM_ACTOR } from "../core/actor.ts";
import { ALL_SCOPES } from "../payloads/scopes.ts";
import { DAYS } from "../calendar/days.ts";
import type { Config } from "../config/schema.ts";
import { AppError } from "../core/errors.ts";

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
}

const DEMO_FILE = "demo.json";
export const DEMO_EMAIL = "owner@demo.invalid";

export async function prepareDemo(services: Services, config: Config): Promise<Demo> {
  const file = join(config.data.dir, DEMO_FILE);
  const addresses = { base_url: config.base_url, dashboard_url: config.dashboard_url };
  if (existsSync(file)) {
    const demo = JSON.parse(readFileSync(file, "utf8")) as Demo;
    return save(file, { ...demo, ...addresses, hook_url: demo.hook_url.replace(demo.base_url, config.base_url) });
  }
  if (!(await services.setup.isEmpty())) {
    throw new AppError(
      "CONFLICT",
      `${config.data.dir} holds a real appliance. Start without --demo, or name an empty folder with --data.`,
    );
  }
  return save(file, { ...addresses, ...(await makeHospital(services)) });
}

async function makeHospital({
  setup,
  keys,
  ids,
  agents,
  hooks,
  credits,
  directory,
  windows,
}: Services): Promise<Omit<Demo, "base_url" | "dashboard_url">> {
  const email = DEMO_EMAIL;
  const password = ids.secret(12);
  const { organisationId } = await setup.createFirst(
    { organisation: "Demo Hospital", timeZone: "Asia/Kolkata", email, name: "Demo Owner", password },
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
  const outbound = await agents.create(
    organisationId,
    { ...OUTBOUND_AGENT, branch_id: branchId, appointment_type_id: serviceId },
    SYSTEM_ACTOR,
  );
  const inbound = await agents.create(organisationId, INBOUND_AGENT, SYSTEM_ACTOR);
  await agents.addNumber(organisationId, { number: "+15555550190", agentId: outbound.agent_id }, SYSTEM_ACTOR);
  await agents.addNumber(organisationId, { number: "+15555550191", agentId: inbound.agent_id }, SYSTEM_ACTOR);
  // Counted here, so that a newcomer sees credits at work.
  await credits.setUnlimited(organisationId, false, SYSTEM_ACTOR);
  await credits.grant(organisationId, 1_000, SYSTEM_ACTOR);
  const hook = await hooks.regenerate(organisationId, SYSTEM_ACTOR);
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
  };
}

const OUTBOUND_AGENT = {
  type: "outbound",
  name: "Asha",
  language: "en-IN",
  prompt: "A reminder of your visit to Demo Hospital. Be brief and kind, and confirm {{visit}} with {{doctor}}.",
  greeting: "Hello {{user_name}}, this is Asha from Demo Hospital.",
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
