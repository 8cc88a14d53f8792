// The random part: parallel lanes, each with its own seed, organisation and ids.
import { nextCase } from "./cases.ts";
import type { Operation } from "./document.ts";
import { drawFrom, oneOf, seedOf } from "./draw.ts";
import type { Place } from "./known-fields.ts";
import { Pool } from "./pool.ts";
import type { Session } from "./session.ts";
import { operationNamed } from "./valid-request.ts";
import type { Organisation, World } from "./world.ts";

export interface LaneLimits {
  /** Requests per lane. */
  requests: number;
  /** Once true, no lane starts another request. */
  isOver: () => boolean;
}

const LANES = 8;
/** Operations that create objects for others run more often. */
const MAKERS = new Set([
  "createCall",
  "createWindow",
  "createAppointment",
  "createCampaign",
  "addToWaitingList",
  "inboundHook",
]);

export function placeAt(
  world: World,
  organisation: Organisation,
  pool: Pool,
  operation: Operation,
  seed: number,
): Place {
  return {
    draw: drawFrom(seed),
    organisation,
    pool,
    operation,
    createCall: operationNamed(world.operations, "createCall"),
    now: world.now,
  };
}

export async function runLanes(session: Session, seed: number, limits: LaneLimits): Promise<void> {
  await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(session, seed, lane, limits)));
}

async function runLane(session: Session, seed: number, lane: number, limits: LaneLimits): Promise<void> {
  const { world, schemas } = session;
  const organisation = world.organisations[lane % 2 === 0 ? 0 : 1];
  const pool = new Pool(organisation.seeds);
  const deck = world.operations
    // Some links exist in only one organisation.
    .filter(({ id, scope }) => scope !== null || organisation.grants.has(id))
    .flatMap((operation) => (MAKERS.has(operation.id) ? [operation, operation] : [operation]));
  for (let index = 0; index < limits.requests && !limits.isOver(); index++) {
    const own = seedOf(seed, lane, index);
    const operation = oneOf(drawFrom(~own), deck);
    const place = placeAt(world, organisation, pool, operation, own);
    await session.run(nextCase(place, { world, schemas }), organisation, pool);
  }
}
