// Documented limits: the exact number of requests per minute, the inbound webhook's quota, and credits.
import { seedOf } from "./draw.ts";
import { placeAt } from "./lanes.ts";
import { Pool } from "./pool.ts";
import { encoded } from "./request.ts";
import type { Session } from "./session.ts";
import { operationNamed, validRequest } from "./valid-request.ts";

const LANE = 2_000;
const TOO_MANY = 429;

export async function runLimits(session: Session, seed: number): Promise<void> {
  if (!session.world.limited) return;
  await requestsAMinute(session, seed);
  await quotaAndCredits(session, seed);
}

/** The first requests are served and count down; after them every operation rejects every request. */
async function requestsAMinute(session: Session, seed: number): Promise<void> {
  const { world } = session;
  const [organisation] = world.organisations;
  const { key, requestsPerMinute } = world.limited ?? { key: "", requestsPerMinute: 0 };
  const pool = new Pool(organisation.seeds);
  const asking = (id: number) => world.operations.filter(({ scope }) => scope === "any" || (id > 0 && scope !== null));
  const ask = async (operation: (typeof world.operations)[number], at: number, isOver: boolean) => {
    const request = {
      ...validRequest(placeAt(world, organisation, pool, operation, seedOf(seed, LANE, at))),
      credential: { "x-api-key": key },
    };
    const rule = { statuses: [TOO_MANY], why: `${requestsPerMinute} requests a minute are allowed` };
    return session.run(
      { kind: "a limit", request, ...(isOver ? { only: rule } : { never: rule }) },
      organisation,
      null,
    );
  };
  const [first] = asking(0);
  if (!first) return;
  for (let at = 0; at < requestsPerMinute; at++) {
    const answer = await ask(first, at, false);
    const left = /r=(\d+)/.exec(answer?.headers.get("ratelimit") ?? "")?.[1];
    if (left !== String(requestsPerMinute - at - 1)) session.tell("RateLimit counts wrongly", first.id, String(left));
  }
  for (const [at, operation] of asking(1).entries()) await ask(operation, at, true);
}

async function quotaAndCredits(session: Session, seed: number): Promise<void> {
  const { world } = session;
  const [organisation] = world.organisations;
  const operation = operationNamed(world.operations, "inboundHook");
  if (!operation || !world.limited) return;
  const { hook, quota, agentId } = world.limited;
  const place = placeAt(world, organisation, new Pool(organisation.seeds), operation, seedOf(seed, LANE, 0));
  const { sign: _, ...request } = validRequest(place);
  const data = { agent_id: agentId, contact_number: "+15552000100" };
  const create = {
    ...request,
    headers: {},
    path: { token: encoded(hook.path["token"] ?? "") },
    body: { kind: "json" as const, value: { action: "call.create", data } },
  };
  for (let at = 0; at < quota + 2; at++) {
    const only =
      at < quota
        ? { statuses: [402], why: "there are no credits" }
        : { statuses: [TOO_MANY], why: "the quota is used up" };
    await session.run({ kind: "a limit", request: create, only }, organisation, null);
  }
}
