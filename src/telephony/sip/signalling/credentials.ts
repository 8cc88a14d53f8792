// A trunk's name and password: signs requests, remembers nonces, and decides whether a refusal is worth another try.
import { authorization, nextNonce, parseChallenge, strongest, type Challenge } from "./digest.ts";
import type { RequestDraft, SipResponse } from "./message.ts";

export interface Account {
  username: string;
  password: string;
}

export interface Credentials {
  /** Adds what the last challenges ask for, so that a later request need not be refused first. */
  sign(draft: RequestDraft): void;
  /** After a 401 or 407: takes the challenge. Says why it is no use to try again, or null where it is. */
  challenged(response: SipResponse, sent: RequestDraft): string | null;
  /** After a success: takes the nonce that the server wants next. */
  accepted(response: SipResponse): void;
}

interface Held {
  challenge: Challenge;
  nonceCount: number;
}

const KINDS = [
  { status: 401, challenge: "www-authenticate", answer: "authorization", info: "authentication-info" },
  { status: 407, challenge: "proxy-authenticate", answer: "proxy-authorization", info: "proxy-authentication-info" },
] as const;

export function createCredentials(account: Account | null, randomText: () => string): Credentials {
  /** By the header that answers it. */
  const held = new Map<string, Held>();

  return {
    sign(draft) {
      if (!account) return;
      for (const { answer } of KINDS) {
        const known = held.get(answer);
        draft.headers.remove(answer);
        if (!known) continue;
        known.nonceCount += 1;
        const input = { ...account, method: draft.method, uri: draft.uri, nonceCount: known.nonceCount };
        draft.headers.append(answer, authorization(known.challenge, { ...input, clientNonce: randomText() }));
      }
    },
    challenged(response, sent) {
      const kind = KINDS.find(({ status }) => status === response.status);
      if (!kind) return "it was no challenge";
      if (!account)
        return "The trunk asks for a name and a password, and none is configured. Set its username and secret.";
      const challenges = response.headers.all(kind.challenge).map(parseChallenge);
      const challenge = strongest(challenges.filter((one) => one !== null));
      if (!challenge) return "The trunk asks for a kind of authentication other than Digest with MD5 or SHA-256.";
      const before = held.get(kind.answer);
      const signed = sent.headers.get(kind.answer);
      // Signed with a fresh nonce and refused again with the same one, or in another realm's name: the password is wrong.
      const isRepeat = signed !== undefined && before?.challenge.nonce === challenge.nonce && !challenge.isStale;
      held.set(kind.answer, { challenge, nonceCount: 0 });
      return isRepeat ? WRONG_PASSWORD : null;
    },
    accepted(response) {
      for (const { answer, info } of KINDS) {
        const nonce = nextNonce(response.headers.get(info));
        const known = held.get(answer);
        if (nonce !== null && known) held.set(answer, { challenge: { ...known.challenge, nonce }, nonceCount: 0 });
      }
    },
  };
}

export const WRONG_PASSWORD = "The trunk refuses the name or the password. Check its username and secret.";
