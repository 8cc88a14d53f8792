// The demo hospital of `serve --demo`: made once on an empty data folder, remembered in demo.json.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Services } from "../app.ts";
import { SYSTEM_ACTOR } from "../accounts/actor.ts";
import { ALL_SCOPES } from "../accounts/scopes.ts";
import type { Config } from "../config/schema.ts";
import { AppError } from "../core/errors.ts";

export interface Demo {
  base_url: string;
  dashboard_url: string;
  email: string;
  password: string;
  api_key: string;
  readonly_api_key: string;
}

const DEMO_FILE = "demo.json";

export async function prepareDemo(services: Services, config: Config): Promise<Demo> {
  const file = join(config.data.dir, DEMO_FILE);
  const addresses = { base_url: config.base_url, dashboard_url: config.dashboard_url };
  if (existsSync(file)) return save(file, { ...(JSON.parse(readFileSync(file, "utf8")) as Demo), ...addresses });
  if (!(await services.setup.isEmpty())) {
    throw new AppError("CONFLICT", `${config.data.dir} holds a real appliance. Start without --demo, or name an empty folder with --data.`);
  }
  return save(file, { ...addresses, ...(await makeHospital(services)) });
}

async function makeHospital({ setup, keys, ids }: Services): Promise<Omit<Demo, "base_url" | "dashboard_url">> {
  const email = "owner@demo.invalid";
  const password = ids.secret(12);
  const { organisationId } = await setup.createFirst(
    { organisation: "Demo Hospital", timeZone: "Asia/Kolkata", email, name: "Demo Owner", password },
    SYSTEM_ACTOR,
  );
  const full = await keys.create(organisationId, { name: "Demo key, all scopes", scopes: ALL_SCOPES }, SYSTEM_ACTOR);
  const readonly = await keys.create(organisationId, { name: "Demo key, read only", scopes: ["calls:read"] }, SYSTEM_ACTOR);
  return { email, password, api_key: full.key, readonly_api_key: readonly.key };
}

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
    `  API key        ${demo.api_key}`,
    "",
    "Try it:",
    "",
    `  curl -s ${demo.base_url}/v1/me -H 'x-api-key: ${demo.api_key}'`,
    "",
    `Everything is in ${DEMO_FILE} of the data folder.`,
    "",
  ].join("\n");
}
