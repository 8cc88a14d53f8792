// Waits until the server of a data folder reports the expected version, is ready, and stays ready.
import type { Config } from "../config/schema.ts";
import { SECOND_MS, type Clock } from "../core/clock.ts";
import { askServer, runningServerPid } from "./running-server.ts";

/** A server that crashes at its first work is also ready for a moment. */
const STEADY_MS = 2 * SECOND_MS;
const PAUSE_MS = SECOND_MS / 4;

export interface ReadinessWait {
  config: Config;
  clock: Clock;
  mostMs: number;
  /** True once the service manager gives up. */
  hasFailed(): Promise<boolean>;
}

/** Null once the version is ready; otherwise the reason why not. */
export async function becomesReady(version: string, wait: ReadinessWait): Promise<string | null> {
  const { config, clock, mostMs, hasFailed } = wait;
  const startedMs = clock.elapsedMs();
  let [readyPid, readySinceMs] = [0, 0];
  let fault = "no server answers.";
  while (clock.elapsedMs() - startedMs < mostMs) {
    const pid = runningServerPid(config);
    const found = pid === null ? "no server answers." : await faultOf(config, version);
    if (found === null && pid !== null) {
      if (readyPid !== pid) [readyPid, readySinceMs] = [pid, clock.elapsedMs()];
      if (clock.elapsedMs() - readySinceMs >= STEADY_MS) return null;
    } else {
      readyPid = 0;
      fault = found ?? fault;
      if (await hasFailed()) return `the service manager gave up; ${fault}`;
    }
    await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve));
  }
  return `${Math.round(mostMs / SECOND_MS)} s have passed; ${fault}`;
}

async function faultOf(config: Config, version: string): Promise<string | null> {
  const alive = await askServer(config, "/healthz");
  const answered = versionIn(await alive.response?.text());
  if (answered === null) return `no server answers at ${alive.url}.`;
  if (answered !== version) return `version ${answered} answers at ${alive.url}.`;
  const { url, response } = await askServer(config, "/readyz");
  if (response?.ok) return null;
  return `${url} says: ${response ? await response.text() : "nothing"}`;
}

function versionIn(text: string | undefined): string | null {
  try {
    const answer = JSON.parse(text ?? "") as { version?: unknown };
    return typeof answer.version === "string" ? answer.version : null;
  } catch {
    return null;
  }
}
