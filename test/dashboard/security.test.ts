// Permissions in the dashboard, for every current and future route.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import type { App } from "../../src/compose/app.ts";
import { createReachSubjects } from "../../src/dashboard/reach-subject-store.ts";
import { createSessionGuard, REQUIRED_ROLES } from "../../src/dashboard/session-guard.ts";
import { createInFlight } from "../../src/http/in-flight.ts";
import { askDashboard, dashboardRoutes, OWN_PAGE, signedIn, type Visitor } from "../support/dashboard.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";

let testApp: TestApp;
let app: App;
let owner: Visitor;
let staff: Visitor;
let viewer: Visitor;
beforeAll(async () => {
  testApp = await createTestApp();
  ({ app } = testApp);
  owner = await signedIn(app, testApp.organisationId, "owner");
  staff = await signedIn(app, testApp.organisationId, "staff");
  viewer = await signedIn(app, testApp.organisationId, "viewer");
});
afterAll(() => testApp.close());

const addressOf = (path: string) => path.replaceAll(/:\w+/g, "x");
const changes = () => dashboardRoutes(app).filter(({ method }) => method !== "GET");

/**
 * Requests allowed without the right to change data: signing in and out, the own password, second factors and sessions,
 * and previewing a template.
 */
const HARMLESS = [
  "DELETE /dashboard/api/call-filters/:id",
  "PATCH /dashboard/api/account/factors/passkeys/:id",
  "POST /dashboard/api/account/factors/code",
  "POST /dashboard/api/account/factors/code/confirm",
  "POST /dashboard/api/account/factors/code/remove",
  "POST /dashboard/api/account/factors/passkeys",
  "POST /dashboard/api/account/factors/passkeys/:id/remove",
  "POST /dashboard/api/account/factors/passkeys/options",
  "POST /dashboard/api/account/factors/recovery-codes",
  "POST /dashboard/api/account/sessions/:id/end",
  "POST /dashboard/api/account/sessions/:id/recognise",
  "POST /dashboard/api/account/sessions/end-others",
  "POST /dashboard/api/agents/preview",
  "POST /dashboard/api/agents/preview/model",
  "POST /dashboard/api/call-filters",
  "POST /dashboard/api/calls/export",
  "POST /dashboard/api/contacts/search",
  "POST /dashboard/api/demo-login",
  "POST /dashboard/api/forgot-password",
  "POST /dashboard/api/lock",
  "POST /dashboard/api/login",
  "POST /dashboard/api/logout",
  "POST /dashboard/api/password",
  "POST /dashboard/api/password-link",
  "POST /dashboard/api/password-link/use",
  "POST /dashboard/api/reminders/preview",
  "POST /dashboard/api/rules/try",
  "POST /dashboard/api/setup",
  "POST /dashboard/api/sign-in/code",
  "POST /dashboard/api/sign-in/oidc/begin",
  "POST /dashboard/api/sign-in/oidc/finish",
  "POST /dashboard/api/sign-in/passkey",
  "POST /dashboard/api/sign-in/passkey/options",
  "POST /dashboard/api/sign-in/set-up/code",
  "POST /dashboard/api/sign-in/set-up/code/confirm",
  "POST /dashboard/api/sign-in/set-up/passkey",
  "POST /dashboard/api/sign-in/set-up/passkey/options",
  "POST /dashboard/api/unlock",
  "PUT /dashboard/api/account/language",
];
const isHarmless = ({ method, path }: { method: string; path: string }) => HARMLESS.includes(`${method} ${path}`);

describe("the required role of a route", () => {
  test("is declared on every route", () => {
    const routes = dashboardRoutes(app);
    expect(routes.length).toBeGreaterThan(50);
    const forgotten = routes.filter(({ role }) => !REQUIRED_ROLES.some((known) => known === role));
    expect(forgotten).toEqual([]);
  });

  test("and a route without one is detected", () => {
    const { sessions } = app.services;
    const guard = createSessionGuard({
      sessionService: sessions,
      clock: testApp.clock,
      inFlight: createInFlight(),
      requestTimeoutMs: 1,
      ownOrigin: "",
      isSecure: false,
      subjects: createReachSubjects(testApp.db, app.services.contactIds),
    });
    const small = new Elysia()
      .use(guard)
      .get("/dashboard/api/declared", () => "x", { role: "viewer" })
      .get("/dashboard/api/forgotten", () => "x");
    const found = dashboardRoutes({ ...app, routes: () => small.routes });
    expect(found.map(({ path, role }) => [path, role])).toEqual([
      ["/dashboard/api/declared", "viewer"],
      ["/dashboard/api/forgotten", undefined],
    ]);
  });

  test("is above viewer for every change", () => {
    const open = changes().filter(({ role }) => role === "nobody" || role === "viewer");
    expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(HARMLESS);
  });

  test("is enforced: without a session every route is 401, whatever is sent", async () => {
    for (const { method, path, role } of dashboardRoutes(app).filter((route) => route.role !== "nobody")) {
      const { status } = await askDashboard(app, method, addressOf(path), method === "GET" ? {} : { body: {} });
      expect(`${method} ${path} (${role}): ${status}`).toBe(`${method} ${path} (${role}): 401`);
    }
  });

  test("is enforced: a viewer cannot change anything by direct request", async () => {
    for (const route of changes().filter((each) => !isHarmless(each))) {
      const { status, json } = await viewer.ask(route.method, addressOf(route.path), {});
      expect(`${route.method} ${route.path}: ${status} ${json.error.code}`).toBe(
        `${route.method} ${route.path}: 403 INSUFFICIENT_SCOPE`,
      );
    }
  });

  test("is enforced: staff cannot use owners' routes, reading included", async () => {
    const owners = dashboardRoutes(app).filter(({ role }) => role === "owner");
    expect(owners.map(({ path }) => path)).toContain("/dashboard/api/backup/file");
    for (const { method, path } of owners) {
      const { status } = await staff.ask(method, addressOf(path), method === "GET" ? undefined : {});
      expect(`${method} ${path}: ${status}`).toBe(`${method} ${path}: 403`);
    }
  });

  test("follows the person: a demotion to viewer applies to the next request", async () => {
    const person = await signedIn(app, testApp.organisationId, "staff");
    expect((await person.ask("POST", "/dashboard/api/do-not-disturb", { numbers: ["+919810012345"] })).status).toBe(
      200,
    );
    expect((await owner.ask("PATCH", `/dashboard/api/people/${person.email}`, { role: "viewer" })).status).toBe(200);
    expect((await person.ask("POST", "/dashboard/api/do-not-disturb", { numbers: ["+919810012345"] })).status).toBe(
      403,
    );
  });
});

