// Limits shared by all operations: URL length, body size, and bodies that are not JSON.
import type { Case } from "./cases.ts";
import type { Operation } from "./document.ts";
import { seedOf } from "./draw.ts";
import { placeAt } from "./lanes.ts";
import { longText } from "./odd-text.ts";
import { Pool } from "./pool.ts";
import type { FuzzRequest } from "./request.ts";
import type { Session } from "./session.ts";
import { validRequest } from "./valid-request.ts";

const LANE = 5_000;
/** Exceeds the longest URL, whatever else it contains. */
const LONG_QUERY = 2_100;
/** Exceeds the body limit of every route except campaigns. */
const LARGE_BYTES = 260 * 1024;
/** Campaigns may be larger: their description says 8 MiB. */
const LARGEST_BYTES: Readonly<Record<string, number>> = { createCampaign: 8 * 1024 * 1024 };

export async function runBounds(session: Session, seed: number): Promise<void> {
  const { world } = session;
  for (const [at, operation] of world.operations.entries()) {
    const organisation = world.organisations.find(({ grants }) => operation.scope !== null || grants.has(operation.id));
    if (!organisation) continue;
    const place = placeAt(world, organisation, new Pool(organisation.seeds), operation, seedOf(seed, LANE, at));
    for (const bound of boundsOf(operation, validRequest(place))) await session.run(bound, organisation, null);
  }
}

function boundsOf({ id, body }: Operation, request: FuzzRequest): Case[] {
  const expecting = (status: number, why: string, changes: Partial<FuzzRequest>): Case => ({
    kind: "a bound",
    request: { ...request, ...changes },
    only: { statuses: [status], why },
  });
  const long = expecting(414, "the address is too long", { query: [...request.query, ["x", longText(LONG_QUERY)]] });
  if (body === null) return [long];
  const large = new Uint8Array((LARGEST_BYTES[id] ?? LARGE_BYTES) + 1).fill(0x20);
  return [
    long,
    expecting(413, "the body is too large", { body: { kind: "bytes", bytes: large } }),
    expecting(415, "the body is no JSON", { headers: { ...request.headers, "content-type": "text/plain" } }),
  ];
}
