// Backups that the executable makes by itself, on an encrypted installation: no file holds a name in clear, also after
// kills, and the secret key alone restores everything.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, leaveNothingBehind, runBinary, tempFolder, type Running } from "../support/binary.ts";
import { filesHolding } from "../support/byte-scan.ts";
import { placeAndFinish, readCall, startQuick, type Call } from "../support/calls.ts";
import { S3_ACCOUNT, startStrictS3 } from "../support/strict-s3.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const KEY = Buffer.alloc(32, 9).toString("base64");
const NAMES = ["Kamala Sentinel", "Ravi Sentinel"];
const NUMBER = "+919810055501";
const NOTE = "comes with a Sentinel walking frame";
const WORDS = [...NAMES, NUMBER, NOTE];
/** Of every recording in clear. */
const SOUND = "WAVEfmt";
const KILLS = 10;

describe("an encrypted installation", () => {
  let server: Running;
  let place: string;
  let temp: string;
  let env: Record<string, string>;
  let call: Call;

  const scanned = () => ({
    ...filesHolding(server.dataDir, [...WORDS, SOUND]),
    ...filesHolding(temp, [...WORDS, SOUND]),
    ...filesHolding(place, [...WORDS, SOUND, "SQLite format 3"]),
  });
  const recording = async (of: Call, range?: string) =>
    fetch(String(of.call_recording), range === undefined ? {} : { headers: { range } });
  const command = (dataDir: string, ...args: string[]) => runBinary([...args, "--data", dataDir], { env });
  const backups = () => readdirSync(place).filter((name) => name.endsWith(".backup"));

  beforeAll(async () => {
    [place, temp] = [tempFolder(), tempFolder()];
    env = { RINGWARD_SECURITY__ROOT_KEY: KEY, RINGWARD_BACKUP__TO: place, RINGWARD_BACKUP__KEEP: "3", TMPDIR: temp };
    server = await startQuick(env);
    const given = { user_number: NUMBER, additional_info: { note: NOTE } };
    for (const user_name of NAMES) call = await placeAndFinish(server, { user_name, ...given });
    call = await readCall(server, call.call_id);
  });
  afterAll(() => server.kill());

  test("plays its recordings, whole and in ranges, and stores none in clear", async () => {
    const whole = await (await recording(call)).bytes();
    expect(Buffer.from(whole).toString("latin1", 8, 15)).toBe(SOUND);
    for (const [from, to] of [
      [0, 0],
      [100, 9_000],
      [8_191, 8_193],
      [whole.length - 10, whole.length - 1],
    ] as const) {
      const part = await recording(call, `bytes=${from}-${to}`);
      expect(part.status).toBe(206);
      expect(part.headers.get("content-range")).toBe(`bytes ${from}-${to}/${whole.length}`);
      expect(await part.bytes()).toEqual(whole.subarray(from, to + 1));
    }
    expect((await recording(call, `bytes=${whole.length}-`)).status).toBe(416);
    expect(readdirSync(join(server.dataDir, "recordings"))).not.toEqual([]);
    expect(scanned()).toEqual({});
  }, 180_000);

  test("is backed up, drilled and restored with the secret key alone", async () => {
    // A recording that its call keeps, as a real one: simulated ones are left out of backups.
    expect(await command(server.dataDir, "backup", "now")).toMatchObject({ code: 0 });
    const drill = await command(server.dataDir, "backup", "drill");
    expect(drill).toMatchObject({ code: 0, stdout: expect.stringContaining("everything is there") });
    const list = await command(server.dataDir, "backup", "list", "--json");
    expect(JSON.parse(list.stdout)).toMatchObject({
      where: place,
      backups: [{ is_of_this_appliance: true }],
      last_drill: { is_same: true },
    });
    expect(scanned()).toEqual({});
    const fresh = tempFolder();
    const file = join(place, backups()[0] ?? "");
    const wrong = await runBinary(["restore", file, "--data", fresh], {
      env: { RINGWARD_SECURITY__ROOT_KEY: Buffer.alloc(32, 8).toString("base64") },
    });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("another secret key") });
    expect(await command(fresh, "restore", file)).toMatchObject({ code: 0 });
    expect(filesHolding(fresh, WORDS)).toEqual({});
    const restored = await startQuick(env, { dataDir: fresh, demo: false });
    restored.demo = server.demo;
    expect((await readCall(restored, call.call_id)).contact_name).toBe(call.contact_name);
    await restored.kill();
  }, 180_000);

  test("keeps every good backup through kills, and leaves nothing in clear", async () => {
    await command(server.dataDir, "backup", "now");
    for (let kill = 0; kill < KILLS; kill++) {
      const before = backups();
      const child = Bun.spawn([BINARY, "backup", "now", "--data", server.dataDir], {
        env: { PATH: process.env["PATH"] ?? "", ...env },
        stdout: "ignore",
        stderr: "pipe",
      });
      await lineOf(child.stderr, kill % 5);
      child.kill("SIGKILL");
      await child.exited;
      expect(scanned()).toEqual({});
      expect(backups().length).toBeGreaterThanOrEqual(Math.min(before.length, 2));
      for (const name of backups())
        expect(await command(server.dataDir, "backup", "verify", join(place, name))).toMatchObject({ code: 0 });
    }
    expect(await command(server.dataDir, "backup", "now")).toMatchObject({ code: 0 });
    const others = readdirSync(place).filter((name) => !name.endsWith(".backup"));
    expect(others).toEqual([expect.stringMatching(/^ringward-[0-9a-f]{16}\.person-keys$/)]);
    expect(backups().length).toBeLessThanOrEqual(3);
    expect(readdirSync(server.dataDir)).not.toContain("backup.partial");
  }, 240_000);

  test("is decrypted and encrypted again, killed on the way, and every recording plays", async () => {
    const whole = await (await recording(call)).bytes();
    await server.stop();
    const direction = async (to: "encrypt" | "decrypt") => {
      const child = Bun.spawn([BINARY, to, "--yes", "--data", server.dataDir], {
        env: { PATH: process.env["PATH"] ?? "", ...env },
        stdout: "ignore",
        stderr: "pipe",
      });
      await lineOf(child.stderr, 1);
      child.kill("SIGKILL");
      await child.exited;
      return command(server.dataDir, to, "--yes");
    };
    expect(await direction("decrypt")).toMatchObject({ code: 0 });
    expect(filesHolding(server.dataDir, [SOUND])).not.toEqual({});
    expect(await direction("encrypt")).toMatchObject({ code: 0 });
    const { demo, dataDir } = server;
    server = await startQuick(env, { dataDir });
    server.demo = demo;
    expect(scanned()).toEqual({});
    expect(await (await recording(await readCall(server, call.call_id))).bytes()).toEqual(whole);
  }, 180_000);
});

