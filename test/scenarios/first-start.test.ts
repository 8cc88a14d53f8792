// A start without --demo: the setup code, the first owner from the settings, and invalid settings.
import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jsonOf } from "../support/appliance.ts";
import {
  freePort,
  leaveNothingBehind,
  runBinary,
  startBinary,
  tempFolder,
  type Running,
  type StartOptions,
} from "../support/binary.ts";
import { storedRows } from "../support/stored-rows.ts";

leaveNothingBehind();

const started: Running[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.kill();
});

async function start(options: StartOptions): Promise<Running> {
  const server = await startBinary(options);
  started.push(server);
  return server;
}

describe("without --demo", () => {
  test("an empty appliance prints a one-time setup code, a new one at each start, and creates no organisation", async () => {
    const first = await start({ demo: false });
    const code = setupCodeIn(first.output());
    expect(await jsonOf(first.dataDir, "orgs", "list")).toEqual([]);
    expect(existsSync(join(first.dataDir, "demo.json"))).toBe(false);
    expect(await first.stop()).toBe(0);
    // The stored value must not allow a setup: the code itself appears nowhere in the folder.
    for (const name of readdirSync(first.dataDir)) {
      expect(readFileSync(join(first.dataDir, name)).includes(code)).toBe(false);
    }
    const second = await start({ demo: false, dataDir: first.dataDir });
    expect(setupCodeIn(second.output())).not.toBe(code);
  });

  test("settings for the first owner create the organisation and the owner, once", async () => {
    const passwordFile = join(tempFolder(), "password");
    writeFileSync(passwordFile, "a long enough password\n");
    const env = {
      RINGWARD_SETUP__ORGANISATION: "St. Mary",
      RINGWARD_SETUP__OWNER_EMAIL: "Owner@Hospital.example",
      RINGWARD_SETUP__OWNER_PASSWORD_FILE: passwordFile,
      RINGWARD_SETUP__TIME_ZONE: "America/New_York",
    };
    const first = await start({ demo: false, env });
    expect(first.output()).not.toContain("setup code");
    expect(first.output()).not.toContain("a long enough password");
    expect(await first.stop()).toBe(0);
    const second = await start({ demo: false, env, dataDir: first.dataDir });

    expect(await jsonOf(second.dataDir, "orgs", "list")).toMatchObject([
      { name: "St. Mary", time_zone: "America/New_York", plan: "base" },
    ]);
    const people = await runBinary(["people", "list", "--json", "--data", second.dataDir]);
    expect(JSON.parse(people.stdout)).toMatchObject([{ email: "owner@hospital.example", role: "owner" }]);
    // Checked against the stored hash: the file's newline must not be part of the password.
    const [person] = storedRows<{ password_hash: string }>(second.dataDir, "SELECT password_hash FROM people");
    expect(await Bun.password.verify("a long enough password", person!.password_hash)).toBe(true);
  });

  test("a missing password file stops the start with a message that names it", async () => {
    const { code, stderr } = await runBinary(["serve", "--data", tempFolder(), "--port", String(await freePort())], {
      env: {
        RINGWARD_SETUP__ORGANISATION: "St. Mary",
        RINGWARD_SETUP__OWNER_EMAIL: "owner@hospital.example",
        RINGWARD_SETUP__OWNER_PASSWORD_FILE: "/nonexistent/password",
      },
    });
    expect(code).toBe(1);
    expect(stderr).toContain("/nonexistent/password");
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe("invalid settings", () => {
  test("stop the start with exit code 3 and report every error at once", async () => {
    const dataDir = join(tempFolder(), "never-made");
    const { code, stderr } = await runBinary(["serve", "--data", dataDir], {
      env: {
        RINGWARD_SERVER__PROT: "9000",
        RINGWARD_NOT_A_SECTION: "1",
        RINGWARD_SERVER__REQUEST_TIMEOUT_SECONDS: "soon",
        RINGWARD_LOG__LEVEL: "loud",
        RINGWARD_PLANS__BASE__API_KEYS: "-1",
        RINGWARD_SERVER__TLS_CERT_FILE: "/etc/cert.pem",
        RINGWARD_SECURITY__ROOT_KEY: "not-thirty-two-bytes",
      },
    });
    expect(code).toBe(3);
    expect(stderr).toStartWith("The configuration has 7 faults:");
    for (const named of [
      "RINGWARD_SERVER__PROT",
      "RINGWARD_NOT_A_SECTION",
      "server.request_timeout_seconds",
      "log.level",
      "plans.base.api_keys",
      "server.tls_cert_file",
      "security.root_key",
    ]) {
      expect(stderr).toContain(named);
    }
    expect(stderr).not.toContain("not-thirty-two-bytes");
    expect(existsSync(dataDir)).toBe(false);
  });

  test("in a file are reported with the names used in the file", async () => {
    const folder = tempFolder();
    const file = join(folder, "ringward.toml");
    writeFileSync(file, '[server]\nport = "many"\ncolour = "blue"\n');
    const wrongKeys = await runBinary(["serve", "--config", file, "--data", join(folder, "data")]);
    expect(wrongKeys.code).toBe(3);
    expect(wrongKeys.stderr).toContain("server.port: must be");
    expect(wrongKeys.stderr).toContain("server.colour: no such key.");
    const noFile = await runBinary(["serve", "--config", join(folder, "other.toml"), "--data", join(folder, "data")]);
    expect(noFile).toMatchObject({ code: 3, stderr: expect.stringContaining("other.toml: cannot be read") });
  });

  test("an unknown argument is exit code 2", async () => {
    expect((await runBinary(["serve", "--prot", "1"])).code).toBe(2);
    expect((await runBinary(["serve", "--port", "many"])).code).toBe(2);
  });
});

function setupCodeIn(output: string): string {
  const [, code = ""] = /one-time setup code is\s+(\S{20,})/.exec(output) ?? [];
  expect(code).not.toBe("");
  return code;
}
