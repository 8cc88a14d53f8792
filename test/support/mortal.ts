// An appliance that dies between two instructions, as by kill -9, and its successor on the same database.
import { createApp, type App } from "../../src/compose/app.ts";
import type { Database } from "../../src/db/database.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { OutcomeUnknown } from "../../src/db/outcome-unknown.ts";
import { createSafePost, type SafePost } from "../../src/events/safe-post/safe-post.ts";
import { createFakeCarrier, type FakeCarrier } from "./fake-carrier.ts";
import type { TestApp } from "./test-app.ts";

export interface Mortal {
  app: App;
  carrier: FakeCarrier;
  /** From here on it does nothing more. */
  die(): void;
  /** It dies as soon as a transaction for which this is true was committed, before it learns of it. */
  dieAfter: (() => boolean) | null;
  /**
   * From the first committed transaction on for which this is true, every write fails with an unknown outcome, until it
   * is null again.
   */
  loseAfter: (() => boolean) | null;
  isDead(): boolean;
}

const never = () => new Promise<never>(() => {});

/** Not started yet. The app of `test` itself must not be started. */
export function createMortal(
  { db, clock, config }: Pick<TestApp, "db" | "clock" | "config">,
  safePost: SafePost = createSafePost({ allow: [], caPem: null, proxyUrl: null, resolve: async () => ["127.0.0.1"] }),
): Mortal {
  let isDead = false;
  const carrier = createFakeCarrier();
  const isLost = () => mortal.loseAfter?.() ?? false;
  const mortal: Mortal = {
    app: createApp({
      config,
      db: Object.assign(Object.create(db) as Database, {
        async write(...command: Parameters<Database["write"]>) {
          if (mortal.isDead()) return never();
          if (isLost()) throw new OutcomeUnknown(2, null);
          const answer = await db.write(...command);
          if (mortal.dieAfter?.()) mortal.die();
          if (isLost()) throw new OutcomeUnknown(2, null);
          return mortal.isDead() ? never() : answer;
        },
      }),
      clock: { ...clock, after: (delayMs, callback) => clock.after(delayMs, () => void (isDead || callback())) },
      logger: silentLogger,
      rootKey: new Uint8Array(32).fill(7),
      carrier: (...given) => {
        const made = carrier.factory(...given);
        return { ...made, dial: (order) => void (isDead || made.dial(order)) };
      },
      safePost,
    }),
    carrier,
    die: () => void (isDead = true),
    dieAfter: null,
    loseAfter: null,
    isDead: () => isDead,
  };
  return mortal;
}
