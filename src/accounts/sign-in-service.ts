// From the first proof to a session. `admit` is the one place that decides between a session and a second factor; every
// sign-in method calls it once its own proof is right.
import type { Actor } from "../core/actor.ts";
import { HOUR_MS, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { DirectoryKind, SignInMethod } from "../payloads/sign-in.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import type { Audit } from "./audit.ts";
import type { Directories, ProvedByDirectory } from "./directories/directories.ts";
import type { BreakGlassService } from "./break-glass-service.ts";
import { isRequiredOf, type FactorService, type Refusal } from "./factor-service.ts";
import { factorsOf } from "./factor-store.ts";
import type { LoginThrottle } from "./login-throttle.ts";
import type { PasskeyService, RelyingParty } from "./passkey-service.ts";
import { personById } from "./person-store.ts";
import type { Person } from "./records.ts";
import type { Opened, SessionService, SignInOrigin } from "./session-service.ts";
import { passwordMarkOf, TICKET_LIFE_MS, type Ticket, type Tickets } from "./sign-in-ticket.ts";
import { spendProof } from "./spent-proof-store.ts";
import type { Assertion, NewCredential } from "./webauthn.ts";

/** What a right first proof leads to. */
export type Admission =
  | { next: "open"; opened: Opened }
  /** `factor`: give it. `set_up`: set one up, because the role needs it. The ticket is a cookie. */
  | { next: "factor" | "set_up"; ticket: string; ways: Ways };

export interface Ways {
  code: boolean;
  passkey: boolean;
}

export interface SignInDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  sessions: Pick<SessionService, "open" | "provePassword" | "whoTries">;
  factors: FactorService;
  passkeys: PasskeyService;
  breakGlass: BreakGlassService;
  directories: Pick<Directories, "provePassword" | "kindsOf">;
  tickets: Tickets;
  /** Its own count: wrong codes do not delay passwords. */
  throttle: LoginThrottle;
}

export class SignInService {
  constructor(private readonly deps: SignInDeps) {}

  async signIn(email: string, password: string, origin: SignInOrigin): Promise<Admission> {
    const { sessions, directories } = this.deps;
    const by = (person: Person | undefined) => sessions.whoTries(person, origin.deviceToken);
    const { source, deviceToken } = origin;
    const proved = await directories.provePassword(email, password, { source, deviceToken, by });
    if (proved) return this.admitFrom(proved, origin, "ldap");
    return this.admit(await sessions.provePassword(email, password, origin), origin, "password");
  }

  /** After the proof of a directory, which may include a second factor. */
  async admitFrom({ person, isTwice }: ProvedByDirectory, origin: SignInOrigin, method: DirectoryKind) {
    if (!isTwice) return this.admit(person, origin, method);
    const opened = await this.deps.sessions.open(person, origin, { method, factor: "directory" });
    return { next: "open", opened } satisfies Admission;
  }

  async admit(person: Person, origin: SignInOrigin, method: SignInMethod): Promise<Admission> {
    const { db, breakGlass, sessions, tickets } = this.deps;
    // Its sealed password is the only way in: sessions.open refuses every other method.
    if (method === "password" && (await breakGlass.isEmergency(person.id)))
      return { next: "open", opened: await breakGlass.open(person, origin) };
    const factors = (await factorsOf(db.reader, [person.id])).get(person.id);
    if (!factors && !(await isRequiredOf(db.reader, person)))
      return { next: "open", opened: await sessions.open(person, origin, { method }) };
    const next = factors ? "factor" : "set_up";
    const passwordMark = passwordMarkOf(person.password_hash);
    return {
      next,
      ticket: tickets.issue({ kind: next, personId: person.id, method, passwordMark }),
      ways: { code: factors?.hasCode ?? true, passkey: factors ? factors.passkeys > 0 : true },
    };
  }

