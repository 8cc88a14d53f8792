// Every operation with every invalid key, with each scope alone, and with all scopes but its own.
import { withBadGrant, withCredential, withoutScope } from "./cases.ts";
import type { Operation } from "./document.ts";
import { seedOf } from "./draw.ts";
import { placeAt } from "./lanes.ts";
import { Pool } from "./pool.ts";
import type { Session } from "./session.ts";
import { validRequest } from "./valid-request.ts";

/** Separate from the lanes' seeds. */
const LANE = 1_000;

export async function runRights(session: Session, seed: number): Promise<void> {
  for (const [at, operation] of session.world.operations.entries()) {
    if (operation.scope === null) await withoutGrants(session, operation, seedOf(seed, LANE, at));
    else {
      await withDeadKeys(session, operation, seedOf(seed, LANE, at));
      await withScopes(session, operation, operation.scope, seedOf(seed, LANE + 1, at));
    }
  }
}

async function withoutGrants(session: Session, operation: Operation, seed: number): Promise<void> {
  for (const organisation of session.world.organisations) {
    const pool = new Pool(organisation.seeds);
    for (const bad of organisation.badGrants.get(operation.id) ?? []) {
      const request = validRequest(placeAt(session.world, organisation, pool, operation, seed));
      await session.run(withBadGrant(request, bad), organisation, null);
    }
  }
}

async function withDeadKeys(session: Session, operation: Operation, seed: number): Promise<void> {
  const [organisation] = session.world.organisations;
  const pool = new Pool(organisation.seeds);
  for (const credential of session.world.dead) {
    const request = validRequest(placeAt(session.world, organisation, pool, operation, seed));
    await session.run(withCredential(request, credential), organisation, null);
  }
}

async function withScopes(session: Session, operation: Operation, scope: string, seed: number): Promise<void> {
  const { world } = session;
  const [organisation] = world.organisations;
  const pool = new Pool(organisation.seeds);
  const next = (each: number) => validRequest(placeAt(world, organisation, pool, operation, seed + each));
  for (const [at, [held, key]] of [...world.only].entries()) {
    const request = { ...next(at), credential: { "x-api-key": key } };
    const isEnough = held === scope || scope === "any";
    await session.run(
      isEnough
        ? { kind: "with its scope alone", request, never: { statuses: [401, 403], why: `the key has ${held}` } }
        : withoutScope(request, key),
      organisation,
      null,
    );
  }
  const without = world.without.get(scope);
  if (without !== undefined) await session.run(withoutScope(next(-1), without), organisation, null);
}
