// The executable with a real directory: the doctor looks at it, and people sign in.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { appliance, PASSWORD } from "../support/appliance.ts";
import { leaveNothingBehind, runBinary, startBinary } from "../support/binary.ts";
import { OWN_PAGE } from "../support/dashboard.ts";
import { BASE, SERVICE, startSlapd, type Slapd } from "../support/slapd.ts";

leaveNothingBehind();

const THEIRS = "a password of the directory";
let slapd: Slapd;
let dataDir: string;

beforeAll(async () => {
  slapd = await startSlapd();
  slapd.addGroup("ward", [slapd.addPerson("ravi", THEIRS)]);
  dataDir = await appliance();
}, 180_000);
afterAll(() => slapd.stop());

const settings = (urls: string, startTls: boolean) => ({
  RINGWARD_SIGN_IN__LDAP__URLS: urls,
  RINGWARD_SIGN_IN__LDAP__START_TLS: String(startTls),
  RINGWARD_SIGN_IN__LDAP__CA_FILE: slapd.caFile,
  RINGWARD_SIGN_IN__LDAP__BIND_DN: SERVICE.dn,
  RINGWARD_SIGN_IN__LDAP__BIND_PASSWORD: SERVICE.password,
  RINGWARD_SIGN_IN__LDAP__USER_BASE: `ou=people,${BASE}`,
  RINGWARD_SIGN_IN__LDAP__GROUPS: JSON.stringify([{ group: `cn=ward,ou=groups,${BASE}`, role: "staff" }]),
});

test("people of the directory and local people sign in, over LDAPS and StartTLS", async () => {
  const ways = [
    settings(`ldaps://localhost:${slapd.tlsPort}`, false),
    settings(`ldap://localhost:${slapd.port}`, true),
  ];
  for (const env of ways) {
    const looked = await runBinary(["doctor", "--quick", "--json", "--data", dataDir], { env });
    const findings = JSON.parse(looked.stdout) as { check: string; state: string }[];
    expect(findings.find(({ check }) => check === "ldap")?.state).toBe("ok");
    const server = await startBinary({ demo: false, dataDir, env });
    const login = async (email: string, password: string) => {
      const headers = { ...OWN_PAGE, "content-type": "application/json" };
      const body = JSON.stringify({ email, password });
      return (await fetch(`${server.url}/dashboard/api/login`, { method: "POST", headers, body })).status;
    };
    expect(await login("ravi", THEIRS)).toBe(200);
    expect(await login("ravi", "wrong")).toBe(401);
    expect(await login("owner@hospital.example", PASSWORD)).toBe(200);
    await server.stop();
  }
}, 180_000);
