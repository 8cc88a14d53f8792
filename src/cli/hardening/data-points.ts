// Hardening points about stored data: encryption, keys, modes of files, backups, retention.
import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import { DAY_MS, toIso } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { encryptionState, type EncryptionState } from "../../db/encryption-state.ts";
import { readBackupState, type BackupState } from "../../db/kept-backups/backup-state.ts";
import { isBackupLate } from "../../db/kept-backups/backup-times.ts";
import { settingOf } from "../../db/key-source.ts";
import { ROOT_KEY_FILE } from "../../db/root-key.ts";
import { placeOf } from "../context.ts";
import { notApplicable, ok, open, openIfAny, type FileFacts, type Grounds, type Point } from "./point.ts";

const GROUP_WRITES = 0o020;
const OTHERS = 0o007;
const ROOT_UID = 0;
/** An older drill says little of the backups of today. */
const DRILL_EVERY_MS = 180 * DAY_MS;

const KEY_OUTSIDE = "Give a key outside the data folder (security.key_file or key_command)";
const ENCRYPTION: Readonly<Record<EncryptionState, Point>> = {
  on: ok("On, with the key outside the data folder."),
  "on, key beside": open(`On, but the key lies beside the data and protects nothing. ${KEY_OUTSIDE}.`),
  off: open(`Off. ${KEY_OUTSIDE}, stop the server and run "ringward encrypt --yes".`),
  "off, key outside": open('Off. Stop the server and run "ringward encrypt --yes".'),
  encrypt: open('The conversion was cut off. Run "ringward encrypt --yes" again.'),
  decrypt: open('The conversion was cut off. Run "ringward decrypt --yes" again, or encrypt.'),
  "key change": open("The change of the secret key ends with the first start with the new key."),
};

export function encryption({ config }: Grounds): Point {
  try {
    const { state, message } = ENCRYPTION[encryptionState(placeOf(config))];
    if (config.database.url === "") return { state, message };
    const rest = "The database itself is in PostgreSQL: its owner encrypts the volume, the WAL and the dumps.";
    return { state, message: `${message} ${rest}` };
  } catch (error) {
    return open(messageOf(error));
  }
}

export function keyFile(grounds: Grounds): Point {
  const { data, security } = grounds.config;
  const setting = settingOf(security);
  if (setting === "security.key_command") return ok("The key comes from a command, and is in no file.");
  if (setting === "security.root_key")
    return ok("The key is in the settings: keep their file and the environment closed to others.");
  const file = setting === null ? join(data.dir, ROOT_KEY_FILE) : security.key_file;
  const facts = grounds.statOf(file);
  if (facts === null) return notApplicable(`${file} is not there, or cannot be looked at by this user.`);
  return openIfAny(secretFileFaults(file, facts, serverUid(grounds)), `${file} is closed to others.`);
}

/** Keys of files that hold a secret. The key at rest has a point of its own. */
const secretFiles = (config: Config): [setting: string, file: string][] => [
  ["server.tls_key_file", config.server.tls_key_file],
  ["telephony.sip.tls_key_file", config.telephony.sip.tls_key_file],
  ["hl7.tls_key_file", config.hl7.tls_key_file],
  ["syslog.tls_key_file", config.syslog.tls_key_file],
  ["database.password_file", config.database.password_file],
  ["mail.password_file", config.mail.password_file],
  ["metrics.token_file", config.metrics.token_file],
  ["backup.s3.secret_access_key_file", config.backup.s3.secret_access_key_file],
  ["sign_in.oidc.client_secret_file", config.sign_in.oidc.client_secret_file],
  ["sign_in.ldap.bind_password_file", config.sign_in.ldap.bind_password_file],
];

export function filesOfSecrets(grounds: Grounds): Point {
  const used = secretFiles(grounds.config).filter(([, file]) => file !== "");
  if (used.length === 0) return notApplicable("The settings name no file with a secret.");
  const faults = used.flatMap(([setting, file]) => {
    const facts = grounds.statOf(file);
    return facts === null ? [] : secretFileFaults(`${setting}: ${file}`, facts, serverUid(grounds));
  });
  return openIfAny(faults, "The files that the settings name are closed to others.");
}

