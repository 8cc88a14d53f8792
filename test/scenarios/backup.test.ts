// Backups are taken beside a running server and restored after it has stopped.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ask, createCall } from "../support/api-client.ts";
import { appliance, jsonOf, on } from "../support/appliance.ts";
import { BINARY, leaveNothingBehind, runBinary, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { placeAndFinish, readCall, startQuick, type Call } from "../support/calls.ts";

leaveNothingBehind();

describe("backup and restore", () => {
  let server: Running;
  let folder: string;
  let backup: string;
  const before: string[] = [];
  beforeAll(async () => {
    folder = tempFolder();
    backup = join(folder, "backup.tar");
    server = await startBinary({ env: { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited" } });
  });
  afterAll(() => server.kill());

  test("a backup beside a writing server is complete, private, and contains everything acknowledged before it started", async () => {
    for (let i = 0; i < 50; i++) before.push(await createCall(server));
    let writing = true;
    const during: string[] = [];
    const writers = Array.from({ length: 4 }, async () => {
      while (writing) during.push(await createCall(server));
    });
    const writtenBefore = during.length;
    const made = await on(server.dataDir, "backup", backup);
    const writtenDuring = during.length - writtenBefore;
    writing = false;
    await Promise.all(writers);
    console.log(`      ${writtenDuring} calls were acknowledged while the backup ran`);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining("verified") });
    expect(writtenDuring).toBeGreaterThan(0);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(existsSync(`${backup}.partial`)).toBe(false);

    const unpacked = tempFolder();
    // Any tar program opens it, so the data is accessible without Ringward.
    expect(Bun.spawnSync(["tar", "-xf", backup, "-C", unpacked]).exitCode).toBe(0);
    const copy = new Database(join(unpacked, "ringward.db"), { readonly: true });
    expect(copy.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    copy.close();
  });

  test("never overwrites a file, and reports when there is nothing to back up", async () => {
    const bytes = statSync(backup).size;
    expect(await on(server.dataDir, "backup", backup)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("exists already"),
    });
    expect(statSync(backup).size).toBe(bytes);
    expect(await on(tempFolder(), "backup", join(folder, "b.db"))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no database"),
    });
    expect(await on(server.dataDir, "backup", join(folder, "no", "such", "folder.db"))).toMatchObject({ code: 1 });
  });

  test("restore refuses a running server", async () => {
    expect(await on(server.dataDir, "restore", backup)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Stop it first"),
    });
    expect((await ask(server, "GET", `/v1/calls/${before[0]}`)).status).toBe(200);
  });

  test("verify lists the contents of a backup and detects one flipped bit", async () => {
    expect(await on(server.dataDir, "backup", "verify", backup)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/made 20.*without recordings: whole\./),
    });
    const changed = readFileSync(backup);
    changed.writeUInt8(changed.readUInt8(9_000) ^ 1, 9_000);
    const file = join(folder, "changed.tar");
    writeFileSync(file, changed);
    const { code, stdout, stderr } = await on(server.dataDir, "backup", "verify", file);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`${file} is damaged: ringward.db was changed.`);
  });

  test("restore refuses anything but a complete Ringward database, and keeps the current one", async () => {
    const dataDir = await appliance();
    const present = readFileSync(join(dataDir, "ringward.db"));
    const file = (name: string) => join(folder, name);
    writeFileSync(file("random"), crypto.getRandomValues(new Uint8Array(50_000)));
    writeFileSync(file("empty"), "");
    const whole = readFileSync(backup);
    writeFileSync(file("cut"), whole.subarray(0, whole.length - 3 * 4096));
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, 5 * 4096, whole.length - 4096);
    writeFileSync(file("damaged"), damaged);
    const foreign = new Database(file("foreign"));
    foreign.run("CREATE TABLE shopping (item TEXT)");
    foreign.close();
    // Earlier versions wrote a bare database.
    Bun.spawnSync(["tar", "-xf", backup, "-C", folder, "ringward.db"]);
    renameSync(file("ringward.db"), file("newer"));
    const newer = new Database(file("newer"));
    newer.run("PRAGMA user_version = 9999");
    newer.close();

    for (const name of ["random", "empty", "cut", "damaged", "foreign", "newer", "missing"]) {
      const { code, stderr } = await on(dataDir, "restore", file(name));
      expect([name, code]).toEqual([name, 1]);
      expect(stderr).toContain(file(name));
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    expect(readFileSync(join(dataDir, "ringward.db")).equals(present)).toBe(true);
    expect(readdirSync(dataDir).filter((name) => /incoming|before-restore/.test(name))).toEqual([]);
  });

  test("restore brings the data back and keeps the previous database beside it", async () => {
    const lost = await createCall(server);
    expect(await server.stop()).toBe(0);
    const restored = await on(server.dataDir, "restore", backup);
    expect(restored.code).toBe(0);
    const [setAside = ""] = readdirSync(server.dataDir).filter((name) => name.includes("before-restore"));
    expect(restored.stdout).toContain(setAside);
    expect(statSync(join(server.dataDir, "ringward.db")).mode & 0o777).toBe(0o600);

    server = await startBinary({
      dataDir: server.dataDir,
      env: { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited" },
    });
    for (const id of before) expect((await ask(server, "GET", `/v1/calls/${id}`)).status).toBe(200);
    expect((await ask(server, "GET", `/v1/calls/${lost}`)).status).toBe(404);
    const old = new Database(join(server.dataDir, setAside), { readonly: true });
    expect(old.query("SELECT id FROM calls WHERE id = ?").get(lost)).not.toBe(null);
    old.close();
  });

  test("restore works on an empty folder", async () => {
    const dataDir = join(tempFolder(), "new");
    const first = await on(dataDir, "restore", backup);
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(
      /secret\.key is missing, and nothing else opens the signing secrets of 1 .* "ringward key new"/,
    );
    // Neither a command nor a start creates a new key silently.
    for (const command of [
      ["orgs", "list"],
      ["serve", "--port", "0"],
    ])
      expect(await on(dataDir, ...command)).toMatchObject({ code: 6, stderr: expect.stringContaining("is missing") });
    expect(existsSync(join(dataDir, "secret.key"))).toBe(false);
    expect((await on(dataDir, "doctor")).stdout).toMatch(/^FAIL +secret key .*is missing/m);

    const second = await on(dataDir, "restore", backup, "--new-key");
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining("secret.key") });
    expect(second.stderr).toContain("Lost with the old key: the signing secrets of 1 ");
    expect(await jsonOf(dataDir, "orgs", "list")).toMatchObject([{ name: "Demo Hospital" }]);
    expect((await on(dataDir, "doctor")).stdout).toMatch(/^FAIL +secret key .*not the one that/m);
  });
});

