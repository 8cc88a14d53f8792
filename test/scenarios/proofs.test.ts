// Proof of a call on the running appliance: downloaded, verified offline by the command and by the page's code, kept
// when the call is erased. Nothing personal is in a proof, a head, an export or the log.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash, createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSecretBox } from "../../src/core/secret-box.ts";
import type { ProofRecord } from "../../src/rules/proof/record.ts";
import { ask, expectError } from "../support/api-client.ts";
import { freePort, leaveNothingBehind, runBinary, startBinary, tempFolder, type Running } from "../support/binary.ts";
import {
  command,
  commandJson,
  finished,
  organisationId,
  place,
  placeAndFinish,
  QUICK,
  startQuick,
} from "../support/calls.ts";
import { isOnPostgres, onlySqlite } from "../support/engines.ts";
import { isRoot } from "../support/sandbox.ts";
import { storedCount, storedRows } from "../support/stored-rows.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(120_000);
leaveNothingBehind();

const NAME = "Zorquinalda";
const NUMBER = "+15553470100";
const EMAIL = "zorquinalda@example.test";
const VISIT = "Klomprexia";
const SENTINELS = [NAME, NUMBER, NUMBER.slice(1), NUMBER.slice(2), EMAIL, VISIT];
const PASSWORD = "correct horse battery";

/** Without network where that is possible, in a folder of its own, without a data folder. */
const verify = (...args: string[]) =>
  runBinary(["proof", "verify", ...args], { cwd: tempFolder(), wrapper: isRoot ? ["unshare", "--net"] : [] });

function fileWith(text: string): string {
  const file = join(tempFolder(), "proofs.jsonl");
  writeFileSync(file, text);
  return file;
}

async function proofOf(server: Running, callId: string): Promise<string> {
  let text = "";
  const isSealed = async () => {
    const answer = await ask(server, "GET", `/v1/calls/${callId}/proof`);
    text = answer.text;
    return answer.status === 200;
  };
  await until(isSealed, { what: () => text });
  return text;
}

const keysOf = async (server: Running) => (await ask(server, "GET", "/v1/proofs/key")).text;

