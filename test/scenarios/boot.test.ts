// First start: one file in an empty folder serves.
import { afterEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { ask } from "../support/api-client.ts";
import { appliance } from "../support/appliance.ts";
import {
  BINARY,
  freePort,
  leaveNothingBehind,
  runBinary,
  startBinary,
  tempFolder,
  type Running,
} from "../support/binary.ts";
import { AS_NOBODY, canRemountRoot, isRoot, NOBODY, readOnlyRoot } from "../support/sandbox.ts";
import { skipsFor } from "../support/skips.ts";

leaveNothingBehind();

const PROMISED_DEMO_FIELDS = [
  "base_url",
  "dashboard_url",
  "email",
  "password",
  "api_key",
  "readonly_api_key",
  "agent_id",
  "inbound_agent_id",
  "hook_url",
  "hook_signing_secret",
];
/** Far above a normal start (about 0.2 s), because both cores may be busy. */
const SLOWEST_START_MS = 30_000;

const started: Running[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.kill();
});

async function start(options: Parameters<typeof startBinary>[0] = {}): Promise<Running> {
  const server = await startBinary(options);
  started.push(server);
  return server;
}

function binaryAlone(): { folder: string; binary: string } {
  const folder = tempFolder();
  const binary = join(folder, "ringward");
  copyFileSync(BINARY, binary);
  chmodSync(binary, 0o755);
  return { folder, binary };
}

