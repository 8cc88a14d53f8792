// Appliances beside a directory that a test scripts, and the people who sign in with it.
import { askDashboard } from "./dashboard.ts";
import {
  bindResult,
  searchDone,
  searchEntry,
  startScriptedDirectory,
  startTlsResult,
  type Attributes,
  type LdapAnswer,
  type LdapRequest,
  type LdapScript,
  type ScriptedDirectory,
} from "./scripted-directory.ts";
import { createTestApp, type TestApp } from "./test-app.ts";

export const API = "/dashboard/api";
export const LDAP = "RINGWARD_SIGN_IN__LDAP__";
export const BASE = "dc=hospital,dc=example";
export const SERVICE = { dn: `cn=ringward,${BASE}`, password: "the service account's" };
export const WARD = `cn=ward,ou=groups,${BASE}`;
export const THEIRS = "a password of the directory";

export type ScriptedWard = Awaited<ReturnType<typeof startScriptedWard>>;

export async function startScriptedWard() {
  const directory: ScriptedDirectory = await startScriptedDirectory(honest());
  const open: TestApp[] = [];
  let [source, count] = [0, 0];
  return {
    directory,
    upgraded: () => ({ [`${LDAP}URLS`]: `ldap://localhost:${directory.port}`, [`${LDAP}START_TLS`]: "true" }),

    /** Closed with the ward. */
    async appliance(further: Record<string, string> = {}): Promise<TestApp> {
      const made = await createTestApp({
        settings: {
          [`${LDAP}URLS`]: `ldaps://localhost:${directory.tlsPort}`,
          [`${LDAP}CA_FILE`]: directory.caFile,
          [`${LDAP}NAME`]: "Hospital AD",
          [`${LDAP}BIND_DN`]: SERVICE.dn,
          [`${LDAP}BIND_PASSWORD`]: SERVICE.password,
          [`${LDAP}USER_BASE`]: `ou=people,${BASE}`,
          [`${LDAP}GROUPS`]: JSON.stringify([{ group: WARD, role: "staff" }]),
          ...further,
        },
      });
      open.push(made);
      return made;
    },

    someone: () => `person${++count}`,
    /** Each from an address of its own unless it is given. */
    give: (on: TestApp, email: string, password = THEIRS, { from = "", cookie = "" } = {}) =>
      askDashboard(on.app, "POST", `${API}/login`, {
        body: { email, password },
        cookie,
        source: from || `198.51.${Math.floor(++source / 250)}.${source % 250}`,
      }),

    /** Before each test: the directory tells the truth again. */
    heal(): void {
      directory.script = honest();
      directory.asked.length = 0;
    },

    async close(): Promise<void> {
      for (const each of open) await each.close();
      directory.stop();
    },
  };
}

export const dnOf = (uid: string) => `uid=${uid},ou=people,${BASE}`;
export const attributesOf = (uid: string): Attributes => ({
  entryUUID: [`id-of-${uid}`],
  mail: [`${uid}@directory.example`],
  cn: [`Person ${uid}`],
  memberOf: [WARD],
});

/** Knows everybody whose name is in the search, and their password. */
export function honest(attributes: (uid: string) => Parameters<typeof searchEntry>[2] = attributesOf): LdapScript {
  return ({ op, id, dn, password, base, bytes }) => {
    if (op === "startTls") return { send: [startTlsResult(id)] };
    if (op === "bind") {
      const isRight = dn === SERVICE.dn ? password === SERVICE.password : password === THEIRS;
      return { send: [bindResult(id, isRight ? 0 : 49)] };
    }
    if (op !== "search") return { closes: true };
    const [uid] = /person[0-9]+/.exec(bytes.toString("latin1")) ?? [];
    const entries = uid && base.startsWith("ou=people") ? [searchEntry(id, dnOf(uid), attributes(uid))] : [];
    return { send: [...entries, searchDone(id)] };
  };
}

/** As the honest directory, but for one kind of request. */
export function except(changed: (request: LdapRequest) => LdapAnswer | Promise<LdapAnswer> | null): LdapScript {
  const usual = honest();
  return (request) => changed(request) ?? usual(request);
}