describe("a call that was due before the restore", () => {
  test("is held with a reason until a person releases or cancels it", async () => {
    const server = await startBinary();
    const [held, later] = [await createCall(server), await createCall(server)];
    await server.stop();
    // A bare database, as written by the first versions, can be given its age by hand.
    const folder = tempFolder();
    copyFileSync(join(server.dataDir, "ringward.db"), join(folder, "ringward.db"));
    const copy = new Database(join(folder, "ringward.db"));
    copy.run("UPDATE calls SET state = 'scheduled', scheduled_at = 1, next_at = 1 WHERE id = ?", [held]);
    copy.run("UPDATE calls SET state = 'scheduled', next_at = 4000000000000 WHERE id = ?", [later]);
    copy.close();

    const restored = await on(server.dataDir, "restore", join(folder, "ringward.db"));
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Held: 1 call that was due/m) });
    const again = await startBinary({ dataDir: server.dataDir });
    expect(await readCall(again, held)).toMatchObject({
      status: "queued",
      hold_reason: "restored_from_backup",
      next_attempt_at: null,
    });
    expect(await readCall(again, later)).toMatchObject({ status: "scheduled", hold_reason: null });
    expect(await jsonOf(server.dataDir, "calls", "held")).toMatchObject({ total: 1, calls: [{ call_id: held }] });
    expect(await on(server.dataDir, "calls", "cancel")).toMatchObject({ code: 0, stdout: "Cancelled: 1.\n" });
    expect(await readCall(again, held)).toMatchObject({ status: "cancelled", hold_reason: null });
    await again.kill();
  });
});

