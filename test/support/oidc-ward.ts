// An appliance beside a hospital's OpenID Connect provider, and the browsers that sign in there.
import { expect } from "bun:test";
import type { App } from "../../src/compose/app.ts";
import { askDashboard, signedIn, type DashboardAnswer, type Visitor } from "./dashboard.ts";
import { startOidcHospital, type OidcHospital, type ProviderPerson } from "./oidc-hospital.ts";
import { createTestApp, type TestApp, type TestAppOptions } from "./test-app.ts";

export const API = "/dashboard/api";
export const BRANCH = "01890000-0000-7000-8000-000000000003";
const GROUPS = [
  { group: "ringward-ward", role: "staff" },
  { group: "ringward-owners", role: "owner" },
  { group: "ringward-readers", role: "viewer" },
  { group: "ringward-ward-3", role: "staff", branches: [BRANCH] },
];

export interface PersonShown {
  role: string;
  email: string;
  person_id: string;
}

export type OidcWard = Awaited<ReturnType<typeof startOidcWard>>;

export async function startOidcWard() {
  const hospital: OidcHospital = await startOidcHospital("http://localhost/dashboard/oidc");
  const settings = (further: Record<string, string> = {}) => ({
    RINGWARD_BASE_URL: "http://localhost",
    RINGWARD_SIGN_IN__OIDC__ISSUER: hospital.issuer,
    RINGWARD_SIGN_IN__OIDC__NAME: "City Hospital",
    RINGWARD_SIGN_IN__OIDC__CLIENT_ID: hospital.client.id,
    RINGWARD_SIGN_IN__OIDC__CLIENT_SECRET: hospital.client.secret,
    RINGWARD_SIGN_IN__OIDC__GROUPS: JSON.stringify(GROUPS),
    ...further,
  });
  /** An appliance with the machine's time, which the provider has too. */
  async function appliance(further: Record<string, string> = {}, options: TestAppOptions = {}): Promise<TestApp> {
    const made = await createTestApp({ ...options, settings: settings(further) });
    made.clock.jump(Date.now() - made.clock.now());
    return made;
  }
  const testApp = await appliance();
  const { app } = testApp;
  const owner: Visitor = await signedIn(app, testApp.organisationId, "owner");
  let count = 0;

  async function begin(on: App = app, source = "192.0.2.1"): Promise<{ flow: string; url: string }> {
    const answer = await askDashboard(on, "POST", `${API}/sign-in/oidc/begin`, { source });
    expect(answer.text).toContain("http");
    expect(answer.status).toBe(200);
    return { flow: cookiesOf(answer), url: (answer.json as unknown as { url: string }).url };
  }

  const finish = (flow: string | null, body: object, on: App = app) =>
    askDashboard(on, "POST", `${API}/sign-in/oidc/finish`, { cookie: flow, body });

  /** The whole way; the answer of the last step. */
  async function enter(id: string, on: App = app): Promise<DashboardAnswer> {
    const { flow, url } = await begin(on);
    return finish(flow, returnedIn(await hospital.visit(url, id)), on);
  }

  const sessionOf = (cookie: string, on: App = app) => askDashboard(on, "GET", `${API}/session`, { cookie });

  return {
    hospital,
    testApp,
    app,
    owner,
    settings,
    appliance,
    begin,
    finish,
    enter,
    sessionOf,

    person(given: ProviderPerson = {}): { id: string; email: string } {
      const id = `person-${++count}`;
      const email = given.email ?? `${id}@city.example`;
      hospital.people.set(id, { email, name: `Person ${count}`, groups: ["ringward-ward"], ...given });
      return { id, email };
    },

    async enterAs(id: string, on: App = app): Promise<string> {
      const answer = await enter(id, on);
      expect(answer.text).toContain('"open"');
      return cookiesOf(answer);
    },

    isIn: async (cookie: string, on: App = app) => (await sessionOf(cookie, on)).status === 200,
    personIn: async (cookie: string, on: App = app) =>
      ((await sessionOf(cookie, on)).json as unknown as { person: PersonShown }).person,

    /** Before each test: the provider tells the truth again. */
    heal(): void {
      hospital.lie = null;
      hospital.health = "up";
      hospital.faults.clear();
      hospital.flooded = 0;
    },

    async close(): Promise<void> {
      await testApp.close();
      await hospital.stop();
    },
  };
}

export const cookiesOf = ({ headers }: DashboardAnswer) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

export const returnedIn = (url: URL) => Object.fromEntries(url.searchParams);

/** Status and code of a refusal, which opens no session. */
export async function refusedBy(answer: Promise<DashboardAnswer> | DashboardAnswer) {
  const { status, headers, json } = await answer;
  expect(headers.getSetCookie().filter((cookie) => /^ringward_session=[^;]/.test(cookie))).toEqual([]);
  return { status, code: json.error.code };
}
