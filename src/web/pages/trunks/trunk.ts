// Trunk data of the pages: condition, address and warnings.
import type { api, call } from "../../client.ts";
import { said } from "../../words.ts";

export type TrunksAnswer = Awaited<ReturnType<typeof call<Awaited<ReturnType<typeof api.trunks.get>>["data"]>>>;
export type Trunk = TrunksAnswer["trunks"][number];
export type CarrierMode = TrunksAnswer["mode"];

/** `idle`: this appliance simulates its calls, so the trunk is not monitored. */
export type TrunkCondition = "up" | "down" | "unheard" | "resting" | "off" | "idle";

export const trunkConditions = said.trunks.conditions;

export const transportNames: Record<string, string> = { udp: "UDP", tcp: "TCP", tls: "TLS" };

export function conditionOf({ enabled, state }: Trunk, mode: CarrierMode): TrunkCondition {
  if (!enabled) return "off";
  if (mode === "simulator") return "idle";
  if (state === null) return "unheard";
  if (state.resting_until !== null) return "resting";
  return state.state === "unknown" ? "unheard" : state.state;
}

/** `pbx.hospital.example:5060`; without a port if DNS or the transport determines it. */
export function addressOf({ host, port }: Pick<Trunk, "host" | "port">): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === 0 ? name : `${name}:${port}`;
}
