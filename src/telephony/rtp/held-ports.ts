// Audio ports that are opened before their calls are dialled: without a free port a call waits in the queue instead of
// being dialled and dropped.
import type { Logger } from "../../core/logger.ts";
import { openPortPair, type PortPair } from "./port-pair.ts";
import type { PortPool, PortRange } from "./ports.ts";

export interface HeldPorts {
  /** Opens or closes ports until this many are held, and returns how many are: fewer if no more are available. */
  hold(calls: number): Promise<number>;
  take(): PortPair | null;
  stop(): void;
}

export interface HeldPortsOptions {
  ports: PortPool;
  range: PortRange;
  bindAddress: string;
  logger: Logger;
}

export function createHeldPorts({ ports, range, bindAddress, logger }: HeldPortsOptions): HeldPorts {
  const held: PortPair[] = [];
  let wanted = 0;
  let isShort = false;
  /** Concurrent callers wait for the same fill; the newest target applies to all. */
  let filling: Promise<void> | null = null;

  async function fill(): Promise<void> {
    while (held.length < wanted) {
      const pair = await openPortPair(ports, range, bindAddress).catch(tellShort);
      if (!pair) break;
      isShort = false;
      held.push(pair);
    }
    while (held.length > wanted) letGo();
  }

  /** Logs the shortage once, not at every check. */
  function tellShort(error: unknown): null {
    const { code } = (error instanceof Error ? (error.cause ?? {}) : {}) as { code?: string };
    if (!isShort) logger.warn("Calls wait: no audio port or no descriptor is free.", { reason: code ?? "in use" });
    isShort = true;
    return null;
  }

  function letGo(): void {
    const pair = held.pop();
    if (!pair) return;
    pair.close();
    ports.putBack(pair.port);
  }

  return {
    async hold(calls) {
      wanted = calls;
      await (filling ??= fill().finally(() => (filling = null)));
      return held.length;
    },
    take: () => held.shift() ?? null,
    stop() {
      wanted = 0;
      while (held.length > 0) letGo();
    },
  };
}
