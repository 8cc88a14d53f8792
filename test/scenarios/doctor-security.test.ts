// ringward doctor --security on the executable: what is open on a new appliance, what is ok on a closed one, and
// neither secrets nor names in its output.
import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PASSWORD } from "../support/appliance.ts";
import { leaveNothingBehind, runBinary, startBinary, tempFolder } from "../support/binary.ts";
import { isOnPostgres } from "../support/engines.ts";

leaveNothingBehind();

interface Found {
  check: string;
  state: string;
  message: string;
}

const KEY = Buffer.alloc(32, 5).toString("base64");
const TOKEN = "a-token-of-some-length";

/** A file that only its owner can read. */
function secretFile(name: string, text: string): string {
  const file = join(tempFolder(), name);
  writeFileSync(file, text);
  chmodSync(file, 0o600);
  return file;
}

async function examine(dataDir: string, env: Record<string, string>, ...more: string[]) {
  const run = await runBinary(["doctor", "--security", "--json", "--data", dataDir, ...more], { env });
  expect(run.stderr).toBe("");
  const found = JSON.parse(run.stdout) as Found[];
  const states = Object.fromEntries(found.map(({ check, state }) => [check, state]));
  return { code: run.code, found, states, text: run.stdout };
}

const setUp = async (dataDir: string, env: Record<string, string>) => {
  const args = ["setup", "--organisation", "St. Mary", "--email", "asha@hospital.example", "--name", "Asha Rao"];
  expect(await runBinary([...args, "--data", dataDir], { env, stdin: `${PASSWORD}\n` })).toMatchObject({ code: 0 });
};

test("a new appliance: what is open is said with what to do, and no file is made", async () => {
  const missing = join(tempFolder(), "new");
  const before = await examine(missing, {});
  expect(before.code).toBe(1);
  expect(before.states).toMatchObject({ "encryption at rest": "open", "key file": "n/a", "second factor": "n/a" });
  const dataDir = join(tempFolder(), "data");
  await setUp(dataDir, {});
  const { code, states, found, text } = await examine(dataDir, {});
  expect(code).toBe(1);
  expect(states).toMatchObject({
    "key file": "ok",
    "data folder": "ok",
    "second factor": "open",
    "emergency account": "open",
    "idle accounts": "ok",
    "api keys": "n/a",
    "audit trail": "ok",
    alarms: "open",
    sandbox: "n/a",
  });
  for (const { state, message } of found)
    if (state === "open") expect(message).toMatch(/[a-z_]+\.[a-z_]+|"ringward |Settings|→/);
  expect(text).not.toContain("Asha");
  expect(text).not.toContain("asha@");
  expect(text).not.toContain("St. Mary");
  const forPeople = await runBinary(["doctor", "--security", "--data", dataDir]);
  expect(forPeople.stdout).toMatch(/^open +second factor +It is not demanded of owner \(1 account\)\. /m);
  expect(forPeople.code).toBe(1);
});

test("a closed appliance with a running server: its points are ok", async () => {
  const env: Record<string, string> = {
    RINGWARD_SECURITY__KEY_FILE: secretFile("key", KEY),
    RINGWARD_METRICS__TOKEN_FILE: secretFile("token", TOKEN),
    RINGWARD_RETENTION__DAYS: "400",
    RINGWARD_AUDIT__KEEP_DAYS: "400",
    RINGWARD_AUDIT__EXPORT_TO: tempFolder(),
    RINGWARD_SYSLOG__ADDRESS: "tls://siem.hospital.example:6514",
  };
  const server = await startBinary({ env });
  const settings = join(tempFolder(), "ringward.toml");
  writeFileSync(settings, "");
  chmodSync(settings, 0o640);
  try {
    const seal = await runBinary(["break-glass", "seal", "--data", server.dataDir], { env });
    expect(seal.code).toBe(0);
    const { states, text } = await examine(server.dataDir, env, "--config", settings);
    expect(states).toMatchObject({
      // The PostgreSQL of the tests comes with its tables, so this is no new installation there.
      "encryption at rest": isOnPostgres ? "open" : "ok",
      "key file": "ok",
      "files of secrets": "ok",
      "settings file": "ok",
      tls: "n/a",
      listening: "ok",
      metrics: "ok",
      "database connection": isOnPostgres ? "ok" : "n/a",
      "emergency account": "ok",
      "audit trail": "ok",
      "audit limits": "ok",
      "syslog stream": "ok",
      retention: "ok",
      recordings: "ok",
      "legal rules": "ok",
      clock: "ok",
    });
    // They tell what the test's own machine is like.
    for (const check of ["not root", "sandbox", "core dumps"]) expect(states[check]).toMatch(/^(ok|open)$/);
    const [, password = "-"] = /Password: +(\S+)/.exec(seal.stdout) ?? [];
    for (const secret of [KEY, TOKEN, password]) expect(text).not.toContain(secret);
  } finally {
    await server.kill();
  }
}, 60_000);

test("wrong settings are said as the plain doctor says them", async () => {
  const { code, found } = await examine(tempFolder(), { RINGWARD_LOG__LEVEL: "loud" });
  expect(code).toBe(1);
  expect(found).toMatchObject([{ check: "settings", state: "FAIL", message: expect.stringContaining("log.level") }]);
});
