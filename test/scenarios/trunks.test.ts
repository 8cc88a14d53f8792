// Trunks and recordings on the command line, and the doctor's checks of them.
import { describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { appliance, jsonOf, on } from "../support/appliance.ts";
import { freePort, leaveNothingBehind, runBinary, tempFolder } from "../support/binary.ts";
import { onlySqlite } from "../support/engines.ts";

leaveNothingBehind();

const SECRET = "tr0ub4dor-and-3";
const NUMBER = "+15555550100";
const fileWith = (bytes: string | Uint8Array, name = "file") => {
  const file = join(tempFolder(), name);
  writeFileSync(file, bytes);
  return file;
};
const inDatabase = (dataDir: string, sql: string) => {
  const db = new Database(join(dataDir, "ringward.db"));
  db.run(sql);
  db.close();
};

describe("trunks", () => {
  test("on this machine are rejected with the setting to change, unless the settings allow them", async () => {
    const dataDir = await appliance();
    const add = (name: string, env: Record<string, string>) =>
      runBinary(["trunks", "add", "--name", name, "--host", "127.0.0.1", "--data", dataDir], { env });
    const closed = await add("closed", { RINGWARD_TELEPHONY__SIP__ALLOW_LOCAL: "" });
    expect(closed).toMatchObject({ code: 1, stderr: expect.stringContaining("telephony.sip.allow_local") });
    expect((await add("open", { RINGWARD_TELEPHONY__SIP__ALLOW_LOCAL: "127.0.0.1" })).code).toBe(0);
    const odd = await add("odd", { RINGWARD_TELEPHONY__SIP__ALLOW_LOCAL: "224.0.0.1" });
    expect(odd.code).not.toBe(0);
    expect(odd.stderr).toContain('telephony.sip.allow_local: "224.0.0.1" opens nothing.');
  });

  test("are added, changed, given numbers and removed; the secret is nowhere on disk or screen", async () => {
    const dataDir = await appliance();
    const account = ["--username", "ward", "--register", "yes", "--secret-file", "-"];
    const added = await runBinary(
      ["trunks", "add", "--name", "Main line", "--host", "pbx.example", "--data", dataDir, "--json"].concat(account, [
        "--prefixes",
        "+91,+44",
        "--lines",
        "30",
      ]),
      { stdin: `${SECRET}\n` },
    );
    expect(added).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(added.stdout)).toMatchObject({
      name: "Main line",
      has_secret: true,
      register: true,
      concurrent_calls: 30,
      allowed_prefixes: ["+91", "+44"],
    });
    expect((await on(dataDir, "numbers", "add", "--number", NUMBER, "--trunk", "Main line")).code).toBe(0);
    expect(
      await jsonOf(
        dataDir,
        "trunks",
        "change",
        "Main line",
        "--port",
        "5070",
        "--name",
        "main",
        "--symmetric-rtp",
        "yes",
      ),
    ).toMatchObject({
      symmetric_rtp: true,
      port: 5070,
      has_secret: true,
      numbers: [NUMBER],
    });
    const listed = await on(dataDir, "trunks", "list");
    expect(listed.stdout).toMatch(/main +udp:pbx\.example:5070 +not seen yet +\+15555550100 +dashboard/);
    expect((await on(dataDir, "numbers", "list")).stdout).toMatch(/\+15555550100 +none +10 +main/);
    expect(await on(dataDir, "trunks", "remove", "main")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Put it on another trunk first"),
    });
    expect(await jsonOf(dataDir, "trunks", "capture", "main", "15")).toMatchObject({
      capture_until: expect.any(String),
    });
    for (const name of readdirSync(dataDir)) expect(readFileSync(join(dataDir, name)).includes(SECRET)).toBe(false);
    expect(JSON.stringify([added, listed, await jsonOf(dataDir, "trunks", "list")])).not.toContain(SECRET);

    expect((await on(dataDir, "numbers", "trunk", NUMBER, "none")).code).toBe(0);
    expect((await on(dataDir, "trunks", "change", "main", "--secret-file", "none")).code).toBe(0);
    expect(await jsonOf(dataDir, "trunks", "list")).toMatchObject([{ has_secret: false, numbers: [] }]);
    expect((await on(dataDir, "trunks", "remove", "main")).code).toBe(0);
    expect(await jsonOf(dataDir, "trunks", "list")).toEqual([]);
  });

  test("with invalid arguments are rejected with the allowed values, and a secret is never an argument", async () => {
    const dataDir = await appliance();
    const add = (...args: string[]) => on(dataDir, "trunks", "add", "--name", "main", ...args);
    expect(await add("--host", "sip:pbx", "--port", "99999")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/host must be a host name.*port must be/s),
    });
    expect(await add()).toMatchObject({ code: 2, stderr: expect.stringContaining("--host") });
    expect(await add("--host", "a", "--register", "perhaps")).toMatchObject({ code: 2 });
    expect(await add("--host", "a", "--secret", SECRET)).toMatchObject({ code: 2 });
    expect(await add("--host", "a", "--username", "u", "--secret-file", "/nowhere/s")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("/nowhere/s"),
    });
    expect(await on(dataDir, "trunks", "change", "lost")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("trunks list"),
    });
  });
});

