// Doctor check of encryption at rest: whether it is on, whether its key lies beside the data, and what is left to do.
import type { Config } from "../config/schema.ts";
import { messageOf } from "../core/errors.ts";
import { encryptionState, type EncryptionState } from "../db/encryption-state.ts";
import { placeOf } from "./context.ts";
import { lookingAt } from "./database-look.ts";
import type { Finding } from "./doctor-checks.ts";

const KEY_OUTSIDE = "a key outside the data folder (security.key_file, key_command or root_key)";
const ON_POSTGRES =
  "The database is in PostgreSQL, which Ringward does not encrypt: its owner encrypts the volume of the data, the WAL " +
  "and the replicas, requires TLS, and encrypts dumps.";
const CUT_OFF = "It was cut off halfway. Stop the server, and run the command again:";

const TOLD: Readonly<Record<EncryptionState, Omit<Finding, "check">>> = {
  on: { state: "ok", message: "On, with the key outside the data folder." },
  "on, key beside": {
    state: "warn",
    message: `On, but the key lies beside the data and protects nothing. Set ${KEY_OUTSIDE}.`,
  },
  off: { state: "ok", message: `Off. With ${KEY_OUTSIDE}, "ringward encrypt" turns it on.` },
  "off, key outside": { state: "warn", message: 'Off. Stop the server and run "ringward encrypt --yes".' },
  encrypt: { state: "warn", message: `${CUT_OFF} "ringward encrypt --yes".` },
  decrypt: { state: "warn", message: `${CUT_OFF} "ringward decrypt --yes".` },
  "key change": { state: "warn", message: "The change of the secret key ends with the first start with the new key." },
};

export async function checkEncryption(config: Config): Promise<Finding> {
  const check = "encryption";
  try {
    const found = encryptionState(placeOf(config));
    const isThere = found !== "off, key outside" || (await lookingAt(config, async () => true)) !== null;
    const { state, message } = isThere
      ? TOLD[found]
      : { state: "ok" as const, message: "The first start turns it on." };
    return { check, state, message: config.database.url === "" ? message : `${message} ${ON_POSTGRES}` };
  } catch (error) {
    return { check, state: "FAIL", message: messageOf(error) };
  }
}