describe("the binary alone in an empty folder", () => {
  test("serves health, readiness, documents and metrics within seconds, and keeps everything in its data folder", async () => {
    const { folder, binary } = binaryAlone();
    const server = await start({ binary, cwd: folder, dataDir: makeFolder(join(folder, "data")) });
    console.log(`      started and answered after ${Math.round(server.startedMs)} ms`);
    expect(server.startedMs).toBeLessThan(SLOWEST_START_MS);

    expect(await get(server, "/healthz")).toMatchObject({ status: 200, json: { status: "ok" } });
    expect(await get(server, "/readyz")).toMatchObject({
      status: 200,
      json: { status: "ready", checks: { write: "ok", disk: "ok", scheduler: "ok" } },
    });
    const document = await get(server, "/openapi.json");
    expect(document).toMatchObject({ status: 200, json: { openapi: expect.stringMatching(/^3\.1\./) } });
    expect((await get(server, "/swagger/json")).text).toBe(document.text);
    const page = await get(server, "/swagger");
    expect(page).toMatchObject({ status: 200, type: "text/html; charset=utf-8" });
    for (const [, path = ""] of page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      expect([path, (await get(server, path)).status]).toEqual([path, 200]);
    }
    const metrics = await get(server, "/metrics");
    expect(metrics.status).toBe(200);
    expect(metrics.text).toMatch(/^ringward_http_requests_total\{route="\/healthz",method="GET",status="200"\} \d+$/m);

    expect(readdirSync(folder).toSorted()).toEqual(["data", "ringward"]);
    expect(await server.stop()).toBe(0);
  });

  test("can serve as an unprivileged user", async () => {
    const { folder, binary } = binaryAlone();
    const dataDir = folderOfNobody(folder);
    const server = await start({ binary, dataDir, wrapper: isRoot ? AS_NOBODY : [] });
    if (isRoot) expect(statSync(`/proc/${server.process.pid}`).uid).toBe(NOBODY);
    expect(await ask(server, "GET", "/v1/me")).toMatchObject({ status: 200 });
    expect(await server.stop()).toBe(0);
  });

  // With CI=true the test always runs, so a pipeline cannot skip it unnoticed.
  const mayMount = canRemountRoot() || process.env["CI"] === "true";
  test.skipIf(skipsFor(!mayMount, "needs root that may mount"))(
    "can serve from a read-only root file system",
    async () => {
      const { folder, binary } = binaryAlone();
      const dataDir = folderOfNobody(folder);
      // As in the container image: the addon is unpacked into the data folder, the only writable place.
      const server = await start({ binary, dataDir, wrapper: readOnlyRoot(dataDir), env: { TMPDIR: dataDir } });
      const mounts = readFileSync(`/proc/${server.process.pid}/mounts`, "utf8");
      expect(mounts).toMatch(/^\S+ \/ \S+ ro[, ]/m);
      expect(await ask(server, "GET", "/v1/me")).toMatchObject({ status: 200 });
      expect(await get(server, "/readyz")).toMatchObject({ status: 200 });
      expect(await server.stop()).toBe(0);
    },
  );

  test("says what is missing when there is no folder to unpack its database addon into", async () => {
    const { code, stderr } = await runBinary(["serve", "--data", tempFolder()], { env: { TMPDIR: "/nonexistent" } });
    expect(code).toBe(1);
    expect(stderr).toContain("TMPDIR");
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe("serve --demo", () => {
  test("writes demo.json readable by its owner only, with working keys", async () => {
    const server = await start();
    expect(statSync(join(server.dataDir, "demo.json")).mode & 0o777).toBe(0o600);
    expect(Object.keys(server.demo)).toEqual(expect.arrayContaining(PROMISED_DEMO_FIELDS));
    expect(server.demo["base_url"]).toBe(`http://localhost:${server.port}`);
    expect(await ask(server, "GET", "/v1/me")).toMatchObject({
      status: 200,
      data: { organisation_name: "Demo Hospital" },
    });
    expect(await ask(server, "GET", "/v1/me", { key: server.demo["readonly_api_key"]! })).toMatchObject({
      status: 200,
      data: { scopes: ["calls:read"] },
    });
  });

  test("prints the same key at every start on the same folder", async () => {
    const first = await start();
    const key = first.demo["api_key"]!;
    expect(first.output()).toContain(key);
    expect(await first.stop()).toBe(0);
    const second = await start({ dataDir: first.dataDir });
    expect(second.output()).toContain(key);
    expect(second.demo["api_key"]).toBe(key);
    expect(await ask(second, "GET", "/v1/me")).toMatchObject({ status: 200 });
  });

  test("refuses a folder that holds a real appliance", async () => {
    const dataDir = tempFolder();
    const password = "correct horse battery";
    const setup = ["setup", "--organisation", "Real", "--email", "a@b.example", "--data", dataDir];
    expect((await runBinary(setup, { stdin: password })).code).toBe(0);
    const { code, stderr } = await runBinary([
      "serve",
      "--demo",
      "--data",
      dataDir,
      "--port",
      String(await freePort()),
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("holds a real appliance") });
  });
});

describe("files that only the owner may read", () => {
  test("are the database, its WAL, the secret key, and the data folder if the start created it", async () => {
    const dataDir = join(tempFolder(), "new");
    await start({ dataDir, cwd: "/" });
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    for (const name of ["ringward.db", "ringward.db-wal", "secret.key", "demo.json"]) {
      expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    }
  });
});

describe("a second process", () => {
  test("is refused on a folder in use, and does not disturb the first", async () => {
    const first = await start();
    const second = await runBinary(["serve", "--demo", "--data", first.dataDir, "--port", String(await freePort())]);
    expect(second.code).toBe(5);
    expect(second.stderr.trim()).toBe(
      `Another Ringward is running on ${first.dataDir}. Stop it first, or name another folder with --data.`,
    );
    expect(await ask(first, "GET", "/v1/me")).toMatchObject({ status: 200 });
  });

  test("exits with a message when another program uses the port", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((listening) => other.once("listening", listening));
    const { port } = other.address() as { port: number };
    const dataDir = join(tempFolder(), "new");
    for (const demo of [[], ["--demo"]]) {
      const command = ["serve", ...demo, "--data", dataDir, "--port", String(port)];
      const { code, stdout, stderr } = await runBinary(command, { deadlineMs: 60_000 });
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(new RegExp(`^127\\.0\\.0\\.1:${port} cannot be listened on: .*\n$`));
    }
    expect(existsSync(dataDir)).toBeFalse();
    other.close();
  });
});

describe("a read-only data folder", () => {
  test("is reported by every command, with the remedy", async () => {
    const dataDir = await appliance();
    chmodSync(dirname(dataDir), 0o755);
    for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o444);
    const empty = tempFolder();
    for (const folder of [dataDir, empty]) {
      if (isRoot) chownSync(folder, NOBODY, NOBODY);
      chmodSync(folder, 0o555);
    }
    const commands = [
      ["serve", "--data", dataDir],
      ["serve", "--data", empty],
      ["serve", "--data", join(empty, "inside")],
      ["keys", "list", "--data", dataDir],
    ];
    for (const command of commands) {
      const env = { RINGWARD_SERVER__PORT: String(await freePort()) };
      const { code, stderr } = await runBinary(command, { env, wrapper: isRoot ? AS_NOBODY : [], deadlineMs: 60_000 });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^\S+ cannot be written by this user \(\w+\)\. Give the folder .*\n$/);
    }
    for (const folder of [dataDir, empty]) chmodSync(folder, 0o755);
  });
});

describe("a database that cannot be served", () => {
  test("is named with the remedy and left unchanged", async () => {
    const dataDir = tempFolder();
    const file = join(dataDir, "ringward.db");
    writeFileSync(file, "this was a database once ".repeat(500));
    const before = readFileSync(file);
    const { code, stderr } = await runBinary(["serve", "--data", dataDir, "--port", String(await freePort())]);
    expect(code).toBe(4);
    expect(stderr).toContain("ringward restore");
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

async function get(server: Running, path: string) {
  const response = await fetch(`${server.url}${path}`);
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  return {
    status: response.status,
    type,
    text,
    json: type.startsWith("application/json") ? (JSON.parse(text) as object) : {},
  };
}

function makeFolder(path: string): string {
  mkdirSync(path);
  return path;
}

function folderOfNobody(parent: string): string {
  const folder = makeFolder(join(parent, "data"));
  chmodSync(parent, 0o755);
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  return folder;
}
