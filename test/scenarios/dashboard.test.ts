// The dashboard of the compiled binary, seen by a browser and by an attacker: first minutes, protections, event stream,
// backup.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCall } from "../support/api-client.ts";
import { appliance, on, PASSWORD } from "../support/appliance.ts";
import { leaveNothingBehind, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { onlySqlite } from "../support/engines.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const OWN_PAGE = { "x-ringward-dashboard": "1" };

async function ask(
  server: Running,
  method: string,
  path: string,
  options: { cookie?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const { cookie, body, headers = OWN_PAGE } = options;
  const response = await fetch(`${server.url}/dashboard/api/${path}`, {
    method,
    headers: {
      ...headers,
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text,
    cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "",
  };
}

const signIn = async (server: Running, email: string, password: string) =>
  (await ask(server, "POST", "login", { body: { email, password } })).cookie;
const isWelcome = async (server: Running, cookie: string) =>
  (await ask(server, "GET", "session", { cookie })).status === 200;

describe("the first minutes", () => {
  test("the printed link opens the setup, the owner is signed in, and the code is invalid afterwards", async () => {
    const server = await startBinary({ demo: false });
    const [, link = "", code = ""] = /Open (\S+\/dashboard\/setup)#(\S{20,}),/.exec(server.output()) ?? [];
    expect(new URL(link).port).toBe(String(server.port));
    expect((await fetch(link.replace("localhost", "127.0.0.1"))).status).toBe(200);
    const form = {
      organisation: "St. Mary",
      time_zone: "Asia/Kolkata",
      email: "owner@hospital.example",
      name: "Owner",
      password: PASSWORD,
    };
    expect((await ask(server, "POST", "setup", { body: { ...form, code: "guess" } })).status).toBe(401);
    const { status, cookie } = await ask(server, "POST", "setup", { body: { ...form, code } });
    expect([status, await isWelcome(server, cookie)]).toEqual([200, true]);
    expect((await ask(server, "POST", "setup", { body: { ...form, code, email: "b@hospital.example" } })).status).toBe(
      409,
    );
    expect((await ask(server, "POST", "demo-login")).status).toBe(404);
    expect(server.output()).not.toContain(PASSWORD);
    expect(await server.stop()).toBe(0);
  });
});

describe("in the demo", () => {
  let server: Running;
  let owner: string;
  beforeAll(async () => {
    server = await startBinary();
    const answer = await ask(server, "POST", "demo-login");
    const [session, device] = answer.headers.getSetCookie();
    expect(session).toMatch(
      /^ringward_session=[\w-]{43}; Path=\/dashboard; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    expect(device).toMatch(/^ringward_device=[\w-]{43}; .*HttpOnly; SameSite=Strict$/);
    owner = answer.cookie;
  });
  afterAll(() => server.kill());

  test("one click signs in, and signing out invalidates every copy of the cookie", async () => {
    const { cookie } = await ask(server, "POST", "demo-login");
    expect(await isWelcome(server, cookie)).toBeTrue();
    await ask(server, "POST", "logout", { cookie });
    expect(await isWelcome(server, cookie)).toBeFalse();
  });

  test("a cross-site request changes nothing", async () => {
    const body = { numbers: ["+919810012345"] };
    for (const headers of [{}, { ...OWN_PAGE, origin: "https://evil.example" }]) {
      expect((await ask(server, "POST", "do-not-disturb", { cookie: owner, body, headers })).status).toBe(401);
    }
    expect(JSON.parse((await ask(server, "GET", "do-not-disturb", { cookie: owner })).text)).toMatchObject({
      total: 0,
    });
    expect(
      (
        await ask(server, "POST", "do-not-disturb", {
          cookie: owner,
          body,
          headers: { ...OWN_PAGE, origin: server.url },
        })
      ).status,
    ).toBe(200);
  });

  test("a person disabled on the command line loses access immediately", async () => {
    const email = "nurse@hospital.example";
    const add = { email, name: "Nurse", role: "viewer", password: PASSWORD };
    expect((await ask(server, "POST", "people", { cookie: owner, body: add })).status).toBe(200);
    const cookie = await signIn(server, email, PASSWORD);
    expect((await ask(server, "POST", "calls", { cookie, body: {} })).status).toBe(403);
    expect(await isWelcome(server, cookie)).toBeTrue();
    expect((await on(server.dataDir, "people", "disable", email)).code).toBe(0);
    expect(await isWelcome(server, cookie)).toBeFalse();
    expect(await signIn(server, email, PASSWORD)).toBe("");
  });

  test("concurrent wrong passwords are slowed down, and the last get a Retry-After", async () => {
    const guess = () =>
      ask(server, "POST", "login", { body: { email: "owner@demo.invalid", password: "wrong password" } });
    for (let i = 0; i < 3; i++) expect((await guess()).status).toBe(401);
    // Four are delayed; this checks the first rejection among the rest.
    const refused = await Promise.any(
      Array.from({ length: 8 }, async () => {
        const answer = await guess();
        if (answer.status !== 429) throw new Error(`answered ${answer.status}`);
        return answer;
      }),
    );
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 301);
  });

  test("the first load is under 235 kB, and the page allows nothing inline", async () => {
    const page = await fetch(`${server.url}/dashboard`);
    expect(page.headers.get("content-security-policy")).not.toContain("unsafe");
    const html = await page.text();
    let bytes = html.length;
    // Without what browsers read when the dashboard is installed.
    for (const [, path] of html.matchAll(/(?:src|href)="(\/[^"]+\.(?:css|js|svg))"/g)) {
      const response = await fetch(`${server.url}${path}`, {
        headers: { "accept-encoding": "gzip" },
        decompress: false,
      });
      const isSmall = path!.endsWith(".svg");
      expect([response.status, response.headers.get("content-encoding")]).toEqual([200, isSmall ? null : "gzip"]);
      bytes += (await response.arrayBuffer()).byteLength;
    }
    expect(bytes).toBeWithin(20_000, 235_000);
  });

  test("a change is pushed within two seconds, and again to a client that reconnects", async () => {
    const first = await fetch(`${server.url}/dashboard/api/changes`, { headers: { cookie: owner } });
    const reader = first.body!.getReader();
    let text = "";
    const reading = (async () => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        text += new TextDecoder().decode(value);
      }
    })();
    const callId = await createCall(server);
    await until(() => text.includes(callId), { what: () => `the stream tells nothing of ${callId}: ${text}` });
    const position = [...text.matchAll(/^id: (\S+)$/gm)].at(-1)![1]!;
    await reader.cancel();
    await reading.catch(() => {});
    const missed = await createCall(server);
    const again = await fetch(`${server.url}/dashboard/api/changes`, {
      headers: { cookie: owner, "last-event-id": position },
    });
    let told = "";
    for await (const chunk of again.body!) {
      told += new TextDecoder().decode(chunk);
      if (told.includes(missed)) break;
    }
    expect(told).toContain(missed);
  });

  onlySqlite("a backup is one of SQLite's file")(
    "a backup is made by the binary itself, and what is downloaded is a whole backup",
    async () => {
      expect((await ask(server, "GET", "backup/file", { cookie: owner })).status).toBe(404);
      expect((await ask(server, "POST", "backup", { cookie: owner })).status).toBe(200);
      const state = async () =>
        (
          JSON.parse((await ask(server, "GET", "health", { cookie: owner })).text) as {
            backup: { state: string; message: string };
          }
        ).backup;
      await until(async () => (await state()).state !== "running", { withinMs: 60_000, everyMs: 100 });
      expect(await state()).toMatchObject({ state: "done", message: "" });
      const { bytes, headers } = await ask(server, "GET", "backup/file", { cookie: owner });
      expect(headers.get("content-disposition")).toContain(".tar");
      const folder = tempFolder();
      const file = join(folder, "copy.tar");
      writeFileSync(file, bytes);
      expect((await on(folder, "backup", "verify", file)).code).toBe(0);
      Bun.spawnSync(["tar", "-xf", file, "-C", folder]);
      const copy = new Database(join(folder, "ringward.db"), { readonly: true });
      expect(copy.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
      expect(copy.query("SELECT name FROM organisations").get()).toEqual({ name: "Demo Hospital" });
      copy.close();
    },
  );

  test("with an open stream and a backup in progress, the appliance stops without waiting for them", async () => {
    const other = await startBinary({ env: { RINGWARD_SERVER__SHUTDOWN_GRACE_SECONDS: "120" } });
    const { cookie } = await ask(other, "POST", "demo-login");
    const stream = await fetch(`${other.url}/dashboard/api/changes`, { headers: { cookie } });
    await ask(other, "POST", "backup", { cookie });
    const startedMs = performance.now();
    expect(await other.stop()).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(60_000);
    expect((await stream.text().catch(() => "cut")).length).toBeGreaterThan(0);
  });
});

test("an owner of one of two organisations cannot download the backup, which contains both", async () => {
  const dataDir = await appliance();
  expect((await on(dataDir, "orgs", "create", "--name", "Other Clinic")).code).toBe(0);
  const server = await startBinary({ demo: false, dataDir });
  const cookie = await signIn(server, "owner@hospital.example", PASSWORD);
  expect((await ask(server, "POST", "backup", { cookie })).status).toBe(403);
  expect((await ask(server, "GET", "backup/file", { cookie })).status).toBe(403);
  await server.kill();
});
