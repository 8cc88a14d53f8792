// The list of sessions and their end, and the sealed emergency account.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { App } from "../../src/compose/app.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { createLoginThrottle } from "../../src/accounts/login-throttle.ts";
import { createSessionService } from "../../src/accounts/session-service.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/core/clock.ts";
import { createLogger } from "../../src/core/logger.ts";
import type { Database } from "../../src/db/database.ts";
import { askDashboard, cookieOf, PASSWORD, signedIn, signIn, type Visitor } from "../support/dashboard.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";

let testApp: TestApp;
let app: App;
beforeAll(async () => {
  testApp = await createTestApp({ logged: true });
  ({ app } = testApp);
});
afterAll(() => testApp.close());

const API = "/dashboard/api";
const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const OWN_PAGE = { "x-ringward-dashboard": "1" };
const isOpen = async (cookie: string, userAgent: string | null = null) => {
  const headers = { ...OWN_PAGE, ...(userAgent !== null && { "user-agent": userAgent }) };
  return (await askDashboard(app, "GET", `${API}/session`, { cookie, headers })).status === 200;
};

interface Listed {
  session_id: string;
  browser: string | null;
  system: string | null;
  address: string;
  is_present: boolean;
  is_new_device: boolean;
  created_at: string;
}

const listed = async (who: Visitor, path = `${API}/account/sessions`) =>
  (await who.ask("GET", path)).json as unknown as Listed[];

