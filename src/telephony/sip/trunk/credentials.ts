// Credentials of a trunk: signs requests to the trunk's own hosts, remembers nonces, and decides whether a challenge is
// worth a retry. Other hosts get no digest, because it allows an offline dictionary attack.
import { authorization, nextNonce, parseChallenge, strongest, type Challenge } from "./digest.ts";
import type { RequestDraft, SipResponse } from "../message/message.ts";
import type { Endpoint } from "../transport/flow.ts";

export interface Account {
  username: string;
  password: string;
}

/** Destination of a request. */
type Peer = Pick<Endpoint, "address">;

export interface Credentials {
  /** Adds the response to the last challenges of this host, which saves a round trip. */
  sign(draft: RequestDraft, to: Peer): void;
  /** After a 401 or 407: stores the challenge. Returns why a retry is pointless, or null if it is not. */
  challenged(response: SipResponse, sent: RequestDraft, to: Peer): string | null;
  /** After any other final response: stores the server's next nonce, and pins the realm. */
  accepted(response: SipResponse, sent: RequestDraft, to: Peer): void;
}

interface Held {
  challenge: Challenge;
  nonceCount: number;
}

const KINDS = [
  { status: 401, challenge: "www-authenticate", answer: "authorization", info: "authentication-info" },
  { status: 407, challenge: "proxy-authenticate", answer: "proxy-authorization", info: "proxy-authentication-info" },
] as const;

/** `isHome`: whether the address belongs to the trunk. */
export function createCredentials(
  account: Account | null,
  randomText: () => string,
  isHome: (address: string) => boolean,
): Credentials {
  /** By response header and challenging host: hosts do not share challenges. */
  const held = new Map<string, Held>();
  const keyOf = (answer: string, { address }: Peer) => `${answer} ${address}`;
  /** Pinned realm of the trunk by response header, once a response was accepted. */
  const knownRealms = new Map<string, string>();

  return {
    sign(draft, to) {
      for (const { answer } of KINDS) {
        draft.headers.remove(answer);
        const known = held.get(keyOf(answer, to));
        if (!account || !known || !isHome(to.address)) continue;
        known.nonceCount += 1;
        const input = { ...account, method: draft.method, uri: draft.uri, nonceCount: known.nonceCount };
        draft.headers.append(answer, authorization(known.challenge, { ...input, clientNonce: randomText() }));
      }
    },
    challenged(response, sent, to) {
      const kind = KINDS.find(({ status }) => status === response.status);
      if (!kind) return "it was no challenge";
      if (!account)
        return "The trunk asks for a name and a password, and none is configured. Set its username and secret.";
      if (!isHome(to.address)) return ASKED_BY_STRANGER;
      const challenges = response.headers.all(kind.challenge).map(parseChallenge);
      const readable = challenges.filter((one) => one !== null);
      const realm = knownRealms.get(kind.answer);
      const challenge = strongest(readable.filter((one) => realm === undefined || one.realm === realm));
      if (!challenge && readable.length > 0) return OTHER_REALM;
      if (!challenge) return NO_DIGEST;
      const key = keyOf(kind.answer, to);
      const before = held.get(key);
      const signed = sent.headers.get(kind.answer);
      // Signed with a fresh nonce and challenged again with the same one: the password is wrong.
      const isRepeat = signed !== undefined && before?.challenge.nonce === challenge.nonce && !challenge.isStale;
      held.set(key, { challenge, nonceCount: 0 });
      return isRepeat ? WRONG_PASSWORD : null;
    },
    accepted(response, sent, to) {
      if (!isHome(to.address)) return;
      for (const { answer, info } of KINDS) {
        const key = keyOf(answer, to);
        const known = held.get(key);
        if (!known) continue;
        // Some exchanges answer a wrong password with 403.
        const isTaken = sent.headers.get(answer) !== undefined && response.status !== 403;
        if (isTaken && !knownRealms.has(answer)) knownRealms.set(answer, known.challenge.realm);
        const nonce = nextNonce(response.headers.get(info));
        if (nonce !== null) held.set(key, { challenge: { ...known.challenge, nonce }, nonceCount: 0 });
      }
    },
  };
}

export const WRONG_PASSWORD = "The trunk refuses the name or the password. Check its username and secret.";
export const NO_DIGEST = "The trunk asks for a kind of authentication other than Digest with MD5 or SHA-256.";
export const OTHER_REALM =
  "The trunk asks for the password in another realm's name than before, and gets none. If the exchange was set up anew, switch the trunk off and on again.";
export const ASKED_BY_STRANGER =
  "An address that is not the trunk's own asks for the trunk's password, and gets none. Let the exchange keep itself in the route.";
