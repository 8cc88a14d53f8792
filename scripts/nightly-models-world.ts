// Environment of nightly-models checks: the two servers and our clients.
import { readFileSync } from "node:fs";
import { ServerFault } from "../src/speech/servers/port.ts";
import type { ModelPeer } from "./model-peers.ts";
import type { NightlyCheck } from "./nightly-checks.ts";

export interface ModelWorld {
  llama: ModelPeer;
  whisper: ModelPeer;
}

export type Check = NightlyCheck<ModelWorld>;

export const never = () => new AbortController().signal;

export async function faultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ServerFault) return error.message;
    throw error;
  }
  return "no fault";
}

/** Our ends of the open connections to a port, as listed by the kernel. */
export function connectionsTo(port: number): string[] {
  const [, ...rows] = readFileSync("/proc/net/tcp", "utf8").trim().split("\n");
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return rows.flatMap((row) => {
    const [, ours = "", theirs = "", state] = row.trim().split(/\s+/);
    return state === "01" && theirs.endsWith(wanted) ? [ours] : [];
  });
}
