// Second factors, sessions and the emergency account from the command line, beside a running server and after a crash.
import { describe, expect, test } from "bun:test";
import { bytesOfBase32, hotp, stepAt } from "../../src/accounts/totp.ts";
import { appliance, jsonOf, on, PASSWORD } from "../support/appliance.ts";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";

leaveNothingBehind();

const OWNER = "owner@hospital.example";

const ask = (server: Running, path: string, body: unknown, cookie = "") =>
  fetch(`${server.url}/dashboard/api${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-ringward-dashboard": "1", "content-type": "application/json", cookie, "user-agent": "Firefox/140.0" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
const signIn = (server: Running, email: string, password: string) => ask(server, "/login", { email, password });

describe("the command line", () => {
  test("resets a lost factor of the last owner; a used code stays used after a crash", async () => {
    const dataDir = await appliance();
    let server = await startBinary({ demo: false, dataDir });
    const session = cookieOf(await signIn(server, OWNER, PASSWORD));
    const begun = await ask(server, "/account/factors/code", { password: PASSWORD }, session);
    const { secret } = (await begun.json()) as { secret: string };
    const key = bytesOfBase32(secret);
    const step = stepAt(Date.now());
    const confirmed = await ask(server, "/account/factors/code/confirm", { code: hotp(key, step) }, session);
    expect(confirmed.status).toBe(200);
    const ticket = cookieOf(await signIn(server, OWNER, PASSWORD));
    const other = cookieOf(await signIn(server, OWNER, PASSWORD));
    const code = hotp(key, step + 1);
    expect((await ask(server, "/sign-in/code", { code }, ticket)).status).toBe(200);

    await server.kill();
    server = await startBinary({ demo: false, dataDir });
    // The ticket survives, the code does not.
    const replayed = await ask(server, "/sign-in/code", { code }, other);
    expect([replayed.status, await replayed.text()]).toEqual([400, expect.stringContaining("used already")]);
    expect((await ask(server, "/sign-in/code", { code: hotp(key, step - 1) }, ticket)).status).toBe(401);

    expect(await jsonOf(dataDir, "people", "list")).toMatchObject([{ email: OWNER, second_factor: "code" }]);
    const sessions = (await jsonOf(dataDir, "people", "sessions", OWNER)) as { session_id: string; browser: string }[];
    expect(sessions.map(({ browser }) => browser)).toEqual(["Firefox", "Firefox"]);
    const one = await on(dataDir, "people", "end-sessions", OWNER, "--session", sessions[0]!.session_id);
    expect(one).toMatchObject({ code: 0, stdout: "The session is ended.\n" });
    expect(await on(dataDir, "people", "end-sessions", OWNER)).toMatchObject({
      code: 0,
      stdout: "1 sessions ended.\n",
    });
    expect((await ask(server, "/session", undefined, session)).status).toBe(401);

    expect((await on(dataDir, "people", "reset-factor", "nobody@hospital.example")).code).not.toBe(0);
    expect((await on(dataDir, "people", "reset-factor", OWNER)).code).toBe(0);
    const again = await signIn(server, OWNER, PASSWORD);
    expect((await again.json()) as object).toMatchObject({ next: "open" });
    expect(await server.stop()).toBe(0);
  }, 180_000);

  test("demands a second factor by role, and seals an account that needs none", async () => {
    const dataDir = await appliance();
    const [organisation] = (await jsonOf(dataDir, "orgs", "list")) as { organisation_id: string }[];
    const id = organisation!.organisation_id;
    const odd = await on(dataDir, "orgs", "update", id, "--second-factor", "admin");
    expect([odd.code === 0, odd.stderr]).toEqual([false, expect.stringContaining("owner, staff, viewer")]);
    expect((await on(dataDir, "orgs", "update", id, "--second-factor", "owner,staff")).code).toBe(0);
    expect((await on(dataDir, "break-glass", "status")).stdout).toStartWith("There is no emergency account.");
    const sealed = (await jsonOf(dataDir, "break-glass", "seal")) as { email: string; password: string };

    const server = await startBinary({ demo: false, dataDir });
    const owner = await signIn(server, OWNER, PASSWORD);
    expect((await owner.json()) as object).toMatchObject({ next: "set_up" });
    const opened = await signIn(server, sealed.email, sealed.password);
    expect((await opened.json()) as object).toMatchObject({ next: "open" });
    expect((await signIn(server, sealed.email, sealed.password)).status).toBe(401);
    expect(server.output()).toContain("The emergency account was used.");
    expect(server.output()).not.toContain(sealed.password);
    const status = (await on(dataDir, "break-glass", "status")).stdout;
    expect(status).toContain("is not sealed.");
    expect(status).toContain("No owner has acknowledged this use.");
    const acknowledged = await on(dataDir, "break-glass", "acknowledge", "--reason", "The telephone was lost.");
    expect(acknowledged).toMatchObject({ code: 0, stdout: "The use is acknowledged.\n" });
    const account = await jsonOf(dataDir, "break-glass", "status");
    expect(account).toMatchObject({ account: { sealed_at: null, reason: "The telephone was lost." } });

    expect((await on(dataDir, "orgs", "update", id, "--second-factor", "none")).code).toBe(0);
    expect((await (await signIn(server, OWNER, PASSWORD)).json()) as object).toMatchObject({ next: "open" });
    expect(await server.stop()).toBe(0);
  }, 180_000);
});
