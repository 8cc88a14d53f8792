// Audio ports that are open before their calls are begun: a call that would find none waits in the queue, and is not
// dialled only to be given up.
import type { Logger } from "../../core/logger.ts";
import { openPortPair, type PortPair } from "./port-pair.ts";
import type { PortPool, PortRange } from "./ports.ts";

export interface HeldPorts {
  /** Opens or closes some until so many are held, and answers how many are: fewer where there are no more to be had. */
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
  /** Whoever asks meanwhile waits for it too: the newest wish counts for all. */
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

  /** Once, and not again at every look while it lasts. */
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
