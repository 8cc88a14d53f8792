// Limits of open change streams. Each stream costs a connection and some work per change, so no single session, person
// or organisation may use up the capacity.
import { AppError } from "../core/errors.ts";
import type { Reach } from "../core/reach.ts";

export interface Listener {
  organisationId: string;
  personId: string;
  /** Fingerprint of the session. */
  session: string;
  /** What the person may see; absent: the whole organisation. */
  reach?: Reach | undefined;
  /** Differs after a change of role or reach. */
  boundsKey: string;
}

/** A browser opens at most six connections per host, and hidden tabs close theirs. */
export const MOST_PER_SESSION = 6;
/** Enough for a few machines. Without this limit, repeated sign-ins would get around the limit above. */
export const MOST_PER_PERSON = 24;
export const MOST_PER_ORGANISATION = 500;
export const MOST_STREAMS = 2_000;

const AGAIN_SECONDS = 60;

/**
 * Returns the stream to evict, if any: the oldest of the same session or person, which is most likely abandoned. Throws
 * if the organisation or the appliance has reached its limit. `open` is in the order of opening.
 */
export function admitStream<Open extends Listener>(open: Iterable<Open>, wanted: Listener): Open | null {
  let all = 0;
  let ofOrganisation = 0;
  const ofPerson: Open[] = [];
  for (const stream of open) {
    all += 1;
    if (stream.organisationId === wanted.organisationId) ofOrganisation += 1;
    if (stream.personId === wanted.personId) ofPerson.push(stream);
  }
  const ofSession = ofPerson.filter(({ session }) => session === wanted.session);
  if (ofSession.length >= MOST_PER_SESSION) return ofSession[0] ?? null;
  if (ofPerson.length >= MOST_PER_PERSON) return ofPerson[0] ?? null;
  if (ofOrganisation >= MOST_PER_ORGANISATION) {
    throw new AppError("RATE_LIMITED", "Too many pages of this organisation are open. Reload this one by hand.", {
      retryAfterSeconds: AGAIN_SECONDS,
    });
  }
  if (all >= MOST_STREAMS) {
    throw new AppError("UNAVAILABLE", "Too many pages are open on this appliance. Reload this one by hand.", {
      retryAfterSeconds: AGAIN_SECONDS,
    });
  }
  return null;
}
