// The executable on PostgreSQL as a hospital runs it: a call is created and delivered, over a socket and over TLS, and
// the database goes away and comes back.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startPostgres, type PostgresCluster } from "../../scripts/postgres-cluster.ts";
import { EXIT } from "../../src/cli/exit-codes.ts";
import { addressOf } from "../../src/db/postgres/address.ts";
import { openWire } from "../../src/db/postgres/wire.ts";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, tempFolder, type Running } from "../support/binary.ts";
import { finished, place, startQuick, talkative } from "../support/calls.ts";
import { reservedPort } from "../support/free-ports.ts";
import { settingsFor } from "../support/postgres.ts";
import { createPrivateCa } from "../support/private-ca.ts";
import { closeReceivers, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
closeReceivers();

const PASSWORD = "a password with spaces, and 'quotes'";
const authority = createPrivateCa();
const port = reservedPort();
let cluster: PostgresCluster;
let caFile: string;
let passwordFile: string;

beforeAll(async () => {
  const { certPem, keyPem } = authority.issue(["localhost"]);
  cluster = await startPostgres({
    files: {
      "server.crt": certPem,
      "server.key": keyPem,
      "pg_hba.conf": "local all all trust\nhostssl all ringward 127.0.0.1/32 scram-sha-256\n",
    },
    port,
    settings: ["ssl = on"],
  });
  cluster.psql(`CREATE ROLE ringward LOGIN PASSWORD '${PASSWORD.replaceAll("'", "''")}'`);
  for (const name of ["socket", "tls", "moved", "newer"]) cluster.createDatabase(name);
  cluster.psql("ALTER DATABASE tls OWNER TO ringward");
  caFile = join(tempFolder(), "ca.pem");
  writeFileSync(caFile, authority.caPem);
  passwordFile = join(tempFolder(), "password");
  writeFileSync(passwordFile, `${PASSWORD}\n`);
});
afterAll(() => cluster.stop());

const overTls = (host: string, changes: Record<string, string> = {}) => ({
  RINGWARD_DATABASE__URL: `postgres://ringward@${host}:${port}/tls`,
  RINGWARD_DATABASE__TLS: "verify",
  RINGWARD_DATABASE__CA_FILE: caFile,
  RINGWARD_DATABASE__PASSWORD_FILE: passwordFile,
  ...changes,
});

test("over a socket a call is created, ends and is delivered, and nothing is stored in a file", async () => {
  const receiver = startReceiver();
  const env = { ...receiver.env, RINGWARD_DATABASE__URL: cluster.url("socket") };
  const server = await startQuick(env);
  const cli = (...args: string[]) => runBinary([...args, "--data", server.dataDir], { env });
  expect((await cli("endpoints", "create", "--url", receiver.url)).code).toBe(0);
  const id = await place(server);
  expect((await finished(server, id)).status).toBe("completed");
  const told = () =>
    receiver.received.filter(({ json }) => json.data["call_id"] === id).map(({ json }) => json.event_type);
  await until(() => told().includes("call.completed"), { what: () => told().join() });
  expect(cluster.psql(`SELECT state FROM calls WHERE id = '${id}'`, "socket")).toBe("completed");
  expect([...new Bun.Glob("ringward.db*").scanSync(server.dataDir)]).toEqual([]);
  expect(await cli("backup", join(server.dataDir, "b.tar"))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("pg_dump"),
  });
  expect((await cli("doctor", "--database")).stdout).toContain("ok");
  await leaving(server);
  await outage(server);
  await damage(server);
  expect(await server.stop()).toBe(0);
});

/** When its client disconnects, a list query is cancelled in PostgreSQL. */
async function leaving(server: Running): Promise<void> {
  const waiting = () =>
    Number(
      cluster.psql(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = 'socket' AND state = 'active' AND wait_event_type = 'Lock'",
      ),
    );
  const holder = await openWire(addressOf(settingsFor(cluster.url("socket"))), { name: "holder", isPatient: true });
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE call_results");
  const client = new AbortController();
  const left = fetch(`${server.url}/v1/calls`, {
    headers: { "x-api-key": server.demo["api_key"] ?? "" },
    signal: client.signal,
  }).catch((error: unknown) => error);
  await until(() => waiting() === 1);
  const startedMs = performance.now();
  client.abort();
  await left;
  await until(() => waiting() === 0);
  // Sooner than PostgreSQL's own lock timeout.
  expect(performance.now() - startedMs).toBeLessThan(5_000);
  await holder.query("COMMIT");
  holder.end();
}

/** The dispatcher hits the damage at the next call, and /readyz reports it. */
async function damage(server: Running): Promise<void> {
  cluster.psql("CHECKPOINT");
  const path = cluster.psql("SELECT pg_relation_filepath('do_not_disturb_pkey')", "socket");
  const file = join(cluster.folder, "data", path);
  await cluster.crash();
  writeFileSync(file, Buffer.alloc(statSync(file).size));
  await cluster.start();
  const readiness = async () =>
    (await (await fetch(`${server.url}/readyz`)).json()) as { checks: { database: string } };
  await accepted(server);
  await until(async () => (await readiness()).checks.database.startsWith("The database is damaged."));
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
}

/** Every client gets a Retry-After, and then service resumes. */
async function outage(server: Running): Promise<void> {
  await cluster.crash();
  await until(async () => (await ask(server, "GET", "/v1/calls")).status === 503);
  const refused = await ask(server, "POST", "/v1/calls", {
    body: { agent_id: server.demo["agent_id"], user_number: "+15552010100" },
  });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await cluster.start();
  await until(async () => (await fetch(`${server.url}/readyz`)).status === 200);
  expect((await finished(server, await accepted(server))).status).toBe("completed");
}

