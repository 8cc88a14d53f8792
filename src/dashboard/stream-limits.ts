// How many streams of changes may be open at once. Each costs a connection and a little work at every change, so none
// of those who look on may take all of it.
import { AppError } from "../core/errors.ts";

export interface Listener {
  organisationId: string;
  personId: string;
  /** The session's fingerprint. */
  session: string;
}

/** A browser holds six connections to one host at most, and hidden tabs give theirs up. */
export const MOST_PER_SESSION = 6;
/** A few machines each; without it, signing in again and again would pass the limit above. */
export const MOST_PER_PERSON = 24;
export const MOST_PER_ORGANISATION = 500;
export const MOST_STREAMS = 2_000;

const AGAIN_SECONDS = 60;

/**
 * Answers the stream that has to make room, if any: the oldest of the same session or person, which most likely nobody
 * reads any more. Throws where the organisation or the appliance is full. `open` is in the order of opening.
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
