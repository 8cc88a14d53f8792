// Concurrent identical requests under one Idempotency-Key: one is executed, the others are marked as replays. A
// different request under the same key is rejected.
import { seedOf } from "./draw.ts";
import { placeAt } from "./lanes.ts";
import { Pool } from "./pool.ts";
import { isPing, type FuzzRequest } from "./request.ts";
import type { Session } from "./session.ts";
import { validRequest } from "./valid-request.ts";

const LANE = 3_000;
const AT_ONCE = 6;
/** Tries until one is served. */
const MOST_TRIES = 20;

export async function runTogether(session: Session, seed: number): Promise<void> {
  const { world } = session;
  const [organisation] = world.organisations;
  const pool = new Pool(organisation.seeds);
  const repeatable = world.operations.filter(({ parameters }) =>
    parameters.some(({ name }) => name === "Idempotency-Key"),
  );
  for (const [at, operation] of repeatable.entries()) {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const place = placeAt(world, organisation, pool, operation, seedOf(seed, LANE + tries, at));
      if (await sameTwice(session, validRequest(place), `together ${at} ${tries}`)) break;
    }
  }
}

/** False if the request was rejected for another reason. */
async function sameTwice(session: Session, request: FuzzRequest, key: string): Promise<boolean> {
  const [organisation] = session.world.organisations;
  const keyed = { ...request, query: [], headers: { "idempotency-key": key } };
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, () => session.run({ kind: "at once", request: keyed }, organisation, null)),
  );
  const made = new Set(
    answers.flatMap((answer) => (answer && answer.status < 300 ? [withoutSecret(answer.text)] : [])),
  );
  if (made.size === 0) return false;
  if (made.size > 1)
    session.tell("done more than once under one Idempotency-Key", request.operation.id, `${made.size} times`);
  // A request without a body has no different variant.
  if (!keyed.body || (keyed.body.kind === "json" && isPing(keyed.body.value))) return true;
  const other = { ...keyed, body: { kind: "json" as const, value: withNote(keyed.body) } };
  const only = { statuses: [422], why: "the key was used with another body" };
  await session.run({ kind: "a key again", request: other, only }, organisation, null);
  return true;
}

/** Only the first response shows a secret. */
const withoutSecret = (text: string): string => text.replace(/"(secret|key)":(?:"[^"]*"|null)/, '"$1"');

/** The same with an unknown field. */
function withNote(body: FuzzRequest["body"]): unknown {
  return body?.kind === "json" ? { ...(body.value as object), another_body: true } : {};
}
