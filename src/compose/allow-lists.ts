// Addresses that the configuration opens to model servers and trunks. A bad entry is a configuration error.
import { readFileSync } from "node:fs";
import { createServerAddresses, modelAllowList } from "../agents/model-servers/server-addresses.ts";
import { ConfigError } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { readServerUrl } from "../net/http-url.ts";
import { createTrunkRefusal, type TrunkRefusal } from "../trunks/trunk-addresses.ts";

/** Servers of the configuration are allowed at their own host. */
export function modelGroundOf({ config: { models }, clock }: { config: Config; clock: Clock }) {
  const own = Object.values(models.servers).flatMap(({ base_url }) =>
    base_url === "" ? [] : [readServerUrl(base_url).host],
  );
  try {
    return {
      commonCa: models.ca_file ? readFileSync(models.ca_file, "utf8") : null,
      addresses: createServerAddresses({ clock, allow: modelAllowList([...models.allow, ...own]) }),
    };
  } catch (error) {
    throw new ConfigError([`models: ${messageOf(error)}`]);
  }
}

export function trunkRefusalOf({ telephony }: Config): TrunkRefusal {
  try {
    return createTrunkRefusal(telephony.sip.allow_local);
  } catch (error) {
    throw new ConfigError([`telephony.sip.allow_local: ${messageOf(error)}`]);
  }
}