describe("recordings", () => {
  test("are set, listed, exported as played, and removed", async () => {
    const dataDir = await appliance();
    const made = await jsonOf(dataDir, "agents", "create", "--name", "Asha", "--transfer-to", "+912212345678");
    const { agent_id } = made as { agent_id: string };
    expect(made).toMatchObject({ transfer_to: "+912212345678" });
    const wav = Buffer.alloc(44 + 16_000);
    wav.write("RIFF", 0);
    wav.writeUInt32LE(wav.length - 8, 4);
    wav.write("WAVEfmt ", 8);
    for (const [at, value] of [
      [16, 16],
      [24, 8_000],
      [28, 16_000],
      [40, 16_000],
    ] as const)
      wav.writeUInt32LE(value, at);
    for (const [at, value] of [
      [20, 1],
      [22, 1],
      [32, 2],
      [34, 16],
    ] as const)
      wav.writeUInt16LE(value, at);
    wav.write("data", 36);
    const file = fileWith(wav, "hello.wav");
    expect(await jsonOf(dataDir, "words", "set", agent_id, "greeting", file)).toMatchObject({
      kind: "greeting",
      file_name: "hello.wav",
      seconds: 1,
    });
    expect((await on(dataDir, "words", "list", agent_id)).stdout).toMatch(/greeting +1\.0 +hello\.wav/);
    const copy = join(tempFolder(), "copy.wav");
    expect((await on(dataDir, "words", "export", agent_id, "greeting", copy)).code).toBe(0);
    expect(readFileSync(copy).equals(wav)).toBe(true);
    expect(await on(dataDir, "words", "set", agent_id, "greeting", fileWith("no WAV"))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("not a WAV"),
    });
    expect(await on(dataDir, "words", "set", agent_id, "greeting", "/nowhere.wav")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("/nowhere.wav cannot be read"),
    });
    expect((await on(dataDir, "words", "remove", agent_id, "greeting")).code).toBe(0);
    expect(await jsonOf(dataDir, "words", "list", agent_id)).toEqual([]);
  });

  test("accept their former name, which no help shows", async () => {
    const dataDir = await appliance();
    const { agent_id } = (await jsonOf(dataDir, "agents", "create", "--name", "Asha")) as { agent_id: string };
    expect(await jsonOf(dataDir, "prompts", "list", agent_id)).toEqual([]);
    expect(await on(dataDir, "prompts", "remove", agent_id, "greeting")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no recording for greeting"),
    });
    for (const asked of [["--help"], ["prompts", "--help"], ["words", "--help"], ["prompts", "set", "--help"]]) {
      const { code, stdout } = await runBinary(asked);
      expect(code).toBe(0);
      expect(stdout).toContain("words set");
      expect(stdout).not.toContain("prompts");
    }
  });
});

