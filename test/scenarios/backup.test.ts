// Backups are taken beside a server that writes, and restored after it has stopped.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, createCall } from "../support/api-client.ts";
import { appliance, jsonOf, on } from "../support/appliance.ts";
import { leaveNothingBehind, startBinary, tempFolder, type Running } from "../support/binary.ts";

leaveNothingBehind();

describe("backup and restore", () => {
  let server: Running;
  let folder: string;
  let backup: string;
  const before: string[] = [];
  beforeAll(async () => {
    folder = tempFolder();
    backup = join(folder, "backup.db");
    server = await startBinary({ env: { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited" } });
  });
  afterAll(() => server.kill());

  test("a backup beside a server that writes is whole, private, and holds what was acknowledged before it began", async () => {
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

    const copy = new Database(backup, { readonly: true });
    expect(copy.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    copy.close();
  });

  test("never writes over a file, and says where there is nothing to back up", async () => {
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

  test("restore refuses what is no whole Ringward database, and leaves the present one alone", async () => {
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
    copyFileSync(backup, file("newer"));
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

  test("restore brings the data back and keeps the old database beside it", async () => {
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
    expect((await on(dataDir, "restore", backup)).code).toBe(0);
    expect(await jsonOf(dataDir, "orgs", "list")).toMatchObject([{ name: "Demo Hospital" }]);
  });
});
