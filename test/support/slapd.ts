// OpenLDAP's slapd, a real directory, with TLS, memberOf, and the attributes of Active Directory that we read.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reservedPort } from "./free-ports.ts";
import { createPrivateCa } from "./private-ca.ts";
import { tempFolder } from "./temp.ts";
import { until } from "./until.ts";

export const BASE = "dc=hospital,dc=example";
export const SERVICE = { dn: `cn=ringward,${BASE}`, password: "the service account's" };
const ADMIN = { dn: `cn=admin,${BASE}`, password: "the administrator's" };
/** Debian has it outside of PATH. */
export const SLAPD = "/usr/sbin/slapd";

export interface Slapd {
  readonly port: number;
  readonly tlsPort: number;
  readonly caFile: string;
  /** LDIF with changetype lines. */
  change(ldif: string): void;
  /** A person with a password; returns the distinguished name. */
  addPerson(uid: string, password: string, lines?: readonly string[]): string;
  addGroup(name: string, members: readonly string[]): string;
  stop(): Promise<void>;
}

const CONFIG = (folder: string) => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
attributetype ( 1.2.840.113556.1.4.8 NAME 'userAccountControl' EQUALITY integerMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.159 NAME 'accountExpires' EQUALITY integerMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
objectclass ( 1.2.840.113556.1.5.9 NAME 'adUser' SUP top AUXILIARY
  MAY ( userAccountControl $ accountExpires $ sAMAccountName ) )
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
pidfile ${folder}/pid
TLSCACertificateFile ${folder}/ca.pem
TLSCertificateFile ${folder}/cert.pem
TLSCertificateKeyFile ${folder}/key.pem
# As directories of old do: whoever gives no password is let in as nobody.
allow bind_anon_cred bind_anon_dn
database mdb
suffix "${BASE}"
rootdn "${ADMIN.dn}"
rootpw "${ADMIN.password}"
directory ${folder}/db
overlay memberof
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${SERVICE.dn}" read by * none
`;

export async function startSlapd(names: readonly string[] = ["localhost"]): Promise<Slapd> {
  const folder = tempFolder();
  const ca = createPrivateCa();
  const { certPem, keyPem } = ca.issue(names);
  mkdirSync(join(folder, "db"));
  for (const [name, text] of Object.entries({ "ca.pem": ca.caPem, "cert.pem": certPem, "key.pem": keyPem }))
    writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "slapd.conf"), CONFIG(folder));
  const [port, tlsPort] = [reservedPort(), reservedPort()];
  const at = `ldap://127.0.0.1:${port}`;
  const server = Bun.spawn(
    [SLAPD, "-f", join(folder, "slapd.conf"), "-h", `${at} ldaps://127.0.0.1:${tlsPort}`, "-d", "0"],
    {
      stdout: "ignore",
      stderr: "ignore",
    },
  );
  const asAdmin = ["-x", "-H", at, "-D", ADMIN.dn, "-w", ADMIN.password];
  await until(() => Bun.spawnSync(["ldapwhoami", ...asAdmin]).exitCode === 0, { what: () => "slapd does not answer" });

  const change = (ldif: string) => {
    const run = Bun.spawnSync(["ldapmodify", ...asAdmin], { stdin: Buffer.from(`${ldif.trim()}\n`), stderr: "pipe" });
    if (run.exitCode !== 0) throw new Error(`ldapmodify: ${run.stderr.toString()}`);
  };
  const add = (dn: string, lines: readonly string[]) => {
    change([`dn: ${dn}`, "changetype: add", ...lines].join("\n"));
    return dn;
  };
  add(BASE, ["objectClass: dcObject", "objectClass: organization", "o: Hospital"]);
  add(SERVICE.dn, [
    "objectClass: organizationalRole",
    "objectClass: simpleSecurityObject",
    `userPassword: ${SERVICE.password}`,
  ]);
  for (const name of ["people", "groups"]) add(`ou=${name},${BASE}`, ["objectClass: organizationalUnit"]);

  return {
    port,
    tlsPort,
    caFile: join(folder, "ca.pem"),
    change,
    addPerson: (uid, password, lines = []) =>
      add(`uid=${uid},ou=people,${BASE}`, [
        "objectClass: inetOrgPerson",
        "objectClass: adUser",
        `cn: Person ${uid}`,
        "sn: Person",
        `mail: ${uid}@directory.example`,
        `userPassword: ${password}`,
        ...lines,
      ]),
    addGroup: (name, members) =>
      add(`cn=${name},ou=groups,${BASE}`, ["objectClass: groupOfNames", ...members.map((dn) => `member: ${dn}`)]),
    async stop() {
      server.kill();
      await server.exited;
    },
  };
}