describe("doctor", () => {
  async function examine(dataDir: string, env: Record<string, string> = {}) {
    const { code, stdout, stderr } = await runBinary(["doctor", "--quick", "--json", "--data", dataDir], {
      env: {
        RINGWARD_SERVER__PORT: String(await freePort()),
        RINGWARD_TELEPHONY__CARRIER: "sip",
        RINGWARD_TELEPHONY__SIP__PORT: "0",
        ...env,
      },
    });
    expect(stderr).toBe("");
    const findings = JSON.parse(stdout) as { check: string; state: string; message: string }[];
    const of = (check: string) => {
      const found = findings.find((finding) => finding.check === check);
      return found && `${found.state}: ${found.message}`;
    };
    return { code, of };
  }

  async function withTrunk(): Promise<string> {
    const dataDir = await appliance();
    await jsonOf(dataDir, "trunks", "add", "--name", "main", "--host", "pbx.example");
    return dataDir;
  }

  const seen = (state: string, error: string | null, ageSeconds: number) =>
    `INSERT OR REPLACE INTO trunk_states SELECT id, '${state}', 1, 12.4, ${error === null ? "NULL" : `'${error}'`}, NULL, 0,
     '192.0.2.1:5060', ${Date.now() - ageSeconds * 1_000} FROM trunks`;

  test("warns when trunks exist but the simulator is active, and is content without trunks", async () => {
    const simulator = { RINGWARD_TELEPHONY__CARRIER: "simulator" };
    expect((await examine(await withTrunk(), simulator)).of("carrier")).toContain("warn: There is a trunk, but");
    expect((await examine(await appliance(), simulator)).of("carrier")).toStartWith("ok: The simulator");
  });

  test("warns when SIP has no trunk, or a number has none", async () => {
    const bare = await appliance();
    expect((await examine(bare)).of("trunks")).toContain("warn: There is none");
    const waiting = await examine(bare, { RINGWARD_TRUNKS__MAIN__HOST: "pbx.example" });
    expect(waiting.of("trunks")).toContain("next start");
    const dataDir = await withTrunk();
    await on(dataDir, "numbers", "add", "--number", NUMBER);
    expect((await examine(dataDir)).of("numbers")).toContain(NUMBER);
    await on(dataDir, "numbers", "trunk", NUMBER, "main");
    expect((await examine(dataDir)).of("numbers")).toBeUndefined();
    await on(dataDir, "trunks", "change", "main", "--enabled", "no");
    const off = await examine(dataDir);
    expect([off.of("trunk main"), off.of("numbers")]).toEqual(["ok: Switched off.", expect.stringContaining(NUMBER)]);
  });

  onlySqlite("the states are written into the file")(
    "tells of each trunk how it is, its last error, its round trip and how old that is",
    async () => {
      const dataDir = await withTrunk();
      expect((await examine(dataDir)).of("trunk main")).toContain("warn: Not checked yet");
      inDatabase(dataDir, seen("up", null, 5));
      const well = await examine(dataDir);
      expect([well.code, well.of("trunk main")]).toEqual([
        0,
        expect.stringMatching(/^ok: up, round trip 12 ms, registered, 192\.0\.2\.1:5060, seen \d+ s ago\.$/),
      ]);
      expect((await on(dataDir, "trunks", "list")).stdout).toMatch(/ up, registered +12 ms +dashboard\n$/);
      inDatabase(dataDir, seen("up", null, 5));
      inDatabase(dataDir, `UPDATE trunk_states SET resting_until = ${Date.now() + 60_000}`);
      expect((await examine(dataDir)).of("trunk main")).toStartWith("warn: up, round trip 12 ms, registered, rests");
      inDatabase(dataDir, seen("down", "Nobody answers. Check the address.", 5));
      const listed = (await on(dataDir, "trunks", "list")).stdout;
      expect(listed).toMatch(/ down, registered .*\nmain: Nobody answers\. Check the address\.\n$/);
      const down = await examine(dataDir);
      expect([down.code, down.of("trunk main")]).toEqual([
        1,
        expect.stringMatching(/^FAIL: down.*Check the address\.$/),
      ]);
      inDatabase(dataDir, seen("down", null, 3_600));
      const old = await examine(dataDir);
      expect([old.code, old.of("trunk main")]).toEqual([0, expect.stringMatching(/^warn: down.*seen 60 min ago/)]);
    },
  );

  onlySqlite("the PostgreSQL of the tests is none to keep data in, as the doctor says")(
    "fails where another program has the SIP port",
    async () => {
      const other = createServer().listen(0, "127.0.0.1");
      await new Promise((listening) => other.once("listening", listening));
      const { port } = other.address() as { port: number };
      const at = { RINGWARD_TELEPHONY__SIP__ADDRESS: "127.0.0.1", RINGWARD_TELEPHONY__SIP__PORT: String(port) };
      const taken = await examine(tempFolder(), at);
      expect([taken.code, taken.of("sip port")]).toEqual([1, expect.stringContaining("cannot be listened on")]);
      await new Promise((closed) => other.close(closed));
      const free = await examine(tempFolder(), at);
      expect([free.code, free.of("sip port")]).toEqual([0, expect.stringContaining("is free (UDP and TCP)")]);
    },
  );
});