describe("a cross-site request", () => {
  test("is rejected without the header that only our page sends, even with a valid cookie", async () => {
    for (const { method, path } of changes()) {
      const { status } = await askDashboard(app, method, addressOf(path), {
        cookie: owner.cookie,
        body: {},
        headers: {},
      });
      expect(`${method} ${path}: ${status}`).toBe(`${method} ${path}: 401`);
    }
  });

  test.each(["https://evil.example", "http://localhost.evil.example", "http://localhost:81", "null"])(
    "is refused from %s",
    async (origin) => {
      for (const { method, path } of changes()) {
        const { status } = await askDashboard(app, method, addressOf(path), {
          cookie: owner.cookie,
          body: {},
          headers: { ...OWN_PAGE, origin },
        });
        expect(`${method} ${path}: ${status}`).toBe(`${method} ${path}: 401`);
      }
    },
  );

  test("as a form is rejected before it is read", async () => {
    const headers = { ...OWN_PAGE, "content-type": "application/x-www-form-urlencoded" };
    const { status } = await askDashboard(app, "POST", "/dashboard/api/do-not-disturb", {
      cookie: owner.cookie,
      body: "numbers=1",
      headers,
    });
    expect(status).toBe(415);
  });

  test("is accepted from our own origin, and from the public one behind a proxy", async () => {
    const send = (origin: string) =>
      askDashboard(app, "POST", "/dashboard/api/do-not-disturb", {
        cookie: owner.cookie,
        body: { numbers: ["+919810012345"] },
        headers: { ...OWN_PAGE, origin },
      });
    expect((await send("http://localhost")).status).toBe(200);
    expect((await send(new URL(testApp.config.dashboard_url).origin)).status).toBe(200);
  });
});

describe("the page", () => {
  test("allows no inline script or style and nothing external", async () => {
    for (const path of ["/dashboard", "/dashboard/calls/x", "/dashboard/setup"]) {
      const { status, headers, text } = await askDashboard(app, "GET", path);
      expect(status).toBe(200);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=/i);
    }
  });

  test("with its script and style is under 235 kB in transfer", async () => {
    const page = await askDashboard(app, "GET", "/dashboard");
    const named = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!);
    expect(new Set(named.map((path) => path.split(".").at(-1)))).toEqual(
      new Set(["css", "js", "svg", "png", "webmanifest"]),
    );
    // Browsers read the others when the dashboard is installed.
    const files = named.filter((path) => /\.(?:css|js|svg)$/.test(path));
    let bytes = page.text.length;
    for (const path of files) {
      const response = await app.handle(
        new Request(`http://localhost${path}`, { headers: { "accept-encoding": "gzip" } }),
      );
      if (!path.endsWith(".svg")) expect(response.headers.get("content-encoding")).toBe("gzip");
      bytes += (await response.arrayBuffer()).byteLength;
    }
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(235_000);
  });

  test("includes the texts of one language, and loads others on demand", async () => {
    const page = await askDashboard(app, "GET", "/dashboard");
    const scripts = [...page.text.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, path]) => path!);
    const textOf = async (path: string) => (await app.handle(new Request(`http://localhost${path}`))).text();
    const texts = (await Promise.all(scripts.map(textOf))).join("\n");
    expect(texts).not.toMatch(/[\u0900-\u097F]{3}/);
    const later = [...texts.matchAll(/import\("\.\/(\w+\.js)"\)/g)].map(([, name]) => `/dashboard/assets/${name!}`);
    const others = (await Promise.all(later.map(textOf))).filter((text) => /[\u0900-\u097F]{3}/.test(text));
    expect(others).toHaveLength(1);
  });

  test("is not the answer for an unknown path of the API", async () => {
    const { status, json } = await owner.ask("GET", "/dashboard/api/nothing-here");
    expect([status, json.error.code]).toEqual([404, "NOT_FOUND"]);
  });

  test("and every response with data are not cached", async () => {
    for (const path of [
      "/dashboard",
      "/dashboard/api/session",
      "/dashboard/api/calls",
      "/dashboard/api/do-not-disturb/export",
    ]) {
      expect(`${path}: ${(await owner.ask("GET", path)).headers.get("cache-control")}`).toBe(`${path}: no-store`);
    }
  });
});
