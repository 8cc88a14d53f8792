// Sequence of an update: stop, copy the database, swap, start, wait until the new version is ready. On failure it rolls
// back.
import { messageOf } from "../core/errors.ts";

/** Everything an update acts on; faked in tests. */
export interface UpdateWorld {
  /** Null if no server runs and none is to be started. */
  server: { stop(): Promise<void>; start(): Promise<void> } | null;
  /** Waits until the version is ready. Returns why it is not, or null. */
  becomesReady(version: string): Promise<string | null>;
  /** Null if the schema does not change, or if the database cannot be copied. */
  database: { copy(): void; putBack(): void; forgetCopy(): void } | null;
  /** Whether the previous version can no longer read the database. */
  isDatabaseTooNew(): Promise<boolean>;
  swapIn(): void;
  swapBack(): void;
  say(line: string): void;
}

export interface Versions {
  from: string;
  to: string;
}

/** `gone back`: the previous version serves again. `stuck`: the operator has to start a server. */
export type UpdateOutcome = "updated" | "swapped" | "gone back" | "stuck";

export async function installRelease(world: UpdateWorld, versions: Versions): Promise<UpdateOutcome> {
  const { server, database, say } = world;
  try {
    if (server) {
      say("Stopping the server.");
      await server.stop();
    }
    if (database) {
      say("Copying the database, because the new version changes its schema.");
      database.copy();
    }
    world.swapIn();
  } catch (error) {
    // Nothing has changed yet, except that the server may be stopped.
    database?.forgetCopy();
    await server?.start();
    throw error;
  }
  if (!server) {
    say(`${versions.to} is in place. No server runs here: start it, and see "ringward health --ready".`);
    say('If it does not become ready, "ringward update back" returns to the previous version.');
    return "swapped";
  }
  const fault = await startAndWait(world, versions.to);
  if (fault === null) {
    database?.forgetCopy();
    say(`Ringward ${versions.to} is ready. ${versions.from} is kept as the previous executable.`);
    return "updated";
  }
  say(`Ringward ${versions.to} did not become ready: ${fault}`);
  return goBack(world, versions);
}

/** Also a command of its own: `ringward update back`. */
export async function goBack(world: UpdateWorld, { from, to }: Versions): Promise<UpdateOutcome> {
  const { server, database, say } = world;
  say(`Going back to ${from}.`);
  await server?.stop();
  if (await world.isDatabaseTooNew()) {
    if (!database) {
      say(`${from} cannot read the database that ${to} has changed, and there is no copy from before the update.`);
      say(`Restore a backup or dump from before the update, then run "ringward update back".`);
      await server?.start();
      return "stuck";
    }
    await orStarted(server, () => database.putBack());
  }
  await orStarted(server, () => world.swapBack());
  database?.forgetCopy();
  if (!server) {
    say(`${from} is in place again. No server runs here.`);
    return "gone back";
  }
  const fault = await startAndWait(world, from);
  if (fault === null) {
    say(`Ringward ${from} is ready again.`);
    return "gone back";
  }
  say(`Ringward ${from} is in place again, but it is not ready either: ${fault}`);
  return "stuck";
}

/** A failed rollback keeps the newer version, which is better than none. */
async function orStarted(server: UpdateWorld["server"], step: () => void): Promise<void> {
  try {
    step();
  } catch (error) {
    await server?.start();
    throw error;
  }
}

async function startAndWait({ server, becomesReady }: UpdateWorld, version: string): Promise<string | null> {
  try {
    await server?.start();
  } catch (error) {
    return messageOf(error);
  }
  return becomesReady(version);
}
