// Sends over a socket that many peers share. The kernel may fail a send with the ICMP error of an earlier packet to
// another peer. The packet is not sent then, but the error is cleared, and a retry succeeds.

/** Two errors may be pending from the previous two packets; a third concerns this peer. */
const MOST_TRIES = 3;

/** False if it was certainly not sent. */
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