describe("the list of sessions", () => {
  let owner: Visitor;
  let person: Visitor;
  beforeEach(async () => {
    owner = await signedIn(app, testApp.organisationId, "owner");
    person = await signedIn(app, testApp.organisationId, "staff");
  });

  const elsewhere = async () => {
    testApp.clock.jump(SECOND_MS);
    const answer = await askDashboard(app, "POST", `${API}/login`, {
      body: { email: person.email, password: PASSWORD },
      headers: { ...OWN_PAGE, "user-agent": FIREFOX },
      source: "198.51.100.20",
    });
    return cookieOf(answer);
  };

  test("names browser, system and address, and marks the present one and new devices", async () => {
    await elsewhere();
    const rows = await listed(person);
    expect(rows.map(({ session_id: _, created_at: __, ...row }) => row)).toMatchObject([
      { browser: "Firefox", system: "Windows", address: "198.51.100.20", is_present: false, is_new_device: true },
      { browser: null, system: null, address: "192.0.2.1", is_present: true, is_new_device: true },
    ]);
    expect(JSON.stringify(rows)).not.toContain(person.cookie.split("=")[1]!);
  });

  test("ends a session whose cookie another browser sends, for both, and records it", async () => {
    const cookie = await elsewhere();
    expect(await isOpen(cookie, FIREFOX)).toBeTrue();
    expect(await isOpen(cookie, FIREFOX.replaceAll("140.0", "141.0"))).toBeTrue();
    expect(await isOpen(cookie, FIREFOX.replace("Windows NT 10.0; Win64; x64", "X11; Linux x86_64"))).toBeFalse();
    expect(await isOpen(cookie, FIREFOX)).toBeFalse();
    expect(await isOpen(await elsewhere())).toBeFalse();
    const recorded = await testApp.db.reader
      .selectFrom("audit_entries")
      .select("detail")
      .where("action", "=", "person.session_refused")
      .where("subject_id", "=", person.personId)
      .orderBy("id")
      .execute();
    expect(recorded.map(({ detail }) => JSON.parse(detail) as object)).toEqual([
      { opened: "Firefox, Windows", present: "Firefox, Linux" },
      { opened: "Firefox, Windows", present: "unknown" },
    ]);
  });

  test("keeps a session whose recording the player of an Apple device fetches", async () => {
    const SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5";
    const opened = {
      Mac: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Safari/605.1.15`,
      iPhone: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${SAFARI} Mobile/15E148 Safari/604.1`,
      Windows: FIREFOX,
    };
    const players = [
      "AppleCoreMedia/1.0.0.22F76 (iPhone; U; CPU OS 18_5 like Mac OS X; en_in)",
      "AppleCoreMedia/1.0.0.22F76 (iPad; U; CPU OS 18_5 like Mac OS X; en_in)",
      "AppleCoreMedia/1.0.0.23A344 (Macintosh; U; Intel Mac OS X 14_0; en_us)",
    ];
    const kept: Record<string, boolean[]> = {};
    for (const [system, browser] of Object.entries(opened)) {
      for (const player of players) {
        const answer = await askDashboard(app, "POST", `${API}/login`, {
          body: { email: person.email, password: PASSWORD },
          headers: { ...OWN_PAGE, "user-agent": browser },
        });
        const cookie = cookieOf(answer);
        // A media request has no header of the page, and asks for a range.
        const headers = { "user-agent": player, range: "bytes=0-1" };
        await askDashboard(app, "GET", `${API}/calls/none/recording`, { cookie, headers });
        (kept[system] ??= []).push(await isOpen(cookie, browser));
      }
    }
    expect(kept).toEqual({ Mac: [true, true, true], iPhone: [true, true, true], Windows: [false, false, false] });
  });

  test("goes on reading while nothing can be written, and is extended later", async () => {
    const log: string[] = [];
    const logger = createLogger(testApp.clock, "debug", (line) => void log.push(line));
    let isFull = true;
    const full: Database = {
      ...testApp.db,
      reader: testApp.db.reader,
      write: (work) => {
        if (!isFull) return testApp.db.write(work);
        throw new Error("database or disk is full");
      },
    };
    const { audit, ids } = app.services;
    const sessions = createSessionService({
      db: full,
      clock: testApp.clock,
      ids,
      audit,
      logger,
      throttle: createLoginThrottle(testApp.clock, logger),
    });
    const token = person.cookie.split("=")[1] ?? "";
    testApp.clock.jump(11 * MINUTE_MS);
    for (let minute = 0; minute < 30; minute++) {
      expect(await sessions.find(token, null)).toMatchObject({ personId: person.personId, wasProlonged: false });
      testApp.clock.jump(MINUTE_MS);
    }
    expect(log.filter((line) => line.includes("session not extended")).length).toBeLessThan(31);
    isFull = false;
    testApp.clock.jump(MINUTE_MS);
    expect(await sessions.find(token, null)).toMatchObject({ wasProlonged: true });
  });

  test("tells the person of a new device until they recognise it", async () => {
    const notices = async () =>
      ((await person.ask("GET", `${API}/account/notices`)).json as unknown as { new_sessions: number }).new_sessions;
    expect(await notices()).toBe(0);
    await elsewhere();
    expect(await notices()).toBe(1);
    const [other] = await listed(person);
    expect((await person.ask("POST", `${API}/account/sessions/${other!.session_id}/recognise`)).status).toBe(200);
    expect(await notices()).toBe(0);
  });

  test("ends one session, or all others, at once", async () => {
    const [first, second] = [await elsewhere(), await elsewhere()];
    const rows = await listed(person);
    const newest = rows.find(({ is_present }) => !is_present)!;
    expect((await person.ask("POST", `${API}/account/sessions/${newest.session_id}/end`)).status).toBe(200);
    expect((await isOpen(first, FIREFOX)) !== (await isOpen(second, FIREFOX))).toBeTrue();
    expect((await person.ask("POST", `${API}/account/sessions/${newest.session_id}/end`)).status).toBe(404);
    const ended = await person.ask("POST", `${API}/account/sessions/end-others`);
    expect(ended.json as object).toEqual({ ended: 1 });
    expect([await isOpen(first, FIREFOX), await isOpen(second, FIREFOX), await isOpen(person.cookie)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test("closes the change stream of an ended session", async () => {
    const cookie = await elsewhere();
    const stream = await app.handle(
      new Request(`http://localhost${API}/changes`, { headers: { cookie, "user-agent": FIREFOX } }),
      {
        source: () => "192.0.2.1",
        keepOpen() {},
        isClosing: () => false,
      },
    );
    expect(stream.status).toBe(200);
    const reader = stream.body!.getReader();
    await reader.read();
    const [newest] = await listed(person);
    await person.ask("POST", `${API}/account/sessions/${newest!.session_id}/end`);
    const rest = (async () => {
      while (!(await reader.read()).done);
      return "closed";
    })();
    await testApp.clock.advance(SECOND_MS);
    expect(await rest).toBe("closed");
  });

  test("of another person is for owners of the same organisation, and reading it is recorded", async () => {
    const staff = await signedIn(app, testApp.organisationId, "staff");
    const other = await app.services.organisations.create({ name: "Other", timeZone: "UTC" }, CLI_ACTOR);
    const stranger = await signedIn(app, other.id, "owner");
    const path = `${API}/people/${person.email}/sessions`;
    expect((await staff.ask("GET", path)).status).toBe(403);
    expect((await stranger.ask("GET", path)).status).toBe(404);
    expect((await stranger.ask("POST", `${path}/end`)).status).toBe(404);
    const [row] = await listed(owner, path);
    expect(row).toMatchObject({ is_present: false });
    // Another person's session is unknown under one's own account.
    expect((await staff.ask("POST", `${API}/account/sessions/${row!.session_id}/end`)).status).toBe(404);
    expect((await owner.ask("POST", `${path}/${row!.session_id}/end`)).status).toBe(200);
    expect(await isOpen(person.cookie)).toBeFalse();
    const again = await signIn(app, person.email, PASSWORD);
    expect((await owner.ask("POST", `${path}/end`)).json as object).toEqual({ ended: 1 });
    expect(await isOpen(again)).toBeFalse();
  });

  test("an owner who ends all of their own sessions this way keeps the present one", async () => {
    const other = await signIn(app, owner.email, PASSWORD);
    expect((await owner.ask("POST", `${API}/people/${owner.email}/sessions/end`)).json as object).toEqual({ ended: 1 });
    expect([await isOpen(owner.cookie), await isOpen(other)]).toEqual([true, false]);
  });
});

describe("the emergency account", () => {
  let organisationId: string;
  let owner: Visitor;
  let viewer: Visitor;
  beforeEach(async () => {
    organisationId = (await app.services.organisations.create({ name: "Sealed", timeZone: "UTC" }, CLI_ACTOR)).id;
    owner = await signedIn(app, organisationId, "owner");
    viewer = await signedIn(app, organisationId, "viewer");
  });

  const seal = async (who = owner) => {
    const answer = await who.ask("POST", `${API}/settings/break-glass/seal`, { password: PASSWORD });
    expect(answer.status).toBe(200);
    return answer.json as unknown as { email: string; password: string };
  };
  const use = ({ email, password }: { email: string; password: string }) =>
    askDashboard(app, "POST", `${API}/login`, { body: { email, password } });
  const announced = async (who: Visitor) =>
    ((await who.ask("GET", `${API}/account/notices`)).json as unknown as { break_glass: object | null }).break_glass;

  test("is named to owners and auditors only", async () => {
    const { email } = await seal();
    const staff = await signedIn(app, organisationId, "staff");
    const auditor = await signedIn(app, organisationId, "auditor");
    const isNamed = async (who: Visitor) => (await who.ask("GET", `${API}/people`)).text.includes(email);
    expect([await isNamed(owner), await isNamed(auditor)]).toEqual([true, true]);
    expect([await isNamed(viewer), await isNamed(staff)]).toEqual([false, false]);
  });

  test("opens an owner's session of four hours, once, without a second factor", async () => {
    const sealed = await seal();
    await app.services.organisations.setSecondFactor(organisationId, ["owner"], CLI_ACTOR);
    const opened = await use(sealed);
    expect(opened.json as object).toMatchObject({ next: "open" });
    const cookie = cookieOf(opened);
    const { person } = (await askDashboard(app, "GET", `${API}/session`, { cookie })).json as unknown as {
      person: { role: string; is_emergency: boolean };
    };
    expect(person).toMatchObject({ role: "owner", is_emergency: true });
    const again = await use(sealed);
    expect([again.status, again.json.error.message]).toEqual([
      401,
      'This emergency account was used already. It must be sealed again: in Settings, or by "ringward break-glass seal".',
    ]);
    // Use does not extend it.
    for (let hour = 1; hour < 4; hour++) {
      testApp.clock.jump(HOUR_MS);
      expect(await isOpen(cookie)).toBeTrue();
    }
    testApp.clock.jump(HOUR_MS);
    expect(await isOpen(cookie)).toBeFalse();
  });

  test("used twice at once opens one session", async () => {
    const sealed = await seal();
    const all = Promise.all([use(sealed), use(sealed)]);
    await testApp.clock.advance(5 * SECOND_MS);
    expect((await all).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  });

  test("announces its use to everyone, the log, the audit log and webhooks, until an owner says why", async () => {
    const endpoint = await app.services.endpoints.create(
      organisationId,
      { url: "https://receiver.example/hook", eventTypes: ["account.break_glass_used"] },
      CLI_ACTOR,
    );
    const sealed = await seal();
    expect(await announced(viewer)).toBeNull();
    const cookie = cookieOf(await use(sealed));
    expect(await announced(viewer)).not.toBeNull();
    expect(testApp.logLines.some((line) => line.includes("The emergency account was used."))).toBeTrue();
    const events = await testApp.db.reader
      .selectFrom("deliveries")
      .innerJoin("events", "events.id", "deliveries.event_id")
      .select(["events.type", "endpoint_id"])
      .where("events.organisation_id", "=", organisationId)
      .execute();
    expect(events).toEqual([{ type: "account.break_glass_used", endpoint_id: endpoint.endpoint_id }]);

    const acknowledge = (body: object, as: { cookie: string }) =>
      askDashboard(app, "POST", `${API}/settings/break-glass/acknowledge`, { body, cookie: as.cookie });
    expect((await acknowledge({ reason: "test" }, { cookie })).status).toBe(409);
    expect((await acknowledge({ reason: "test" }, viewer)).status).toBe(403);
    expect((await acknowledge({ reason: " " }, owner)).status).toBe(400);
    expect((await acknowledge({ reason: "The owner's telephone was lost." }, owner)).status).toBe(200);
    expect(await announced(viewer)).toBeNull();
    expect((await acknowledge({ reason: "again" }, owner)).status).toBe(409);
    const actions = await testApp.db.reader
      .selectFrom("audit_entries")
      .select("action")
      .where("organisation_id", "=", organisationId)
      .where("action", "like", "break_glass.%")
      .orderBy("id")
      .execute();
    expect(actions.map(({ action }) => action)).toEqual([
      "break_glass.sealed",
      "break_glass.used",
      "break_glass.acknowledged",
    ]);
  });

  test("cannot seal itself, change its password, get a second factor or another role", async () => {
    const sealed = await seal();
    const cookie = cookieOf(await use(sealed));
    const asIt = (method: string, path: string, body?: unknown) =>
      askDashboard(app, method, `${API}${path}`, { body, cookie });
    const { password } = sealed;
    const next = "another long password";
    expect((await asIt("POST", "/settings/break-glass/seal", { password })).status).toBe(409);
    expect((await asIt("POST", "/password", { current: password, password: next })).status).toBe(409);
    expect((await asIt("POST", "/account/factors/code", { password })).status).toBe(409);
    expect(await isOpen(cookie)).toBeTrue();
    const patch = (body: object) => owner.ask("PATCH", `${API}/people/${sealed.email}`, body);
    expect((await patch({ role: "viewer" })).status).toBe(409);
    expect((await patch({ password: next })).status).toBe(409);
    // An owner can still shut it out.
    expect((await patch({ enabled: false })).status).toBe(200);
    expect(await isOpen(cookie)).toBeFalse();
  });

  test("sealed again has a new password, and the old one and its session end", async () => {
    const first = await seal();
    const cookie = cookieOf(await use(first));
    const second = await seal();
    expect([second.email, second.password === first.password]).toEqual([first.email, false]);
    expect(await isOpen(cookie)).toBeFalse();
    expect((await use(first)).status).toBe(401);
    expect((await use(second)).status).toBe(200);
    const people = (await owner.ask("GET", `${API}/people`)).json as unknown as { is_emergency: boolean }[];
    expect(people.filter(({ is_emergency }) => is_emergency)).toHaveLength(1);
  });

  test("is for owners, who give their password", async () => {
    expect((await viewer.ask("GET", `${API}/settings/break-glass`)).status).toBe(403);
    const wrong = await owner.ask("POST", `${API}/settings/break-glass/seal`, { password: "not this one" });
    expect(wrong.status).toBe(400);
    expect((await owner.ask("GET", `${API}/settings/break-glass`)).json as object).toEqual({ account: null });
    const { password } = await seal();
    const row = await testApp.db.reader
      .selectFrom("people")
      .select("password_hash")
      .where("organisation_id", "=", organisationId)
      .where("name", "=", "Emergency")
      .executeTakeFirstOrThrow();
    expect(row.password_hash).toStartWith("$argon2id$");
    expect(testApp.logLines.join("\n")).not.toContain(password);
  });
});
