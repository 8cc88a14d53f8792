// People at the dashboard of a test app: each with a role, a cookie and the header that its own page sends.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp, type App } from "../../src/compose/app.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { loadConfig } from "../../src/config/load.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { Role } from "../../src/accounts/records.ts";
import { answersArrived, createManualClock } from "./manual-clock.ts";
import { openTestDatabase } from "./temp.ts";
import { UNENFORCED } from "./unenforced.ts";

export const OWN_PAGE = { "x-ringward-dashboard": "1" };
export const PASSWORD = "correct horse battery";

export interface DashboardAnswer {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, never> & { error: { code: string; message: string; details?: { field: string }[] } };
}

export interface AskOptions {
  body?: unknown;
  cookie?: string | null;
  headers?: Record<string, string>;
  /** Where the connection comes from. */
  source?: string;
}

/** Asks as the dashboard's own page does, unless `headers` says otherwise. */
export async function askDashboard(
  app: App,
  method: string,
  path: string,
  options: AskOptions = {},
): Promise<DashboardAnswer> {
  await answersArrived();
  const { body, cookie = null, headers = OWN_PAGE, source = "192.0.2.1" } = options;
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: {
      ...(cookie === null ? {} : { cookie }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await app.handle(request, { source: () => source, keepOpen() {}, isClosing: () => false });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) as DashboardAnswer["json"] };
}

export interface Visitor {
  personId: string;
  email: string;
  cookie: string;
  ask(method: string, path: string, body?: unknown): Promise<DashboardAnswer>;
}

let count = 0;

/** A new person of an organisation, signed in. */
export async function signedIn(app: App, organisationId: string, role: Role): Promise<Visitor> {
  const email = `${role}${++count}@hospital.example`;
  const person = await app.services.people.create(
    organisationId,
    { email, name: `The ${role}`, role, password: PASSWORD },
    CLI_ACTOR,
  );
  const cookie = await signIn(app, email, PASSWORD);
  return {
    personId: person.person_id,
    email,
    cookie,
    ask: (method, path, body) => askDashboard(app, method, path, { body, cookie }),
  };
}

/** Answers the cookie as a browser would send it back. */
export async function signIn(app: App, email: string, password: string): Promise<string> {
  const answer = await askDashboard(app, "POST", "/dashboard/api/login", { body: { email, password } });
  if (answer.status !== 200) throw new Error(`Signing in answered ${answer.status}: ${answer.text}`);
  return cookieOf(answer);
}

export function cookieOf({ headers }: { headers: Headers }): string {
  return headers.get("set-cookie")?.split(";")[0] ?? "";
}

/** An appliance without accounts. */
export async function createEmptyAppliance(options: { demoEmail?: string; settings?: Record<string, string> } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), "ringward-test-"));
  const clock = createManualClock();
  const config = loadConfig({ environment: { RINGWARD_DATA__DIR: dataDir, ...UNENFORCED, ...options.settings } });
  const db = await openTestDatabase(dataDir);
  const app = createApp({
    config,
    db,
    clock,
    logger: silentLogger,
    rootKey: new Uint8Array(32).fill(7),
    demoEmail: options.demoEmail ?? null,
  });
  return {
    app,
    clock,
    async close() {
      await app.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export interface DashboardRoute {
  method: string;
  path: string;
  /** As declared; undefined where it was forgotten. */
  role: string | undefined;
}

export function dashboardRoutes(app: App): DashboardRoute[] {
  return app
    .routes()
    .filter(({ path }) => path.startsWith("/dashboard/api"))
    .map((route) => {
      const { hooks } = route as { hooks?: { detail?: Record<string, string | undefined> } };
      return { method: route.method, path: route.path, role: hooks?.detail?.["x-role"] };
    });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
