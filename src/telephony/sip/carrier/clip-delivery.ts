// Sends each clip to the worker once per worker lifetime, before the call that needs it.
import type { Logger } from "../../../core/logger.ts";
import { faultFields } from "../../../core/fault-fields.ts";
import type { ToWorker } from "./protocol.ts";

export interface ClipDelivery {
  /** `then` gets the keys that the worker has; a clip that fails to load is skipped and does not fail the call. */
  deliver(keys: readonly string[], then: (delivered: ReadonlySet<string>) => void): Promise<void>;
  /** A new worker has no clips. */
  workerIsNew(): void;
}

/** About 100 MB at 30 s each: more than a hospital's agents use in a week. */
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

  /** Deduplicates concurrent loads of the same clip. */
  function bringOnce(key: string): Promise<void> {
    const begun = bringing.get(key) ?? bring(key);
    bringing.set(key, begun);
    return begun;
  }

  return {
    async deliver(keys, then) {
      // Never between a delivery and its call: a call looks up its clips when it starts.
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