/** The id of a new call. After a refused connection, each pool waits a second before it reconnects. */
async function accepted(server: Running): Promise<string> {
  const body = { agent_id: server.demo["agent_id"], user_number: talkative() };
  let id = "";
  await until(async () => {
    const { status, data } = await ask(server, "POST", "/v1/calls", { body });
    if (status === 201) id = String(data["call_id"]);
    return status === 201;
  });
  return id;
}

describe("over TLS", () => {
  test("with the CA file and a password from a file a call is created", async () => {
    const server = await startQuick(overTls("localhost"));
    expect((await finished(server, await place(server))).status).toBe("completed");
    const ours =
      "SELECT count(*) FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE a.usename = 'ringward' AND";
    expect(Number(cluster.psql(`${ours} ssl`))).toBeGreaterThan(0);
    expect(cluster.psql(`${ours} NOT ssl`)).toBe("0");
    expect(server.output()).not.toContain(PASSWORD);
    expect(await server.stop()).toBe(0);
  });

  const refusals: [string, () => Record<string, string>, RegExp][] = [
    [
      "another authority",
      () => {
        const file = join(tempFolder(), "other.pem");
        writeFileSync(file, createPrivateCa("Another").caPem);
        return overTls("localhost", { RINGWARD_DATABASE__CA_FILE: file });
      },
      /cannot be trusted/,
    ],
    ["another name in the certificate", () => overTls("127.0.0.1"), /cannot be trusted/],
    [
      "a wrong password",
      () => {
        const file = join(tempFolder(), "wrong");
        writeFileSync(file, "wrong");
        return overTls("localhost", { RINGWARD_DATABASE__PASSWORD_FILE: file });
      },
      /does not let this user in/,
    ],
    [
      "no such database",
      () => overTls("localhost", { RINGWARD_DATABASE__URL: `postgres://ringward@localhost:${port}/nowhere` }),
      /there is no such database/,
    ],
  ];
  test.each(refusals)("%s is refused at the start with a message", async (_, env, words) => {
    const { code, stderr } = await runBinary(
      ["setup", "--organisation", "X", "--email", "a@b.example", "--data", tempFolder()],
      {
        env: env(),
        stdin: "a long enough password",
      },
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain(PASSWORD);
  });
});

test("a database of a newer version is not served, with an exit code that prevents a restart", async () => {
  const env = { RINGWARD_DATABASE__URL: cluster.url("newer") };
  const server = await startQuick(env, { demo: false });
  expect(await server.stop()).toBe(0);
  cluster.psql("INSERT INTO ringward_schema (version, name, at) VALUES (9999, 'later', 1)", "newer");
  const refused = await runBinary(["serve", "--data", server.dataDir, "--port", "0"], { env });
  expect(refused).toMatchObject({ code: EXIT.newer, stderr: expect.stringContaining("written by a newer Ringward") });
});

test("an appliance is moved there and back, and the abandoned database is not served", async () => {
  const first = await startQuick();
  const { dataDir } = first;
  const id = await place(first);
  await finished(first, id);
  await until(async () => (await ask(first, "GET", `/v1/calls/${id}/proof`)).status === 200);
  await first.stop();
  const exported = (env = {}) => runBinary(["proof", "export", "--data", dataDir], { env });
  const { stdout: proofs } = await exported();
  expect(proofs).toContain(id);
  const url = cluster.url("moved");
  const move = (to: string, env = {}) => runBinary(["move", "--to", to, "--data", dataDir], { env });
  const there = await move(url);
  expect(there.code).toBe(0);
  expect(there.stdout).toContain("Everything is in PostgreSQL");

  const old = await runBinary(["serve", "--data", dataDir, "--port", "0"]);
  expect(old).toMatchObject({ code: 1, stderr: expect.stringContaining("was moved to PostgreSQL") });
  const env = { RINGWARD_DATABASE__URL: url };
  const second = await startQuick(env, { dataDir, demo: false });
  const seen = await ask(second, "GET", `/v1/calls/${id}`, { key: first.demo["api_key"] ?? "" });
  expect(seen).toMatchObject({ status: 200, data: { status: "completed" } });
  await second.stop();
  // The chain moves with its key: byte for byte the same, and the head is signed as before.
  expect(await exported(env)).toEqual({ code: 0, stdout: proofs, stderr: "" });
  const head = await runBinary(["proof", "head", "--data", dataDir], { env });
  const [file, headFile] = [join(tempFolder(), "proofs.jsonl"), join(tempFolder(), "head.json")];
  writeFileSync(file, proofs);
  writeFileSync(headFile, head.stdout);
  const [key = ""] = /(?<="key":")[0-9a-f]{64}/.exec(proofs) ?? [];
  writeFileSync(`${file}.key`, key);
  expect(await runBinary(["proof", "verify", file, "--key", `${file}.key`, "--head", headFile])).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(await move(url, env)).toMatchObject({ code: 2, stderr: expect.stringContaining("already") });

  const folder = join(tempFolder(), "back");
  const back = await move(folder, env);
  expect(back.code).toBe(0);
  expect(back.stderr).toContain("secret.key");
  for (const table of ["calls", "proofs", "proof_keys"])
    expect(cells(back.stdout, table)).toEqual(cells(there.stdout, table));
});

/** From a table's line: row count and checksum. */
function cells(output: string, table: string): string[] {
  const line = output.split("\n").find((each) => each.startsWith(`${table} `)) ?? "";
  const found = line.split(/\s+/);
  expect(found).toHaveLength(3);
  return found;
}