describe("a call and its proof", () => {
  let server: Running;
  let callId: string;
  let proof: string;
  let keys: string;
  beforeAll(async () => {
    server = await startQuick({ RINGWARD_LOG__LEVEL: "debug" });
    const more = { user_email: EMAIL, additional_info: { visit: VISIT } };
    ({ call_id: callId } = await placeAndFinish(server, { user_name: NAME, user_number: NUMBER, ...more }));
    await placeAndFinish(server);
    proof = await proofOf(server, callId);
    keys = fileWith(await keysOf(server));
  });
  afterAll(() => server.kill());

  test("is verified offline by the command, in another folder", async () => {
    const { sequence } = (JSON.parse(proof) as { record: ProofRecord }).record.chain;
    expect(await verify(fileWith(proof), "--key", keys)).toEqual({
      code: 0,
      stdout: `Valid: 1 proof, the last is record ${sequence}.\n`,
      stderr: "",
    });
  });

  test("is verified by the code that the page shows", async () => {
    const page = await (await fetch(`${server.url}/docs/verify-proofs`)).text();
    const code = await (await fetch(`${server.url}/docs/verify-proofs/verify.js`)).text();
    expect(page).toContain(code);
    const file = join(tempFolder(), "verify.mjs");
    writeFileSync(file, `${code}\nexport { verifyProofs };`);
    const { verifyProofs } = (await import(file)) as {
      verifyProofs: (
        proofs: string,
        keys: string[],
        head: string | null,
      ) => Promise<{ count: number; calls: string[] }>;
    };
    const known = (await keysOf(server)).match(/\b[0-9a-f]{64}\b/g) ?? [];
    expect(await verifyProofs(proof, known, null)).toMatchObject({ count: 1, calls: [callId] });
    const changed = proof.replace('"state":"completed"', '"state":"failed"');
    expect(changed).not.toBe(proof);
    await expect(verifyProofs(changed, known, null)).rejects.toThrow("does not match its hash");
  });

  test("is of its organisation alone", async () => {
    const { organisation_id } = await commandJson<{ organisation_id: string }>(server, "orgs", "create", "--name", "B");
    const args = ["keys", "create", "--name", "B", "--scopes", "calls:read", "--org", organisation_id];
    const made = await commandJson<{ key: string }>(server, ...args);
    expectError(await ask(server, "GET", `/v1/calls/${callId}/proof`, made), 404, "NOT_FOUND");
    expectError(await ask(server, "GET", "/v1/proofs/head", made), 404, "NOT_FOUND");
    expect((await ask(server, "GET", "/v1/proofs", made)).text).toBe("");
    expectError(await ask(server, "GET", `/v1/calls/${callId}/proof`, { key: null }), 401, "UNAUTHORIZED");
  });

  test("may be read by the lowest role", async () => {
    const email = "viewer@hospital.example";
    const args = ["people", "create", "--email", email, "--name", "Viewer", "--role", "viewer"];
    const org = ["--org", await organisationId(server)];
    const made = await runBinary([...args, ...org, "--data", server.dataDir], { stdin: `${PASSWORD}\n` });
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const headers = { "content-type": "application/json", "x-ringward-dashboard": "1" };
    const body = JSON.stringify({ email, password: PASSWORD });
    const login = await fetch(`${server.url}/dashboard/api/login`, { method: "POST", headers, body });
    expect(login.status).toBe(200);
    const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
    const read = (path: string) => fetch(`${server.url}/dashboard/api/calls/${path}`, { headers: { cookie } });
    expect(await (await read(`${callId}/proof.json`)).text()).toBe(proof);
    expect(await (await read(`${callId}/proof`)).json()).toMatchObject({ state: "sealed", record: { call: callId } });
    expect((await read("call_unknown/proof.json")).status).toBe(404);
    expect((await fetch(`${server.url}/dashboard/api/calls/${callId}/proof`)).status).toBe(401);
  });

  test("export, head and key are printed by commands, and verify together", async () => {
    const file = fileWith(await command(server, "proof", "export"));
    const head = fileWith(await command(server, "proof", "head"));
    const key = fileWith(await command(server, "proof", "key"));
    const count = storedCount(server.dataDir, "proofs");
    expect(await verify(file, "--key", key, "--head", head)).toEqual({
      code: 0,
      stdout: `Valid: ${count} proofs, the last is record ${count}.\n`,
      stderr: "",
    });
    // The organisation's own head is over its own export.
    const own = fileWith((await ask(server, "GET", "/v1/proofs")).text);
    const ownHead = fileWith((await ask(server, "GET", "/v1/proofs/head")).text);
    expect(await verify(own, "--key", key, "--head", ownHead)).toMatchObject({ code: 0, stderr: "" });
    const cut = fileWith(
      readFileSync(file, "utf8")
        .split("\n")
        .slice(0, count - 1)
        .join("\n"),
    );
    expect(await verify(cut, "--key", key, "--head", head)).toEqual({
      code: 1,
      stdout: "",
      stderr: `Not valid: Record ${count}, which the head names, is missing: records were cut off at the end.\n`,
    });
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await command(server, "proof", "export", "--from", later)).toBe("");
    expect(await command(server, "proof", "export", "--to", later)).toBe(readFileSync(file, "utf8"));
  });

  test("nothing personal is in proof, export, head, keys, the log and the tables of proofs", async () => {
    const call = await finished(server, callId);
    const said = (call.call_transcript ?? []).map(({ text }) => text).join(" ");
    // The names are really in the call, so a proof with words of the call would have them.
    expect(said).toContain(NAME);
    const sentences = (call.call_transcript ?? []).map(({ text }) => text).filter((text) => text.length > 12);
    const texts = {
      proof,
      export: await command(server, "proof", "export"),
      own: (await ask(server, "GET", "/v1/proofs")).text,
      head: await command(server, "proof", "head"),
      ownHead: (await ask(server, "GET", "/v1/proofs/head")).text,
      keys: await keysOf(server),
      log: server.output(),
      rows: JSON.stringify([
        storedRows(server.dataDir, "SELECT * FROM proofs"),
        storedRows(server.dataDir, "SELECT * FROM unsealed_proofs"),
      ]),
    };
    for (const [where, text] of Object.entries(texts)) {
      expect([where, text.length > 0]).toEqual([where, true]);
      const found = [...SENTINELS, ...sentences].filter((word) => text.includes(word));
      expect([where, found]).toEqual([where, []]);
    }
    expect(texts.log).toContain(callId);
  });

  test("the number's hash is found by trying numbers with the root key, and not with anything public", () => {
    const { record } = JSON.parse(proof) as { record: ProofRecord };
    const organisation = record.organisation.id;
    const rootKey = Buffer.from(readFileSync(join(server.dataDir, "secret.key"), "utf8").trim(), "base64");
    const derived = createSecretBox(rootKey).deriveKey("proof-numbers");
    const known = ["", organisation, record.call, record.key, record.agent.id, proof, "proof-numbers"];
    const publicKeys = [...known, Buffer.from(record.key, "hex"), createHash("sha256").update(record.key).digest()];
    /** Every number of the exchange, with what could be hashed. */
    const found = (keys: readonly (string | Uint8Array)[]) => {
      const hits: string[] = [];
      for (let last = 0; last < 10_000; last++) {
        const number = `+1555347${String(last).padStart(4, "0")}`;
        const text = `${organisation}\n${number}`;
        for (const key of keys) {
          const hashes = [createHmac("sha256", key).update(text), createHmac("sha256", key).update(number)];
          if (hashes.some((hash) => hash.digest("hex") === record.number_hmac)) hits.push(number);
        }
        const plain = [number, number.slice(1), text].map((each) => createHash("sha256").update(each).digest("hex"));
        if (plain.includes(record.number_hmac)) hits.push(number);
      }
      return hits;
    };
    expect(found([derived])).toEqual([NUMBER]);
    expect(found(publicKeys)).toEqual([]);
  });

  test("stays when the call is erased, and still verifies", async () => {
    expect((await ask(server, "DELETE", `/v1/calls/${callId}`)).status).toBe(200);
    expectError(await ask(server, "GET", `/v1/calls/${callId}`), 404, "NOT_FOUND");
    const kept = await proofOf(server, callId);
    expect(kept).toBe(proof);
    expect(await verify(fileWith(kept), "--key", keys)).toMatchObject({ code: 0, stderr: "" });
    expect((await ask(server, "GET", "/v1/proofs")).text).toContain(proof);
  });
});

