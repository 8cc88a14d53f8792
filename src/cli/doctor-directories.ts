// Doctor checks of the hospital's directories: whether they answer, and accept us.
import { readFileSync } from "node:fs";
import { createLdapConnector } from "../accounts/directories/ldap-connection.ts";
import { createLdapDirectory } from "../accounts/directories/ldap-directory.ts";
import { createOidcClient } from "../accounts/directories/oidc-client.ts";
import { createHashGate } from "../accounts/hash-gate.ts";
import type { Config } from "../config/schema.ts";
import { systemClock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Finding } from "./doctor-checks.ts";

export async function checkDirectories({ sign_in: { oidc, ldap } }: Config): Promise<Finding[]> {
  const findings: Promise<Finding>[] = [];
  if (oidc.issuer !== "") findings.push(finding("oidc", () => lookAtProvider(oidc)));
  if (ldap.urls.length > 0) findings.push(finding("ldap", () => lookAtDirectory(ldap)));
  return Promise.all(findings);
}

async function lookAtProvider(settings: Config["sign_in"]["oidc"]): Promise<Omit<Finding, "check">> {
  const client = createOidcClient({ settings, clock: systemClock, caPem: pemOf(settings.ca_file) });
  const { issuesRefreshTokens } = await client.look();
  const { host } = new URL(settings.issuer);
  if (issuesRefreshTokens) return { state: "ok", message: `${host} answers as the issuer.` };
  return {
    state: "warn",
    message: `${host} gives no refresh token for these scopes: sign-ins end after recheck_minutes and unreachable_minutes.`,
  };
}

async function lookAtDirectory(settings: Config["sign_in"]["ldap"]): Promise<Omit<Finding, "check">> {
  const clock = systemClock;
  const connector = createLdapConnector({ settings, clock, caPem: pemOf(settings.ca_file) });
  await createLdapDirectory({ settings, connector, gate: createHashGate(), clock }).look();
  return { state: "ok", message: "The directory answers and accepts the service account." };
}

const pemOf = (file: string): string | null => (file === "" ? null : readFileSync(file, "utf8"));

async function finding(check: string, look: () => Promise<Omit<Finding, "check">>): Promise<Finding> {
  try {
    return { check, ...(await look()) };
  } catch (error) {
    return { check, state: "FAIL", message: `${messageOf(error)} Local accounts still sign in.` };
  }
}