  /** The second factor as a typed code. */
  async enterCode(token: string | null, typed: string, origin: SignInOrigin): Promise<Opened> {
    const { factors, sessions } = this.deps;
    const { ticket, person } = await this.#held(token, "factor");
    const refused: Refusal[] = [];
    const opened = await this.#paced(person, origin, async () => {
      try {
        return await sessions.open(person, origin, {
          method: ticket.method,
          alongside: async (tx) => {
            await this.#spend(tx, ticket);
            const taken = await factors.takeCode(tx, person, typed);
            if (typeof taken === "string") return taken;
            throw new RefusedCode(taken);
          },
        });
      } catch (error) {
        if (!(error instanceof RefusedCode)) throw error;
        refused.push(error.refusal);
        return null;
      }
    });
    if (opened) return opened;
    const [{ refused: reason, message } = { refused: "wrong" as const, message: "The code is wrong." }] = refused;
    await this.#noteFailure(person, reason);
    throw invalidField("code", message);
  }

  /** What the browser signs: with a ticket as the second factor, without one as the only proof. */
  async passkeyOptions(token: string | null, page: RelyingParty, isAlone: boolean) {
    const { tickets, passkeys } = this.deps;
    const ticket = isAlone ? ALONE : (await this.#held(token, "factor")).ticket;
    const asked = tickets.withChallenge(ticket);
    const options = await passkeys.requestOptions(ticket.personId, asked.challenge, page);
    return { ticket: asked.token, options };
  }

  async passkey(token: string | null, assertion: Assertion, page: RelyingParty, origin: SignInOrigin): Promise<Opened> {
    const { db, directories, tickets, passkeys, sessions } = this.deps;
    const ticket = tickets.read(token, "factor", "passkey");
    if (!ticket || ticket.challenge === null) throw tooLate();
    const passkey = await passkeys.find(assertion.id);
    const person =
      ticket.kind === "factor"
        ? (await this.#held(token, "factor")).person
        : await personById(db.reader, passkey.person_id);
    const handle = assertion.response.userHandle ?? null;
    if (person && ticket.kind === "passkey" && (await directories.kindsOf([person.id])).size > 0)
      throw new AppError("UNAUTHORIZED", "This account comes from the hospital's directory. Sign in there first.");
    const isTheirs = person && person.id === passkey.person_id && person.disabled_at === null;
    if (!isTheirs || (handle !== null && handle !== Buffer.from(person.id).toString("base64url")))
      throw new AppError("UNAUTHORIZED", "This passkey belongs to another account. Sign in with your password.");
    const expected = { challenge: ticket.challenge, ...page };
    let fault: unknown;
    const opened = await this.#paced(person, origin, async () => {
      try {
        return await sessions.open(person, origin, {
          method: ticket.method,
          alongside: async (tx) => {
            await this.#spend(tx, ticket);
            await passkeys.takeWithin(tx, passkey, assertion, expected);
            return ticket.kind === "factor" ? "passkey" : null;
          },
        });
      } catch (error) {
        fault = error;
        return null;
      }
    });
    if (opened) return opened;
    await passkeys.noteRefusal(person, passkey, fault);
    throw fault;
  }

  /** For a person who must set up a second factor and has none. */
  async beginCodeSetUp(token: string | null) {
    const { person } = await this.#held(token, "set_up");
    return this.deps.factors.beginCode(person.id);
  }

  async confirmCodeSetUp(token: string | null, code: string, origin: SignInOrigin) {
    return this.#setUp(token, origin, (tx, person, actor) =>
      this.deps.factors.confirmCodeWithin(tx, person.id, code, { actor, keptSession: null }),
    );
  }

  async passkeySetUpOptions(token: string | null, page: RelyingParty) {
    const { tickets, passkeys } = this.deps;
    const { ticket, person } = await this.#held(token, "set_up");
    const asked = tickets.withChallenge(ticket);
    return { ticket: asked.token, options: await passkeys.creationOptions(person, asked.challenge, page) };
  }

  async passkeySetUp(
    token: string | null,
    { credential, name }: { credential: NewCredential; name: string },
    page: RelyingParty,
    origin: SignInOrigin,
  ) {
    const challenge = (await this.#held(token, "set_up")).ticket.challenge;
    if (challenge === null) throw tooLate();
    const expected = { challenge, ...page };
    return this.#setUp(token, origin, (tx, person, actor) =>
      this.deps.passkeys.addWithin(tx, person.id, credential, { name, expected, by: { actor, keptSession: null } }),
    );
  }

  /** Opens the session in the transaction that stores the factor. */
  async #setUp(
    token: string | null,
    origin: SignInOrigin,
    store: (tx: Tx, person: Person, actor: Actor) => Promise<readonly string[] | null>,
  ): Promise<{ opened: Opened; recoveryCodes: readonly string[] }> {
    const { ticket, person } = await this.#held(token, "set_up");
    let recoveryCodes: readonly string[] = [];
    const opened = await this.deps.sessions.open(person, origin, {
      method: ticket.method,
      alongside: async (tx) => {
        await this.#spend(tx, ticket);
        if ((await factorsOf(tx, [person.id])).has(person.id))
          throw new AppError("CONFLICT", "A second factor was set up meanwhile. Sign in again.");
        recoveryCodes = (await store(tx, person, { kind: "person", id: person.id })) ?? [];
        return "new";
      },
    });
    return { opened, recoveryCodes };
  }

  /** The person of a ticket, if the ticket still holds. */
  async #held(token: string | null, kind: Ticket["kind"]): Promise<{ ticket: Ticket; person: Person }> {
    const { db, tickets } = this.deps;
    const ticket = tickets.read(token, kind);
    if (!ticket || ticket.personId === null) throw tooLate();
    const person = await personById(db.reader, ticket.personId);
    if (!person || person.disabled_at !== null) throw tooLate();
    if (passwordMarkOf(person.password_hash) !== ticket.passwordMark) throw tooLate();
    return { ticket, person };
  }

  /** A ticket opens one session. */
  async #spend(tx: Tx, { nonce, expiresAt }: Ticket): Promise<void> {
    // Later than the ticket's own end, in case the clock is set back.
    if (!(await spendProof(tx, ["ticket", nonce], expiresAt + TICKET_LIFE_MS + HOUR_MS))) throw tooLate();
  }

  async #paced<T>(person: Person, origin: SignInOrigin, check: () => Promise<T | null>): Promise<T | null> {
    const by = await this.deps.sessions.whoTries(person, origin.deviceToken);
    return this.deps.throttle.run({ email: person.id, source: origin.source, by }, check);
  }

  /** Someone knows the password: owners see it in the audit log. */
  async #noteFailure(person: Person, reason: Refusal["refused"]): Promise<void> {
    const { db, audit } = this.deps;
    await db.write((tx) =>
      audit.record(tx, {
        organisationId: person.organisation_id,
        actor: { kind: "person", id: person.id },
        action: "person.second_factor_refused",
        subjectId: person.id,
        detail: { reason },
      }),
    );
  }
}

export const createSignInService = (deps: SignInDeps): SignInService => new SignInService(deps);

const ALONE = { kind: "passkey", method: "passkey", personId: null } as const;

class RefusedCode extends Error {
  constructor(readonly refusal: Refusal) {
    super("The code was refused.");
  }
}

const tooLate = () => new AppError("UNAUTHORIZED", "This sign-in took too long, or was used already. Sign in again.");
