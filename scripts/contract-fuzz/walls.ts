// Tenant isolation: requests every id of each organisation as the other, wherever an id is accepted, and compares with
// an unknown id.
import { foreignSites, nobodysId } from "./cases.ts";
import { seedOf } from "./draw.ts";
import { placeAt } from "./lanes.ts";
import { Pool } from "./pool.ts";
import type { Session } from "./session.ts";
import { validRequest } from "./valid-request.ts";
import { otherThan } from "./world.ts";

const LANE = 6_000;

export async function runWalls(session: Session, seed: number): Promise<void> {
  const { world } = session;
  for (const organisation of world.organisations) {
    const { exhibits } = otherThan(world, organisation);
    const pool = new Pool(organisation.seeds);
    for (const [at, operation] of world.operations.entries()) {
      const request = validRequest(placeAt(world, organisation, pool, operation, seedOf(seed, LANE, at)));
      for (const [{ id }, put] of foreignSites(request, exhibits)) {
        await session.run({ kind: "another's id", request: put(id), twin: put(nobodysId(id)) }, organisation, null);
      }
    }
  }
}
