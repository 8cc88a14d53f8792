// Test fixture: a hospital with a person of each role, and requests to the dashboard's routes.
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { createHospital, type Hospital, type HospitalOptions } from "../support/hospital.ts";
import type { Answer } from "../support/test-app.ts";

export type Asked = "nobody" | "viewer" | "staff" | "owner";

export interface SignedInHospital {
  hospital: Hospital;
  ask(role: Asked, method: string, path: string, body?: unknown): Promise<Answer>;
}

const PASSWORD = "correct horse battery";

export async function signedInHospital(options: HospitalOptions = {}): Promise<SignedInHospital> {
  const hospital = await createHospital(options);
  const cookies: Partial<Record<Asked, string>> = {};
  const ask: SignedInHospital["ask"] = (role, method, path, body) =>
    hospital.request(method, `/dashboard/api/${path}`, {
      key: null,
      headers: { "x-ringward-dashboard": "1", cookie: cookies[role] ?? "" },
      ...(body === undefined ? {} : { body }),
    });
  for (const role of ["viewer", "staff", "owner"] as const) {
    const email = `${role}@example.test`;
    await hospital.app.services.people.create(
      hospital.organisationId,
      { email, name: role, role, password: PASSWORD },
      CLI_ACTOR,
    );
    const { headers } = await ask("nobody", "POST", "login", { email, password: PASSWORD });
    cookies[role] = headers.get("set-cookie")?.split(";")[0] ?? "";
  }
  return { hospital, ask };
}
