// Passkeys in the browser: makes one, and signs a challenge with one. Only the members that the server reads are sent.
import { said } from "./words.ts";

const words = said.signIn.passkeys;

/** Why this page cannot use passkeys; null if it can. Browsers allow them over TLS and on localhost only. */
export function passkeyProblem(): string | null {
  if (!window.isSecureContext) return words.insecure;
  if (/^[\d.]+$|^\[/.test(location.hostname)) return words.byAddress;
  const isKnown = typeof PublicKeyCredential === "function" && "parseCreationOptionsFromJSON" in PublicKeyCredential;
  return isKnown ? null : words.unsupported;
}

export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = await asked(navigator.credentials.create({ publicKey }));
  const { id, response } = made.toJSON() as RegistrationResponseJSON;
  const { clientDataJSON, authenticatorData, publicKeyAlgorithm, publicKey: key = "", transports } = response;
  return {
    id,
    type: "public-key" as const,
    response: { clientDataJSON, authenticatorData, publicKey: key, publicKeyAlgorithm, transports },
  };
}

export async function signWithPasskey(options: PublicKeyCredentialRequestOptionsJSON) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const signed = await asked(navigator.credentials.get({ publicKey }));
  const { id, response } = signed.toJSON() as AuthenticationResponseJSON;
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response;
  return {
    id,
    type: "public-key" as const,
    response: { clientDataJSON, authenticatorData, signature, userHandle },
  };
}

async function asked(request: Promise<Credential | null>): Promise<PublicKeyCredential> {
  let credential: Credential | null;
  try {
    credential = await request;
  } catch (error) {
    const isThere = error instanceof DOMException && error.name === "InvalidStateError";
    throw new Error(isThere ? words.isThere : words.cancelled, { cause: error });
  }
  if (credential instanceof PublicKeyCredential) return credential;
  throw new Error(words.cancelled);
}
