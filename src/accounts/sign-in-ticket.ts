// Tickets of unfinished sign-ins: who gave the right password, and which challenge a passkey must sign. A ticket is a
// signed cookie and no row, so strangers cannot fill the database or push others out of it. It opens nothing by itself.
import type { SignInMethod } from "../payloads/sign-in.ts";
import { MINUTE_MS, type Clock } from "../core/clock.ts";
import { equalInConstantTime, hmacSha256, sha256Hex } from "../core/hmac.ts";
import type { Ids } from "../core/ids.ts";

/** Enough to find the telephone or the recovery codes. */
export const TICKET_LIFE_MS = 10 * MINUTE_MS;
const LONGEST_TICKET = 1_500;

export interface Ticket {
  /**
   * `factor`: the second factor is missing. `set_up`: it must be set up first. `passkey`: a sign-in by passkey alone.
   */
  kind: "factor" | "set_up" | "passkey" | "add_passkey";
  /** Null for a passkey alone: the passkey names the person. */
  personId: string | null;
  method: SignInMethod;
  /** The password hash at that time, by its hash: a new password ends the sign-in. */
  passwordMark: string;
  /** What a passkey must sign; null if none was asked for. */
  challenge: string | null;
  /** Fingerprint of the session that adds a passkey. */
  session: string | null;
  /** A ticket is used once. */
  nonce: string;
  expiresAt: number;
}

export type NewTicket = Pick<Ticket, "kind"> & Partial<Ticket>;

export interface Tickets {
  issue(ticket: NewTicket): string;
  /** The ticket with a new challenge; a new one, or one that was issued before. */
  withChallenge(ticket: NewTicket): { token: string; challenge: string };
  /** Null if it is forged, expired or of another kind. */
  read(token: string | null, ...kinds: readonly Ticket["kind"][]): Ticket | null;
}

export const passwordMarkOf = (passwordHash: string): string =>
  sha256Hex(`password-mark\n${passwordHash}`).slice(0, 32);

export function createTickets({ clock, ids, key }: { clock: Clock; ids: Ids; key: Uint8Array }): Tickets {
  const macOf = (body: string) => hmacSha256(key, body).toString("base64url");
  const issue = (given: NewTicket): string => {
    const ticket: Ticket = {
      personId: null,
      method: "password",
      passwordMark: "",
      challenge: null,
      session: null,
      nonce: ids.secret(16),
      expiresAt: clock.now() + TICKET_LIFE_MS,
      ...given,
    };
    const body = Buffer.from(JSON.stringify(ticket)).toString("base64url");
    return `${body}.${macOf(body)}`;
  };
  return {
    issue,
    withChallenge(ticket) {
      const challenge = ids.secret(32);
      return { token: issue({ ...ticket, challenge }), challenge };
    },
    read(token, ...kinds) {
      const [body = "", mac = ""] = (token ?? "").slice(0, LONGEST_TICKET).split(".");
      if (body === "" || !equalInConstantTime(mac, macOf(body))) return null;
      const ticket = JSON.parse(Buffer.from(body, "base64url").toString()) as Ticket;
      return kinds.includes(ticket.kind) && clock.now() < ticket.expiresAt ? ticket : null;
    },
  };
}
