// A person who is erased is gone from every older backup: twenty backups over time, each restored after the erasure.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, tempFolder, type Running } from "../support/binary.ts";
import { filesHolding } from "../support/byte-scan.ts";
import { placeAndFinish, startQuick } from "../support/calls.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const BACKUPS = 20;
const KEY = Buffer.alloc(32, 9).toString("base64");
const ERASED = { user_name: "Kamala Sentinel", user_number: "+919810012341" };
const OTHER = { user_name: "Ravi Sentinel", user_number: "+919810012342" };
const WORDS = [ERASED, OTHER].flatMap((person) => Object.values(person));

let server: Running;
let place: string;
let env: Record<string, string>;
const calls: string[] = [];

beforeAll(async () => {
  place = tempFolder();
  env = { RINGWARD_SECURITY__ROOT_KEY: KEY, RINGWARD_SECURITY__ENCRYPT: "false", RINGWARD_BACKUP__TO: place };
  env["RINGWARD_BACKUP__KEEP"] = "30";
  server = await startQuick(env);
});
afterAll(() => server.kill());

const command = (dataDir: string, ...args: string[]) => runBinary([...args, "--data", dataDir], { env });
const backups = () => readdirSync(place).filter((name) => name.endsWith(".backup"));
const keyFile = () => join(place, readdirSync(place).find((name) => name.endsWith(".person-keys")) ?? "none");

test("twenty backups restored after an erasure show nothing of the person, and everyone else", async () => {
  for (const person of [ERASED, OTHER]) {
    const call = await placeAndFinish(server, person);
    calls.push(call.call_id);
  }
  for (let made = 0; made < BACKUPS; made++) {
    expect(await command(server.dataDir, "backup", "now")).toMatchObject({ code: 0 });
    expect(backups()).toHaveLength(made + 1);
  }
  const before = await Bun.file(keyFile()).text();
  expect((await ask(server, "DELETE", `/v1/calls/${calls[0]}`)).status).toBe(200);
  // The person's last record: the key goes with it, and soon from the file beside the backups.
  await until(async () => (await Bun.file(keyFile()).text()) !== before);
  for (const [index, name] of backups().entries()) {
    // On another machine: the key file beside the backups is the only one.
    const fresh = tempFolder();
    const restored = await command(fresh, "restore", join(place, name));
    expect([index, restored.code]).toEqual([index, 0]);
    // The person, and the call.
    expect(restored.stdout).toContain("Not restored: 2 people and calls");
    const found = filesHolding(fresh, WORDS);
    expect(Object.keys(found).toSorted()).toEqual(Object.values(OTHER).toSorted());
  }
}, 1_200_000);

test("without the key file a restore elsewhere is refused, and with it by name it is not", async () => {
  const fresh = tempFolder();
  const aside = join(tempFolder(), "keys");
  renameSync(keyFile(), aside);
  const file = join(place, backups()[0] ?? "");
  const refused = await command(fresh, "restore", file);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--person-keys FILE") });
  expect(readdirSync(fresh).filter((name) => name.startsWith("ringward.db"))).toEqual([]);
  expect(await command(fresh, "restore", file, "--person-keys", aside)).toMatchObject({ code: 0 });
}, 120_000);