describe("with recordings", () => {
  test("one command includes everything, under any umask, and nothing that was erased before", async () => {
    const first = await startQuick();
    const calls = [await placeAndFinish(first), await placeAndFinish(first), await placeAndFinish(first)] as const;
    const [kept, erased, simulated] = calls;
    const sound = async (at: Running, { call_id }: Call) => {
      const link = new URL((await readCall(at, call_id)).call_recording ?? "");
      return Buffer.from(await (await fetch(at.url + link.pathname + link.search)).arrayBuffer());
    };
    const [keptSound, erasedSound, simulatedSound] = [
      await sound(first, kept),
      await sound(first, erased),
      await sound(first, simulated),
    ];
    await first.stop();
    // Mark two as recorded by a carrier: those recordings cannot be regenerated.
    const database = new Database(join(first.dataDir, "ringward.db"));
    for (const { call_id } of [kept, erased]) {
      const file = "SELECT recording_file AS name FROM calls WHERE id = ?";
      const { name } = database.query<{ name: string }, [string]>(file).get(call_id)!;
      const real = name.replace(".simulated", "");
      renameSync(join(first.dataDir, "recordings", name), join(first.dataDir, "recordings", real));
      database.run("UPDATE calls SET recording_file = ? WHERE id = ?", [real, call_id]);
    }
    database.close();
    const server = await startQuick({}, { dataDir: first.dataDir });
    expect((await ask(server, "DELETE", `/v1/calls/${erased.call_id}`)).status).toBeLessThan(300);

    const backup = join(tempFolder(), "all.tar");
    const made = await runBinary(["backup", backup, "--with-recordings", "--data", server.dataDir], {
      wrapper: ["sh", "-c", 'umask 000; exec "$0" "$@"'],
    });
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining("1 recordings and captures, verified") });
    expect(made.stderr).not.toContain("not on the disk");
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(backup);
    // Sealed with the key of the person.
    expect([keptSound, erasedSound].map((sound) => bytes.indexOf(sound))).toEqual([-1, -1]);
    await server.stop();

    const dataDir = tempFolder();
    expect(await on(dataDir, "restore", backup)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("and 1 recordings and captures"),
    });
    // The key is not part of a backup; an administrator restores it by hand.
    for (const name of ["secret.key", "demo.json"]) copyFileSync(join(server.dataDir, name), join(dataDir, name));
    const again = await startBinary({ dataDir });
    expect((await sound(again, kept)).equals(keptSound)).toBe(true);
    // Not in the backup: regenerated when it is played.
    expect((await sound(again, simulated)).equals(simulatedSound)).toBe(true);
    await again.kill();
  });

  test("killed half-way, it leaves no file with the name of a backup", async () => {
    const dataDir = await appliance();
    const names = Array.from({ length: 200 }, (_, i) => `n${i}.wav`);
    mkdirSync(join(dataDir, "recordings"), { mode: 0o700 });
    for (const name of names) writeFileSync(join(dataDir, "recordings", name), Buffer.alloc(100_000, name));
    const target = join(tempFolder(), "killed.tar");
    const child = Bun.spawn([BINARY, "backup", target, "--with-recordings", "--data", dataDir], {
      stdout: "ignore",
      stderr: "pipe",
    });
    // It prints to stderr before it writes its first byte.
    await child.stderr.getReader().read();
    child.kill("SIGKILL");
    await child.exited;
    expect(existsSync(target)).toBe(false);
    expect((await on(dataDir, "restore", `${target}.partial`)).code).toBe(1);
    expect((await on(dataDir, "backup", target)).code).toBe(0);
    expect(existsSync(`${target}.partial`)).toBe(false);
  });
});
