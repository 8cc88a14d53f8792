// A trunk's name and password: signs requests to the trunk's own host, remembers nonces, and decides whether a refusal
// is worth another try. Nobody else gets a digest, for it can be tried against a list of passwords at leisure.
import { authorization, nextNonce, parseChallenge, strongest, type Challenge } from "./digest.ts";
import type { RequestDraft, SipResponse } from "../message/message.ts";
import type { Endpoint } from "../transport/flow.ts";

export interface Account {
  username: string;
  password: string;
}

/** Whom a request goes to. */
type Peer = Pick<Endpoint, "address">;

export interface Credentials {
  /** Adds what the last challenges of this host ask for, so that a later request need not be refused first. */
  sign(draft: RequestDraft, to: Peer): void;
  /** After a 401 or 407: takes the challenge. Says why it is no use to try again, or null where it is. */
  challenged(response: SipResponse, sent: RequestDraft, to: Peer): string | null;
  /** After any other final answer: takes the nonce that the server wants next, and holds on to its realm. */
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

/** `isHome`: whether the address is one of the trunk's own. */
export function createCredentials(
  account: Account | null,
  randomText: () => string,
  isHome: (address: string) => boolean,
): Credentials {
  /** By the header that answers it, and the host that asked: what one host wants to see is no other's business. */
  const held = new Map<string, Held>();
  const keyOf = (answer: string, { address }: Peer) => `${answer} ${address}`;
  /** In whose name the trunk asks, by the header that answers, once an answer was taken. */
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
      // Signed with a fresh nonce and refused again with the same one: the password is wrong.
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
        // 403 is how some exchanges say that the password is wrong.
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
