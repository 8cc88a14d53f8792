// Doctor checks of model servers: whether the configured names resolve to allowed addresses. "ringward models test"
// checks whether the servers answer.
import { allModelServers } from "../agents/model-servers/model-server-store.ts";
import { createServerAddresses, modelAllowList } from "../agents/model-servers/server-addresses.ts";
import type { Config } from "../config/schema.ts";
import { systemClock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { readServerUrl } from "../net/http-url.ts";
import { askedOf } from "./database-look.ts";
import type { Finding } from "./doctor-checks.ts";

export async function checkModelServers(config: Config): Promise<Finding[]> {
  const check = "models";
  const ofSettings = Object.entries(config.models.servers);
  const stored = (await askedOf(config, allModelServers)) ?? [];
  const known = [...ofSettings.map(([name, { base_url }]) => ({ name, base_url })), ...stored];
  if (known.length === 0) return [];
  const own = ofSettings.flatMap(([, { base_url }]) => (base_url === "" ? [] : [readServerUrl(base_url).host]));
  try {
    const allow = modelAllowList([...config.models.allow, ...own]);
    const addresses = createServerAddresses({ clock: systemClock, allow });
    const faults = await Promise.all(
      known.map(async ({ name, base_url }) => {
        const found = base_url === "" ? { addresses: [] } : await addresses.find(base_url);
        return "reason" in found ? [`${name}: ${found.reason}`] : [];
      }),
    );
    const count = `${known.length} model server${known.length === 1 ? "" : "s"}`;
    const told = faults.flat();
    if (told.length > 0) return told.map((message) => ({ check, state: "warn", message }));
    return [{ check, state: "ok", message: `${count}. Whether they answer: "ringward models test".` }];
  } catch (error) {
    return [{ check, state: "FAIL", message: `models: ${messageOf(error)}` }];
  }
}