onlySqlite("a backup is one of SQLite's file")(
  "a restored backup has the same proofs, and continues their chain",
  async () => {
    const server = await startQuick();
    await proofOf(server, (await placeAndFinish(server)).call_id);
    const file = join(tempFolder(), "backup.tar");
    const before = await command(server, "proof", "export");
    expect((await runBinary(["backup", file, "--data", server.dataDir])).code).toBe(0);
    // Lost with the restore.
    await proofOf(server, (await placeAndFinish(server)).call_id);
    const head = fileWith(await command(server, "proof", "head"));
    expect(await server.stop()).toBe(0);
    expect((await runBinary(["restore", file, "--data", server.dataDir])).code).toBe(0);
    expect(await command(server, "proof", "export")).toBe(before);

    const again = await startQuick({}, { dataDir: server.dataDir });
    const keys = fileWith(await keysOf(again));
    const proof = await proofOf(again, (await placeAndFinish(again)).call_id);
    const after = await command(again, "proof", "export");
    expect(after).toBe(before + proof);
    expect(await verify(fileWith(after), "--key", keys)).toMatchObject({ code: 0, stderr: "" });
    // The head from before the restore shows that the chain was set back.
    expect(await verify(fileWith(after), "--key", keys, "--head", head)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not the one that the head names"),
    });
    await again.stop();
  },
);

/** How many calls end while the process is killed. */
const CALLS = 30;
const KILLS = isOnPostgres ? 2 : 3;

test("a process killed while it seals loses no proof and seals none twice", async () => {
  const dataDir = tempFolder();
  const port = await freePort();
  const env = { ...QUICK, RINGWARD_TELEPHONY__SIMULATOR__SPEED: "1000", RINGWARD_LOG__LEVEL: "warn" };
  let server = await startBinary({ dataDir, port, env });
  const calls: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    calls.push(...(await Promise.all(Array.from({ length: CALLS }, () => place(server)))));
    const sealed = storedCount(dataDir, "proofs");
    // In the middle: some of these calls are sealed, and others wait.
    await until(() => storedCount(dataDir, "proofs") > sealed, { everyMs: 1 });
    await server.kill();
    server = await startBinary({ dataDir, port, env });
  }
  for (const id of calls) await finished(server, id);
  await until(() => storedCount(dataDir, "unsealed_proofs") === 0);
  const lines = await command(server, "proof", "export");
  const proven = lines
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { record: ProofRecord }).record.call);
  expect(proven.toSorted()).toEqual(calls.toSorted());
  const keys = fileWith(await keysOf(server));
  const head = fileWith(await command(server, "proof", "head"));
  expect(await verify(fileWith(lines), "--key", keys, "--head", head)).toMatchObject({ code: 0, stderr: "" });
  await server.stop();
});