/** A group may read what belongs to root, as packages install it: root:ringward, mode 640. */
function secretFileFaults(named: string, { mode, uid }: FileFacts, server: number | null): string[] {
  const faults: string[] = [];
  const isShared = (mode & (OTHERS | GROUP_WRITES)) !== 0 || (uid !== ROOT_UID && (mode & 0o040) !== 0);
  if (isShared) faults.push(`${named} is open to others (mode ${mode.toString(8)}): chmod 600.`);
  if (server !== null && uid !== server && uid !== ROOT_UID)
    faults.push(`${named} belongs to user ${uid}, who can change it: chown it to root or to the user of the server.`);
  return faults;
}

/** The owner of the data folder, whom the server must run as. */
const serverUid = ({ config, statOf }: Grounds): number | null => statOf(config.data.dir)?.uid ?? null;

export function dataFolder({ config, statOf }: Grounds): Point {
  const { dir } = config.data;
  const facts = statOf(dir);
  if (facts === null) return notApplicable(`${dir} is not there yet.`);
  const isOpen = (facts.mode & 0o077) !== 0;
  return isOpen ? open(`${dir} has mode ${facts.mode.toString(8)}: chmod 700.`) : ok(`${dir} is closed to others.`);
}

export function settingsFile({ configFile, statOf }: Grounds): Point {
  const facts = configFile === null ? null : statOf(configFile);
  if (configFile === null || facts === null)
    return notApplicable("No file of settings is given. If the server has one, name it here with --config.");
  if ((facts.mode & (OTHERS | GROUP_WRITES)) === 0) return ok(`${configFile} is closed to others.`);
  return open(`${configFile} has mode ${facts.mode.toString(8)}: chmod 640, owned by root, group of the server.`);
}

export function backups({ config, now }: Grounds): Point {
  const { backup, data, database } = config;
  if (database.url !== "") return notApplicable("PostgreSQL is backed up by its own tools: encrypt its dumps.");
  if (backup.every === "") return open("The server makes none. Set backup.every and backup.to.");
  const state = readBackupState(data.dir);
  if (!state?.lastGood) return open('On, but there is no good one yet: "ringward backup now" makes one.');
  const faults: string[] = [];
  if (isBackupLate(backup, state, now) === true)
    faults.push(
      `The last good one is of ${toIso(state.lastGood.madeAt)}, which is too old: /readyz and the log say why.`,
    );
  else if (state.failures > 0) faults.push(`${state.failures} failed since the last good one: the log says why.`);
  return openIfAny(faults, `On, encrypted and verified. The last one is of ${toIso(state.lastGood.madeAt)}.`);
}

export function restoreDrill({ config, now }: Grounds): Point {
  if (config.database.url !== "") return notApplicable("PostgreSQL is restored by its own tools: try that, too.");
  return drillOf(readBackupState(config.data.dir)?.lastDrill ?? null, now);
}

function drillOf(drill: BackupState["lastDrill"], now: number): Point {
  const how = '"ringward backup drill" restores the newest backup into a scratch folder and counts.';
  if (drill === null) return open(`No backup was ever restored on trial: ${how}`);
  if (!drill.isSame) return open(`The drill of ${toIso(drill.at)} missed something: ${how}`);
  if (now - drill.at > DRILL_EVERY_MS) return open(`The last drill is of ${toIso(drill.at)}: ${how}`);
  return ok(`The drill of ${toIso(drill.at)} restored everything.`);
}

export function retention({ config: { retention: kept } }: Grounds): Point {
  if (kept.days === 0) return open("Personal data is kept until it is deleted by hand. Set retention.days.");
  return ok(`Personal data of finished calls and appointments is erased after ${kept.days} days.`);
}

export function recordings({ config }: Grounds): Point {
  const { mode, keep_days: keepDays } = config.recordings;
  if (mode === "off") return notApplicable("Nothing is recorded (recordings.mode).");
  if (keepDays > 0) return ok(`Recordings are removed after ${keepDays} days.`);
  if (config.retention.days > 0) return ok(`Recordings go with their call, after ${config.retention.days} days.`);
  return open("Recordings are kept as long as their call, and that is not limited. Set recordings.keep_days.");
}
