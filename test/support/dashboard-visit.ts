// The owner of a hospital at the dashboard of the running binary.
import { PASSWORD } from "./appliance.ts";
import type { Running } from "./binary.ts";

const OWN_PAGE = { "x-ringward-dashboard": "1" };

export interface DashboardVisit {
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }>;
  hangUp(callId: string): Promise<void>;
}

export async function dashboardOf(server: Running, email = "owner@hospital.example"): Promise<DashboardVisit> {
  const send = (method: string, path: string, body: unknown, cookie: string) =>
    fetch(`${server.url}/dashboard/api/${path}`, {
      method,
      headers: { ...OWN_PAGE, cookie, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const signedIn = await send("POST", "login", { email, password: PASSWORD }, "");
  if (!signedIn.ok) throw new Error(`Signing in answered ${signedIn.status}: ${await signedIn.text()}`);
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const visit: DashboardVisit = {
    async ask(method, path, body) {
      const answer = await send(method, path, body, cookie);
      return { status: answer.status, text: await answer.text() };
    },
    async hangUp(callId) {
      const { status, text } = await visit.ask("POST", `calls/${callId}/hang-up`);
      if (status >= 300) throw new Error(`Hanging up answered ${status}: ${text}`);
    },
  };
  return visit;
}
