// Doctor checks of optional model packs, which a build may omit.
import type { Config } from "../config/schema.ts";
import { availablePacks, PACK_NAMES, PACKS } from "../speech/packs/packs.ts";
import type { Finding } from "./doctor-checks.ts";

export function checkPacks({ data }: Config): Finding[] {
  const packs = availablePacks(data.dir);
  return PACK_NAMES.filter((name) => packs[name] === null).map((name) => ({
    check: "weights",
    state: "warn",
    message: `This build comes without ${name}. ${PACKS[name].without} \`ringward models list\` says how to add it.`,
  }));
}
