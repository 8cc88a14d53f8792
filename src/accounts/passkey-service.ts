// Passkeys: what a browser is asked to make and to sign, and whether its answer is accepted.
import { HOUR_MS, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import { checkedName } from "../core/names.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import type { Audit } from "./audit.ts";
import { assertNoEmergency, type Changer, type FactorService } from "./factor-service.ts";
import { insertPasskey, notePasskeyUse, passkeyByCredential, passkeysOf, type Passkey } from "./factor-store.ts";
import type { Person } from "./records.ts";
import { TICKET_LIFE_MS } from "./sign-in-ticket.ts";
import { spendProof } from "./spent-proof-store.ts";
import {
  ALGORITHMS,
  PasskeyFault,
  verifyAssertion,
  verifyNewCredential,
  type Assertion,
  type Expected,
  type NewCredential,
} from "./webauthn.ts";

/** Where the page of the request is: passkeys belong to one host name. */
export interface RelyingParty {
  rpId: string;
  origin: string;
}

const MOST_PASSKEYS = 20;
const TIMEOUT_MS = 300_000;
const UNACCEPTED = "This passkey was not accepted. Try again, or sign in another way.";

export interface PasskeyServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  factors: FactorService;
}

export function createPasskeyService(deps: PasskeyServiceDeps) {
  const { db } = deps;
  const idsOf = async (personId: string, rpId: string) =>
    (await passkeysOf(db.reader, personId))
      .filter((passkey) => passkey.rp_id === rpId)
      .map(({ credential_id, transports }) => ({
        type: "public-key" as const,
        id: credential_id,
        transports: transports === "" ? [] : transports.split(" "),
      }));

  const options = {
    /** In the form of PublicKeyCredentialCreationOptionsJSON. User verification is required, so it counts twice. */
    async creationOptions(person: Person, challenge: string, { rpId }: RelyingParty) {
      return {
        challenge,
        rp: { id: rpId, name: "Ringward" },
        user: { id: Buffer.from(person.id).toString("base64url"), name: person.email, displayName: person.name },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key" as const, alg })),
        timeout: TIMEOUT_MS,
        excludeCredentials: await idsOf(person.id, rpId),
        authenticatorSelection: {
          residentKey: "required" as const,
          requireResidentKey: true,
          userVerification: "required" as const,
        },
        attestation: "none" as const,
      };
    },

    /** PublicKeyCredentialRequestOptionsJSON. For null, the browser offers every passkey of this host name. */
    async requestOptions(personId: string | null, challenge: string, { rpId }: RelyingParty) {
      return {
        challenge,
        rpId,
        timeout: TIMEOUT_MS,
        userVerification: "required" as const,
        allowCredentials: personId === null ? [] : await idsOf(personId, rpId),
      };
    },
  };
  return { ...options, ...createPasskeyChecks(deps) };
}

/** Answers of browsers. */
function createPasskeyChecks({ db, clock, ids, audit, factors }: PasskeyServiceDeps) {
  return {
    /** Returns new recovery codes if there are none. */
    async addWithin(
      tx: Tx,
      personId: string,
      credential: NewCredential,
      { name, expected, by }: { name: string; expected: Expected; by: Changer },
    ): Promise<readonly string[] | null> {
      await assertNoEmergency(tx, personId);
      const key = accepted("VALIDATION_ERROR", () => verifyNewCredential(credential, expected));
      // Later than the ticket's own end, in case the clock is set back.
      const keptUntil = clock.now() + TICKET_LIFE_MS + HOUR_MS;
      if (!(await spendProof(tx, ["new-passkey", expected.challenge], keptUntil)))
        throw new AppError("CONFLICT", "A passkey was added with this already. Begin again.");
      const present = await passkeysOf(tx, personId);
      if (present.length >= MOST_PASSKEYS)
        throw new AppError("CONFLICT", `You have ${MOST_PASSKEYS} passkeys. Remove one first.`);
      if (await passkeyByCredential(tx, key.credentialId))
        throw new AppError("CONFLICT", "This passkey is registered already.");
      await insertPasskey(tx, {
        id: ids.next("pky"),
        person_id: personId,
        credential_id: key.credentialId,
        public_key: key.publicKey,
        counter: key.counter,
        transports: key.transports.join(" "),
        rp_id: expected.rpId,
        name: checkedName("name", name, 60),
        created_at: clock.now(),
        last_used_at: null,
      });
      return factors.changedWithin(tx, personId, "person.passkey_added", by);
    },

    /** The passkey that made an answer. */
    async find(credentialId: string): Promise<Passkey> {
      const passkey = await passkeyByCredential(db.reader, credentialId);
      if (passkey) return passkey;
      throw new AppError(
        "UNAUTHORIZED",
        "This passkey is not known here. It may have been removed. Sign in with your password.",
      );
    },

    /** Accepts a signed challenge once. */
    async takeWithin(tx: Tx, passkey: Passkey, assertion: Assertion, expected: Expected): Promise<void> {
      const present = await passkeyByCredential(tx, passkey.credential_id);
      if (present?.person_id !== passkey.person_id || present.rp_id !== expected.rpId) throw unaccepted();
      const { public_key: publicKey, counter: least } = present;
      const counter = accepted("UNAUTHORIZED", () =>
        verifyAssertion(assertion, expected, { publicKey, counter: least }),
      );
      if (!(await notePasskeyUse(tx, present, counter, clock.now()))) throw unaccepted();
    },

    /** For an answer of a known passkey that was not accepted. */
    async noteRefusal(person: Person, passkey: Passkey, error: unknown): Promise<void> {
      const reason = error instanceof AppError && error.cause instanceof PasskeyFault ? error.cause.message : null;
      if (reason === null) return;
      await db.write((tx) =>
        audit.record(tx, {
          organisationId: person.organisation_id,
          actor: { kind: "person", id: person.id },
          action: "person.passkey_refused",
          subjectId: person.id,
          detail: { passkey: passkey.id, reason },
        }),
      );
    },
  };
}

export type PasskeyService = ReturnType<typeof createPasskeyService>;

const unaccepted = () => new AppError("UNAUTHORIZED", UNACCEPTED);

/** The session of a person who adds a passkey is valid, whatever the passkey: no 401. */
function accepted<T>(code: "UNAUTHORIZED" | "VALIDATION_ERROR", check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof PasskeyFault) throw new AppError(code, UNACCEPTED, { cause: error });
    throw error;
  }
}