test("a server makes its backups by itself, in a bucket, and reports them", async () => {
  const s3 = startStrictS3();
  const folder = tempFolder();
  const secret = join(folder, "secret");
  writeFileSync(secret, `${S3_ACCOUNT.secret_access_key}\n`);
  mkdirSync(join(folder, "data"));
  const server = await startQuick({
    RINGWARD_BACKUP__EVERY: "1h",
    RINGWARD_BACKUP__TO: "s3://backups/hospital",
    RINGWARD_BACKUP__S3__ENDPOINT: s3.url,
    RINGWARD_BACKUP__S3__ACCESS_KEY_ID: S3_ACCOUNT.access_key_id,
    RINGWARD_BACKUP__S3__SECRET_ACCESS_KEY_FILE: secret,
  });
  try {
    const ready = async () => (await (await fetch(`${server.url}/readyz`)).json()) as { notes: Record<string, string> };
    expect((await ready()).notes["backup"]).toBe("No backup has been made yet.");
    // A server makes none in its first minute.
    await until(async () => (await ready()).notes["backup"]?.startsWith("Last verified backup: ") === true, {
      withinMs: 150_000,
    });
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/^ringward_backup_late 0$/m);
    expect(metrics).toMatch(/^ringward_backup_last_success_at_seconds [1-9]/m);
    expect([...s3.objects.keys()].filter((key) => key.endsWith(".verified"))).toHaveLength(1);
    expect(s3.refused).toEqual([]);
    expect(server.output()).not.toContain(S3_ACCOUNT.secret_access_key);
  } finally {
    await server.kill();
    s3.stop();
  }
}, 200_000);

/** Resolves at the given line, or at the end. */
async function lineOf(stream: ReadableStream<Uint8Array>, line: number): Promise<void> {
  let seen = 0;
  for await (const chunk of stream) {
    seen += chunk.filter((byte) => byte === 10).length;
    if (seen > line) return;
  }
}
