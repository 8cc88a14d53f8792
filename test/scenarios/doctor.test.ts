// The doctor command: it reports problems before they cause trouble.
import { describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { appliance, on } from "../support/appliance.ts";
import { placeAndFinish, startQuick } from "../support/calls.ts";
import { freePort, leaveNothingBehind, runBinary, startBinary, tempFolder } from "../support/binary.ts";
import { AS_NOBODY, isRoot } from "../support/sandbox.ts";
import { storedCount } from "../support/stored-rows.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

describe("doctor", () => {
  const examine = async (dataDir: string, env: Record<string, string> = {}, wrapper: string[] = []) => {
    const port = env["RINGWARD_SERVER__PORT"] ?? String(await freePort());
    const options = { env: { RINGWARD_SERVER__PORT: port, ...env }, wrapper };
    const { code, stdout, stderr } = await runBinary(["doctor", "--json", "--data", dataDir], options);
    expect(stderr).toBe("");
    const findings = JSON.parse(stdout) as { check: string; state: string; message: string }[];
    return { code, failing: findings.filter(({ state }) => state === "FAIL"), findings };
  };
  const inDatabase = (dataDir: string, sql: string) => {
    const db = new Database(join(dataDir, "ringward.db"));
    db.run(sql);
    db.close();
  };

  test("finds nothing wrong before the first start, on a set-up appliance, and beside a running server", async () => {
    expect(await examine(join(tempFolder(), "new"))).toMatchObject({ code: 0, failing: [] });
    const dataDir = await appliance();
    expect(await examine(dataDir)).toMatchObject({ code: 0, failing: [] });
    const server = await startBinary();
    expect(await examine(server.dataDir, { RINGWARD_SERVER__PORT: String(server.port) })).toMatchObject({
      code: 0,
      failing: [],
    });
    await server.kill();
    const forPeople = await on(dataDir, "doctor");
    expect(forPeople.stdout).toMatch(/^ok +database +Sound, schema \d+\.$/m);
  });

  test("creates no folder and changes no file (SQLite leaves its empty WAL beside a database that was read)", async () => {
    const missing = join(tempFolder(), "new");
    await examine(missing);
    expect(existsSync(missing)).toBe(false);
    const dataDir = await appliance();
    const contents = () =>
      readdirSync(dataDir)
        .filter((name) => !/-(wal|shm)$/.test(name))
        .map((name) => [name, readFileSync(join(dataDir, name), "base64")]);
    const before = contents();
    await examine(dataDir);
    expect(contents()).toEqual(before);
    const walFile = join(dataDir, "ringward.db-wal");
    expect(existsSync(walFile) ? statSync(walFile).size : 0).toBe(0);
  });

  test("fails on invalid settings, naming them", async () => {
    const { code, failing } = await examine(tempFolder(), { RINGWARD_LOG__LEVEL: "loud" });
    expect(code).toBe(1);
    expect(failing).toMatchObject([{ check: "settings", message: expect.stringContaining("log.level") }]);
  });

  test("fails on a database that is damaged, foreign or of a newer Ringward", async () => {
    const random = tempFolder();
    writeFileSync(join(random, "ringward.db"), crypto.getRandomValues(new Uint8Array(50_000)));
    const foreign = tempFolder();
    inDatabase(foreign, "CREATE TABLE shopping (item TEXT)");
    const newer = await appliance();
    inDatabase(newer, "PRAGMA user_version = 9999");
    // A file of random bytes is like an encrypted one whose keys are missing.
    const expected = new Map([
      [random, ["database", "secret key"]],
      [foreign, ["database"]],
      [newer, ["database"]],
    ]);
    for (const [dataDir, checks] of expected) {
      const { code, failing } = await examine(dataDir);
      expect([code, failing.map(({ check }) => check)]).toEqual([1, checks]);
    }
  });

  test("fails on a clock that is behind the latest time in the database", async () => {
    const dataDir = await appliance();
    inDatabase(dataDir, "UPDATE audit_entries SET at = at + 3600000");
    expect(await examine(dataDir)).toMatchObject({ code: 1, failing: [{ check: "clock" }] });
  });

  test("warns of a clock that jumped, until a person confirms it", async () => {
    const dataDir = await appliance();
    const now = Date.now();
    const rows = [
      ["clock", now - 40 * 86_400_000],
      ["clock doubted", now - 60_000],
      ["clock doubted since", now - 3_660_000],
    ];
    for (const [name, at] of rows) inDatabase(dataDir, `INSERT INTO heartbeats VALUES ('${name}', ${at})`);
    const { code, findings } = await examine(dataDir);
    expect(code).toBe(0);
    expect(findings.find(({ check }) => check === "clock")).toMatchObject({
      state: "warn",
      message: expect.stringContaining(
        "40 days more than expected. No call goes out and nothing is erased by age until it has been steady for another 23 hours.",
      ),
    });
    expect((await on(dataDir, "clock", "confirm")).stdout).toStartWith("Confirmed: it is 2");
    expect((await examine(dataDir)).findings.find(({ check }) => check === "clock")?.state).toBe("ok");
  });

  test("warns when the limit of open files is too low, and so does the server's log", async () => {
    const few = ["sh", "-c", 'ulimit -n 64 && exec "$0" "$@"'];
    const { code, findings } = await examine(await appliance(), {}, few);
    expect(code).toBe(0);
    expect(findings.find(({ check }) => check === "open files")).toMatchObject({
      state: "warn",
      message: expect.stringContaining("64 at once, but the settings may need 320."),
    });
    const server = await startBinary({ wrapper: few });
    const warned = () => server.output().includes("The limit of open files is too low");
    await until(warned, { what: () => server.output() });
    // Beside a server, the server's limit counts.
    const beside = await examine(server.dataDir, { RINGWARD_SERVER__PORT: String(server.port) });
    expect(beside.findings.find(({ check }) => check === "open files")?.message).toStartWith("64 at once");
    await server.kill();
  });

  test("fails on a full disk", async () => {
    expect(await examine(await appliance(), { RINGWARD_DATA__MIN_FREE_MB: "999999999" })).toMatchObject({
      code: 1,
      failing: [{ check: "data folder" }],
    });
  });

  test("fails on a port in use by another program", async () => {
    const other = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await new Promise((listening) => other.once("listening", listening));
    const { port } = other.address() as { port: number };
    expect(await examine(tempFolder(), { RINGWARD_SERVER__PORT: String(port) })).toMatchObject({
      code: 1,
      failing: [{ check: "port" }],
    });
    other.close();
  });

  test("fails on a data folder that this user cannot write", async () => {
    const dataDir = join(tempFolder(), "data");
    mkdirSync(dataDir, { mode: 0o500 });
    chmodSync(join(dataDir, ".."), 0o755);
    expect(await examine(dataDir, {}, isRoot ? AS_NOBODY : [])).toMatchObject({
      code: 1,
      failing: [{ check: "data folder" }],
    });
  });

  test("warns of files that others can read, without failing", async () => {
    const dataDir = await appliance();
    chmodSync(join(dataDir, "secret.key"), 0o644);
    const { code, findings } = await examine(dataDir);
    expect(code).toBe(0);
    expect(findings).toContainEqual(expect.objectContaining({ check: "secret key", state: "warn" }));
  });

  test("checks the proofs of calls: chain, key, sealing and the published head", async () => {
    const headFile = join(tempFolder(), "head.json");
    const env = { RINGWARD_PROOFS__HEAD_FILE: headFile };
    const server = await startQuick(env);
    const { dataDir } = server;
    const proofsOf = async (more: Record<string, string> = {}) => {
      const { findings } = await examine(dataDir, { ...env, RINGWARD_SERVER__PORT: String(server.port), ...more });
      return findings.find(({ check }) => check === "proofs")!;
    };
    expect(await proofsOf()).toMatchObject({
      state: "ok",
      message: expect.stringMatching(/^None yet\. Their head is in /),
    });
    for (let calls = 1; calls <= 2; calls++) {
      await placeAndFinish(server);
      await until(() => storedCount(dataDir, "proofs") === calls);
    }
    expect(await proofsOf()).toEqual({
      check: "proofs",
      state: "ok",
      message: `2 in the chain, all verified. Their head is in ${headFile}: copy it elsewhere.`,
    });
    expect((await proofsOf({ RINGWARD_PROOFS__HEAD_FILE: "" })).message).toContain("not written to a file");

    const dayAgo = Date.now() - 27 * 3_600_000;
    inDatabase(dataDir, `INSERT INTO unsealed_proofs (call_id, ended_at, facts) VALUES ('call_x', ${dayAgo}, '')`);
    expect(await proofsOf()).toMatchObject({
      state: "warn",
      message: expect.stringMatching(/^1 ended call waits for a signature since 2\S+: \/readyz and the log say why\.$/),
    });
    await server.kill();
    expect(await proofsOf()).toMatchObject({
      state: "ok",
      message: expect.stringContaining("1 wait for their signature."),
    });
    inDatabase(dataDir, "DELETE FROM unsealed_proofs");

    // Written by the daily job; a record that was sealed more than a day ago must be covered by it.
    inDatabase(dataDir, `UPDATE proofs SET sealed_at = ${dayAgo}`);
    expect(await proofsOf()).toMatchObject({ state: "warn", message: expect.stringContaining("has no head") });
    writeFileSync(headFile, "no head");
    expect(await proofsOf()).toMatchObject({
      state: "warn",
      message: expect.stringContaining("not a head of this appliance"),
    });
    const head = await on(dataDir, "proof", "head");
    writeFileSync(headFile, head.stdout);
    expect((await proofsOf()).state).toBe("ok");
    inDatabase(
      dataDir,
      `UPDATE proofs SET line = replace(line, '"simulated":true', '"simulated":false') WHERE sequence = 2`,
    );
    expect(await proofsOf()).toMatchObject({
      state: "FAIL",
      message: expect.stringMatching(/^Record 2 is not valid\. Its content does not match its hash\. Keep a copy of /),
    });
    inDatabase(dataDir, "DELETE FROM proofs WHERE sequence = 2");
    expect(await proofsOf()).toMatchObject({
      state: "warn",
      message: expect.stringContaining("names record 2, which is not in the chain"),
    });
  }, 180_000);

  test("fails on a secret key that does not open the signing key, and no command replaces it", async () => {
    const dataDir = await appliance();
    const published = await on(dataDir, "proof", "key");
    expect(published.stdout).toMatch(/"public_key": "[0-9a-f]{64}"/);
    const file = join(dataDir, "secret.key");
    const key = readFileSync(file, "utf8");
    writeFileSync(file, Buffer.alloc(32, 9).toString("base64"));
    expect((await examine(dataDir)).failing).toEqual([
      {
        check: "secret key",
        state: "FAIL",
        message: expect.stringContaining("is not the one that sealed the key that signs proofs of calls."),
      },
      {
        check: "proofs",
        state: "FAIL",
        message: expect.stringMatching(
          /^The secret key does not open the key that signs proofs\. Put the right one back/,
        ),
      },
    ]);
    expect(await on(dataDir, "proof", "head")).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('"ringward key accept"'),
    });
    writeFileSync(file, key);
    expect(await on(dataDir, "proof", "key")).toEqual(published);
    expect(await examine(dataDir)).toMatchObject({ code: 0, failing: [] });
    expect(await on(dataDir, "proof", "head")).toMatchObject({ code: 1, stderr: "There is no proof yet.\n" });
  });
});
