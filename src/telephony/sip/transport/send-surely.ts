// Sends over a socket that many peers share. The kernel may answer a send with the refusal of an earlier packet, to
// somebody else: that one did not leave, the error is spent, and the same packet goes out at the next try.

/** Two refusals may be waiting, of the packet before and of the one before that; a third is about this very peer. */
const MOST_TRIES = 3;

/** False where it certainly did not leave. */
export function sendSurely(send: () => boolean): boolean {
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    try {
      return send();
    } catch {
      continue;
    }
  }
  return false;
}
