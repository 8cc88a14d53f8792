// The list of `ringward doctor --security`: each point is ok where it is met, and open with advice where it is not.
import { afterAll, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { POINTS } from "../../../src/cli/hardening/hardening-points.ts";
import { IDLE_AFTER_MS } from "../../../src/cli/hardening/people-points.ts";
import type { Grounds, StoredFacts } from "../../../src/cli/hardening/point.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/clock.ts";
import { createPrivateCa } from "../../support/private-ca.ts";
import { tempFolder } from "../../support/temp.ts";

const NOW = Date.parse("2026-11-19T10:00:00Z");
const SERVER_UID = 998;
const PUBLIC = { RINGWARD_BASE_URL: "https://calls.hospital.example" };
const PROXY = { ...PUBLIC, RINGWARD_SERVER__CLIENT_ADDRESS_HEADER: "x-forwarded-for" };
const SIP = { RINGWARD_TELEPHONY__CARRIER: "sip" };
const MAIL = {
  RINGWARD_BASE_URL: "https://calls.hospital.example",
  RINGWARD_MAIL__HOST: "mail.hospital.example",
  RINGWARD_MAIL__FROM: "ringward@hospital.example",
  RINGWARD_MAIL__ALARMS_TO: "it@hospital.example",
};

const STORED: StoredFacts = {
  organisations: [
    { id: "org_1", secondFactorRoles: ["owner"], seal: { sealedAt: NOW, usedAt: null, acknowledgedAt: null } },
  ],
  accounts: [
    {
      id: "per_1",
      organisationId: "org_1",
      role: "owner",
      directory: null,
      isEmergency: false,
      hasSecondFactor: true,
      isIdle: false,
    },
  ],
  keys: [{ id: "key_1", expiresAt: NOW + DAY_MS, lastUsedAt: NOW - DAY_MS }],
  plainEndpoints: [],
  alarmEndpoints: 0,
  trunks: [{ id: "trk_1", hasTls: true, needsSrtp: true }],
};
const [OWNER] = STORED.accounts;
const [ORGANISATION] = STORED.organisations;

/** What one case changes; by default everything is closed and nothing runs. */
interface Case {
  env?: Record<string, string>;
  stored?: Partial<StoredFacts> | null;
  /** Mode and owner by path. */
  files?: Record<string, { mode: number; uid?: number }>;
  texts?: Record<string, string>;
  configFile?: string;
  isServed?: boolean;
  /** Files of the data folder. */
  data?: Record<string, string>;
  now?: number;
}

function groundsOf({ env = {}, stored = {}, files = {}, texts = {}, isServed = false, ...rest }: Case): Grounds {
  const dir = env["RINGWARD_DATA__DIR"] ?? tempFolder();
  for (const [name, text] of Object.entries(rest.data ?? {})) writeFileSync(join(dir, name), text);
  const config = loadConfig({ environment: { RINGWARD_DATA__DIR: dir, ...env } });
  const known = { [dir]: { mode: 0o700 }, ...files };
  return {
    config,
    configFile: rest.configFile ?? null,
    now: rest.now ?? NOW,
    serverPid: isServed ? 77 : null,
    stored: stored === null ? null : { ...STORED, ...stored },
    statOf(path) {
      const found = known[path] ?? known[path.replace(`${dir}/`, "DATA/")];
      return found ? { uid: SERVER_UID, ...found } : null;
    },
    textOf: (path) => texts[path] ?? null,
  };
}

const examine = async (name: string, given: Case) => {
  const point = POINTS[name];
  if (!point) throw new Error(`There is no point ${name}.`);
  return point(groundsOf(given));
};

const backupState = (change: object) => ({
  data: {
    "backups.json": JSON.stringify({
      owner: "abcdef012345",
      since: NOW - 30 * DAY_MS,
      lastGood: { name: "b", where: "/b", madeAt: NOW - HOUR_MS, bytes: 1 },
      failures: 0,
      failedAt: null,
      lastDrill: { name: "b", at: NOW - DAY_MS, isSame: true },
      ...change,
    }),
  },
  env: { RINGWARD_BACKUP__EVERY: "24h", RINGWARD_BACKUP__TO: "/mnt/backups" },
});

const status = (change: Record<string, string> = {}) => ({
  isServed: true,
  texts: {
    "/proc/77/status": Object.entries({
      Name: "ringward",
      Uid: "998\t998\t998\t998",
      CapEff: "0000000000000000",
      NoNewPrivs: "1",
      Seccomp: "2",
      ...change,
    })
      .map(([name, value]) => `${name}:\t${value}\n`)
      .join(""),
  },
});

const pair = createPrivateCa().issue(["calls.hospital.example"]);
function certificate(daysLeft: number, mode = 0o600): Case {
  const folder = tempFolder();
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  writeFileSync(cert, pair.certPem);
  writeFileSync(key, pair.keyPem);
  return {
    env: { RINGWARD_SERVER__TLS_CERT_FILE: cert, RINGWARD_SERVER__TLS_KEY_FILE: key },
    files: { [key]: { mode } },
    now: Date.parse(new X509Certificate(pair.certPem).validTo) - daysLeft * DAY_MS,
  };
}

function keyFileOutside(): Record<string, string> {
  const file = join(tempFolder(), "key");
  writeFileSync(file, Buffer.alloc(32, 7).toString("base64"));
  return { RINGWARD_SECURITY__KEY_FILE: file };
}

function dropFolder(mode: number): Case {
  const root = tempFolder();
  chmodSync(root, mode);
  return { env: { RINGWARD_FOLDERS__ROOT: root } };
}

const oidc = (port: number): Case => ({
  env: {
    ...PUBLIC,
    RINGWARD_SIGN_IN__OIDC__ISSUER: `http://127.0.0.1:${port}`,
    RINGWARD_SIGN_IN__OIDC__CLIENT_ID: "ringward",
    RINGWARD_SIGN_IN__OIDC__GROUPS: '[{"group":"g","role":"owner"}]',
  },
});
const provider = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch({ url }) {
    const issuer = new URL(url).origin;
    const endpoints = { authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t`, jwks_uri: `${issuer}/j` };
    const grants = {
      grant_types_supported: ["authorization_code", "refresh_token"],
      response_types_supported: ["code"],
    };
    return Response.json({ issuer, ...endpoints, ...grants, scopes_supported: ["openid", "offline_access"] });
  },
});
const provided = Number(provider.port);
afterAll(() => provider.stop(true));

const KEY_SET = keyFileOutside();
const KEY_SET_FILE = KEY_SET["RINGWARD_SECURITY__KEY_FILE"] ?? "";
const TOKEN_FILE = join(tempFolder(), "token");
writeFileSync(TOKEN_FILE, "a-token-of-some-length");
const METRICS = { RINGWARD_METRICS__TOKEN_FILE: TOKEN_FILE };
const OPEN_HOST = { RINGWARD_SERVER__HOST: "0.0.0.0" };
const POSTGRES = "postgres://ringward@db.hospital.example/ringward";
const account = (change: object) => ({ accounts: [{ ...OWNER!, ...change }] });
const organisation = (change: object) => ({ organisations: [{ ...ORGANISATION!, ...change }] });
const seal = (change: object) =>
  organisation({ seal: { sealedAt: null, usedAt: null, acknowledgedAt: null, ...change } });
const key = (change: object) => ({ keys: [{ ...STORED.keys[0]!, ...change }] });
const trunk = (change: object): Case => ({ env: SIP, stored: { trunks: [{ ...STORED.trunks[0]!, ...change }] } });
const LIMITS = { RINGWARD_AUDIT__KEEP_DAYS: "400" };
const SWAPS = "Filename\tType\tSize\tUsed\tPriority\n";

/** Point → cases that meet it, that leave it open with a part of the message, and to which it does not apply. */
const CASES: Record<string, { ok: Case[]; open: [Case, string][]; other?: Case[] }> = {
  "encryption at rest": {
    ok: [],
    open: [
      [{}, 'run "ringward encrypt --yes"'],
      [{ env: KEY_SET }, "ringward encrypt"],
      [{ data: { "data-keys": "{}" } }, "."],
    ],
  },
  "key file": {
    ok: [
      { files: { "DATA/secret.key": { mode: 0o600 } } },
      { env: KEY_SET, files: { [KEY_SET_FILE]: { mode: 0o640, uid: 0 } } },
      { env: { RINGWARD_SECURITY__KEY_COMMAND: "/bin/true" } },
      { env: { RINGWARD_SECURITY__ROOT_KEY: Buffer.alloc(32, 1).toString("base64") } },
    ],
    open: [
      [{ files: { "DATA/secret.key": { mode: 0o644 } } }, "chmod 600"],
      [{ env: KEY_SET, files: { [KEY_SET_FILE]: { mode: 0o640 } } }, "chmod 600"],
      [{ env: KEY_SET, files: { [KEY_SET_FILE]: { mode: 0o600, uid: 1000 } } }, "belongs to user 1000"],
    ],
    other: [{}],
  },
  "files of secrets": {
    ok: [{ env: METRICS, files: { [TOKEN_FILE]: { mode: 0o600 } } }, certificate(90)],
    open: [
      [{ env: METRICS, files: { [TOKEN_FILE]: { mode: 0o604 } } }, "metrics.token_file"],
      [certificate(90, 0o644), "server.tls_key_file"],
    ],
    other: [{}],
  },
  "data folder": {
    ok: [{}],
    open: [[{ env: { RINGWARD_DATA__DIR: "/d" }, files: { "/d": { mode: 0o750 } } }, "chmod 700"]],
  },
  "settings file": {
    ok: [{ configFile: "/etc/r.toml", files: { "/etc/r.toml": { mode: 0o640, uid: 0 } } }],
    open: [
      [{ configFile: "/etc/r.toml", files: { "/etc/r.toml": { mode: 0o644 } } }, "chmod 640"],
      [{ configFile: "/etc/r.toml", files: { "/etc/r.toml": { mode: 0o660 } } }, "chmod 640"],
    ],
    other: [{}],
  },
  "drop folder": { ok: [dropFolder(0o770)], open: [[dropFolder(0o777), "chmod o-rwx"]], other: [{}] },
  tls: {
    ok: [certificate(90), { env: PROXY }],
    open: [
      [{ env: OPEN_HOST }, "travel in clear"],
      [{ env: PUBLIC }, "server.client_address_header"],
      [{ env: { RINGWARD_BASE_URL: "http://calls.hospital.example" } }, "in clear"],
    ],
    other: [{}],
  },
  certificates: {
    ok: [certificate(15)],
    open: [
      [certificate(13), "expires at"],
      [certificate(-1), "expired at"],
    ],
    other: [{}],
  },
  listening: {
    ok: [{}, { env: OPEN_HOST, files: { "/.dockerenv": { mode: 0o755 } } }],
    open: [
      [{ env: OPEN_HOST }, "127.0.0.1"],
      [{ env: { RINGWARD_HL7__PORT: "2575", RINGWARD_HL7__ALLOW: "10.0.0.1" } }, "hl7.tls_cert_file"],
    ],
  },
  "database connection": {
    ok: [
      { env: { RINGWARD_DATABASE__URL: POSTGRES } },
      { env: { RINGWARD_DATABASE__URL: "postgres://r@localhost/r", RINGWARD_DATABASE__TLS: "off" } },
      { env: { RINGWARD_DATABASE__URL: "postgres://r@/r?host=/run/postgresql", RINGWARD_DATABASE__TLS: "off" } },
    ],
    open: [[{ env: { RINGWARD_DATABASE__URL: POSTGRES, RINGWARD_DATABASE__TLS: "off" } }, "database.tls"]],
    other: [{}],
  },
  metrics: { ok: [{}, { env: { ...OPEN_HOST, ...METRICS } }], open: [[{ env: OPEN_HOST }, "metrics.token"]] },
  "webhook endpoints": {
    ok: [{}],
    open: [[{ stored: { plainEndpoints: ["end_1"] } }, "end_1"]],
    other: [{ stored: null }],
  },
  trunks: {
    ok: [trunk({})],
    open: [
      [trunk({ hasTls: false, needsSrtp: false }), "without TLS"],
      [trunk({ needsSrtp: false }), 'srtp = "required"'],
    ],
    other: [{}, { env: SIP, stored: { trunks: [] } }, { stored: null }],
  },
  "second factor": {
    ok: [{}, { stored: { accounts: [OWNER!, { ...OWNER!, isEmergency: true, hasSecondFactor: false }] } }],
    open: [
      [{ stored: account({ role: "staff" }) }, "not demanded of staff (1 account)"],
      [{ stored: account({ hasSecondFactor: false }) }, "without one yet: per_1"],
      [{ stored: account({ hasSecondFactor: false, directory: "ldap" }) }, "per_1"],
    ],
    other: [
      { stored: null },
      {
        env: { ...PUBLIC, RINGWARD_SIGN_IN__LDAP__TRUST_SECOND_FACTOR: "true" },
        stored: account({ directory: "ldap", hasSecondFactor: false }),
      },
    ],
  },
  "emergency account": {
    ok: [{}, { stored: seal({ sealedAt: NOW, usedAt: NOW - DAY_MS, acknowledgedAt: NOW }) }],
    open: [
      [{ stored: organisation({ seal: null }) }, "break-glass seal"],
      [{ stored: seal({}) }, "not sealed"],
      [{ stored: seal({ usedAt: NOW }) }, "2026-11-19T10:00:00.000Z, and not acknowledged"],
    ],
    other: [{ stored: null }, { stored: { organisations: [] } }],
  },
  "idle accounts": {
    ok: [{}, { stored: account({ isIdle: true, isEmergency: true }) }],
    open: [[{ stored: account({ isIdle: true }) }, "1 enabled account without a sign-in for 90 days: per_1"]],
    other: [{ stored: null }],
  },
  "api keys": {
    ok: [{}],
    open: [
      [{ stored: key({ expiresAt: null }) }, "without an expiry: key_1"],
      [{ stored: key({ lastUsedAt: NOW - IDLE_AFTER_MS - 1 }) }, "unused for 90 days: key_1"],
    ],
    other: [{ stored: null }, { stored: { keys: [] } }],
  },
  directories: { ok: [oidc(provided)], open: [[oidc(1), "Local accounts still sign in"]], other: [{}] },
  "audit trail": { ok: [{}], open: [] },
  "audit limits": {
    ok: [{ env: { ...LIMITS, RINGWARD_AUDIT__EXPORT_TO: "/mnt/audit" } }],
    open: [
      [{}, "audit.keep_days"],
      [{ env: LIMITS }, "audit.export_to"],
    ],
  },
  "syslog stream": {
    ok: [
      { env: { RINGWARD_SYSLOG__ADDRESS: "tls://siem.hospital.example:6514" } },
      { env: { RINGWARD_SYSLOG__ADDRESS: "tcp://127.0.0.1:601" } },
    ],
    open: [
      [{}, "syslog.address"],
      [{ env: { RINGWARD_SYSLOG__ADDRESS: "tcp://siem.hospital.example:601" } }, "in clear"],
      [{ env: { RINGWARD_SYSLOG__ADDRESS: "tls://s:6514", RINGWARD_AUDIT__SYSLOG: "false" } }, "syslog.address"],
    ],
  },
  alarms: {
    ok: [{ env: MAIL }, { env: MAIL, stored: null }, { stored: { alarmEndpoints: 1 } }],
    open: [
      [{}, "mail.alarms_to"],
      [{ env: { RINGWARD_SYSLOG__ADDRESS: "tls://s:6514" } }, "They go to syslog"],
    ],
    other: [{ stored: null }],
  },
  backups: {
    ok: [backupState({})],
    open: [
      [{}, "backup.every"],
      [backupState({ lastGood: null }), "ringward backup now"],
      [backupState({ failures: 2, failedAt: NOW }), "2 failed"],
      [backupState({ lastGood: { name: "b", where: "/b", madeAt: NOW - 2 * DAY_MS, bytes: 1 } }), "too old"],
    ],
    other: [{ env: { RINGWARD_DATABASE__URL: POSTGRES } }],
  },
  "restore drill": {
    ok: [backupState({})],
    open: [
      [{}, "ringward backup drill"],
      [backupState({ lastDrill: { name: "b", at: NOW, isSame: false } }), "missed something"],
      [backupState({ lastDrill: { name: "b", at: NOW - 181 * DAY_MS, isSame: true } }), "last drill is of"],
    ],
    other: [{ env: { RINGWARD_DATABASE__URL: POSTGRES } }],
  },
  retention: { ok: [{ env: { RINGWARD_RETENTION__DAYS: "400" } }], open: [[{}, "retention.days"]] },
  recordings: {
    ok: [{ env: { RINGWARD_RECORDINGS__KEEP_DAYS: "30" } }, { env: { RINGWARD_RETENTION__DAYS: "400" } }],
    open: [[{}, "recordings.keep_days"]],
    other: [{ env: { RINGWARD_RECORDINGS__MODE: "off" } }],
  },
  "legal rules": {
    ok: [{}],
    open: [[{ env: { ...SIP, RINGWARD_RULES__ENFORCE: "false" } }, "rules.enforce"]],
    other: [{ env: { RINGWARD_RULES__ENFORCE: "false" } }],
  },
  demo: {
    ok: [{}],
    open: [
      [{ files: { "DATA/demo.json": { mode: 0o600 } }, env: PUBLIC }, "empty folder"],
      [{ files: { "DATA/demo.json": { mode: 0o600 } }, env: SIP }, "empty folder"],
    ],
    other: [{ files: { "DATA/demo.json": { mode: 0o600 } } }],
  },
  clock: { ok: [{}], open: [] },
  "not root": { ok: [status()], open: [[status({ Uid: "998\t0\t0\t0" }), "as root"]], other: [{}] },
  sandbox: {
    ok: [status()],
    open: [
      [status({ NoNewPrivs: "0" }), "NoNewPrivileges"],
      [status({ Seccomp: "0" }), "seccomp"],
      [status({ CapEff: "000001ffffffffff" }), "no capabilities"],
    ],
    other: [{}],
  },
  swap: {
    ok: [
      { texts: { "/proc/swaps": SWAPS } },
      { texts: { "/proc/swaps": `${SWAPS}/dev/zram0 partition 1 0 100\n` } },
      {
        texts: { "/proc/swaps": `${SWAPS}/dev/dm-1 partition 1 0 -2\n`, "/sys/block/dm-1/dm/uuid": "CRYPT-PLAIN-swap" },
      },
    ],
    open: [
      [{ texts: { "/proc/swaps": `${SWAPS}/swapfile file 1 0 -2\n` } }, "/swapfile is not encrypted"],
      [{ texts: { "/proc/swaps": `${SWAPS}/dev/dm-1 partition 1 0 -2\n` } }, "/dev/dm-1"],
    ],
    other: [{}],
  },
  "core dumps": {
    ok: [{ isServed: true, texts: { "/proc/77/limits": "Max core file size        0     unlimited  bytes\n" } }],
    open: [
      [{ isServed: true, texts: { "/proc/77/limits": "Max core file size    unlimited  unlimited\n" } }, "LimitCORE"],
    ],
    other: [{}],
  },
};

/** Their other states need a database, or a machine whose clock is wrong; the tests of the plain doctor have those. */
const OPENED_ELSEWHERE = ["audit trail", "clock"];
/** Needs keys in the data folder; test/scenarios/doctor-security.test.ts has it. */
const MET_ELSEWHERE = ["encryption at rest"];

test("every point has cases that meet it and that leave it open", () => {
  expect(Object.keys(CASES)).toEqual(Object.keys(POINTS));
  const lacks = (state: "ok" | "open") => Object.keys(CASES).filter((name) => CASES[name]![state].length === 0);
  expect(lacks("ok")).toEqual(MET_ELSEWHERE);
  expect(lacks("open")).toEqual(OPENED_ELSEWHERE);
});

describe.each(Object.entries(CASES))("%s", (name, { ok, open, other = [] }) => {
  test("is ok, open with what to do, or not applicable", async () => {
    for (const given of ok) expect([given, await examine(name, given)]).toMatchObject([given, { state: "ok" }]);
    for (const [given, advice] of open) {
      const { state, message } = await examine(name, given);
      expect([given, state]).toEqual([given, "open"]);
      expect(message).toContain(advice);
    }
    for (const given of other) expect([given, await examine(name, given)]).toMatchObject([given, { state: "n/a" }]);
  });
});

test("the handbook has every point, in this order", () => {
  const page = readFileSync(join(import.meta.dir, "../../../src/handbook/security-and-privacy.md"), "utf8");
  const [, section = ""] = page.split("\n## Hardening\n");
  const rows = [...section.split("\n## ")[0]!.matchAll(/^\| `([a-z ]+)` +\|/gm)].map(([, name]) => name);
  expect(rows).toEqual(Object.keys(POINTS));
});
