// Sends each clip to the worker once in the worker's life, before the call that needs it.
import type { Logger } from "../../../core/logger.ts";
import { faultFields } from "../../../core/fault-fields.ts";
import type { ToWorker } from "./protocol.ts";

export interface ClipDelivery {
  /** `then` hears which of them the worker has; one that cannot be loaded costs the clip, not the call. */
  deliver(keys: readonly string[], then: (delivered: ReadonlySet<string>) => void): Promise<void>;
  /** A new worker has none. */
  workerIsNew(): void;
}

/** About 100 MB at half a minute each: more than the agents of a hospital say in a week. */
const MOST_KEPT = 200;

export function createClipDelivery(
  load: (key: string) => Promise<Int16Array>,
  post: (message: ToWorker) => void,
  logger: Logger,
): ClipDelivery {
  const sent = new Set<string>();
  const bringing = new Map<string, Promise<void>>();
  let openDeliveries = 0;

  async function bring(key: string): Promise<void> {
    try {
      const samples = await load(key);
      sent.add(key);
      post({ type: "clip", key, samples });
    } catch (error) {
      logger.error("a recording of the agent's words could not be loaded; the call goes on without it", {
        key,
        ...faultFields(error),
      });
    } finally {
      bringing.delete(key);
    }
  }

  /** Two calls that need the same clip wait for the same loading. */
  function bringOnce(key: string): Promise<void> {
    const begun = bringing.get(key) ?? bring(key);
    bringing.set(key, begun);
    return begun;
  }

  return {
    async deliver(keys, then) {
      // Never between a delivery and its call: a call looks its clips up when it begins.
      if (openDeliveries === 0 && sent.size > MOST_KEPT) {
        sent.clear();
        post({ type: "forgetClips" });
      }
      openDeliveries += 1;
      await Promise.all(keys.filter((key) => !sent.has(key)).map(bringOnce));
      then(new Set(keys.filter((key) => sent.has(key))));
      openDeliveries -= 1;
    },
    workerIsNew: () => sent.clear(),
  };
}
