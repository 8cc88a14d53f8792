// Debian programs used by tests: installed if permitted, otherwise reported.
import { existsSync } from "node:fs";
import { postgresPrograms } from "./postgres-cluster.ts";

export interface DebianPackage {
  name: string;
  isThere: () => boolean;
  /** A package to install first, and a file with a line that configures it. */
  prepare?: { name: string; file: string; line: string };
  /** Test files that need it, as globs from the root of the checkout. */
  usedBy: string[];
  /** Too slow to install for the everyday tier: its tests run only with --all. */
  isForAll?: true;
}

/** Headless Chromium, which starts in a third of the time; otherwise the full browser. */
export const chromiumPath = () => Bun.which("chromium-headless-shell") ?? Bun.which("chromium");

/** The collector's program, if its TLS module is there too. */
export function rsyslogProgram(): string | null {
  const folders = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map((machine) => `/usr/lib/${machine}/rsyslog`);
  const hasTls = folders.some((folder) => existsSync(`${folder}/lmnsd_gtls.so`));
  return hasTls && existsSync("/usr/sbin/rsyslogd") ? "/usr/sbin/rsyslogd" : null;
}

const onPath = (command: string) => () => Bun.which(command) !== null;

/** Tests start their own clusters in temporary folders; the machine's cluster is not used. */
export const POSTGRESQL: DebianPackage = {
  name: "postgresql",
  isThere: () => postgresPrograms() !== null,
  prepare: {
    name: "postgresql-common",
    file: "/etc/postgresql-common/createcluster.conf",
    line: "create_main_cluster = false",
  },
  // And every test that runs on both engines.
  usedBy: [
    "test/db/postgres/{changes,commands,full-disk,heavy,maintenance,move,prepared,pressure}.test.ts",
    "test/db/postgres/{reconnect,remembered,round-trips,schema,soundness,values}.test.ts",
    "test/scenarios/{older-database,postgres,postgres-silent,torture-postgres}.test.ts",
  ],
};

export const DEBIAN_PACKAGES: DebianPackage[] = [
  { name: "chromium-headless-shell", isThere: () => chromiumPath() !== null, usedBy: ["test/browser/**/*.test.ts"] },
  // About 11 s each to install. Receivers copy our Go and PHP snippets, so both are executed.
  {
    name: "golang-go",
    isThere: onPath("go"),
    usedBy: ["test/events/verifier/snippet-go.test.ts", "test/rules/proof/other-verifiers.test.ts"],
    isForAll: true,
  },
  // Debian compiles sodium into it, which the verifier of proofs needs.
  {
    name: "php-cli",
    isThere: onPath("php"),
    usedBy: ["test/events/verifier/snippet-php.test.ts", "test/rules/proof/other-verifiers.test.ts"],
    isForAll: true,
  },
  { name: "systemd", isThere: onPath("systemd-analyze"), usedBy: ["test/config/service-unit.test.ts"], isForAll: true },
  // Installs our package into a separate root.
  {
    name: "fakeroot",
    isThere: () => Bun.which("dpkg") !== null && (process.getuid?.() === 0 || Bun.which("fakeroot") !== null),
    usedBy: ["test/scripts/debian-package.test.ts"],
    isForAll: true,
  },
  // For promtool, which is only packaged with the server.
  { name: "prometheus", isThere: onPath("promtool"), usedBy: ["test/config/alerts.test.ts"], isForAll: true },
  // The HTTP client of the benchmarks: it uses less CPU than the server.
  { name: "wrk", isThere: onPath("wrk"), usedBy: ["test/scripts/http-load.test.ts"], isForAll: true },
  // A C compiler: a preloaded library shifts the executable's clock.
  {
    name: "build-essential",
    isThere: onPath("cc"),
    usedBy: [
      "test/browser/held-calls.test.ts",
      "test/scenarios/{doubted-clock,machine-off,slow-disk,torture,torture-postgres}.test.ts",
    ],
    isForAll: true,
  },
  // SIPp: an independent SIP stack, for every response and race of a trunk.
  {
    name: "sip-tester",
    isThere: onPath("sipp"),
    usedBy: [
      "test/telephony/sip/{call,trunk}/sipp-*.test.ts",
      "test/telephony/sip/matrix.test.ts",
      "test/telephony/sip/carrier/{contract,phone-agent,worker}.test.ts",
      "test/scenarios/sip-outcomes.test.ts",
    ],
  },
  // baresip: an independent softphone, for audio in both directions. Its core package has every module we need.
  {
    name: "baresip-core",
    isThere: onPath("baresip"),
    usedBy: [
      "test/telephony/sip/{baresip*,matrix}.test.ts",
      "test/scenarios/hl7-reminder.test.ts",
      "test/scenarios/sip-{encrypted,hindi,hostile,inbound,model-led,notices,recording*}.test.ts",
      "test/scenarios/sip-{reminder,stolen-audio,talk*}.test.ts",
    ],
  },
  // zbar: an independent reader of QR codes.
  {
    name: "zbar-tools",
    isThere: onPath("zbarimg"),
    usedBy: ["test/core/qr-code.test.ts"],
    isForAll: true,
  },
  // python3-hl7: an independent HL7 sender and receiver.
  {
    name: "python3-hl7",
    isThere: () => existsSync("/usr/lib/python3/dist-packages/hl7"),
    usedBy: ["test/exchange/hl7/peers.test.ts"],
    isForAll: true,
  },
  // rsyslog with TLS: an independent syslog collector.
  {
    name: "rsyslog-gnutls",
    isThere: () => rsyslogProgram() !== null,
    usedBy: ["test/net/syslog-rsyslog.test.ts"],
    isForAll: true,
  },
  // OpenLDAP: a real directory, and the programs that change it.
  {
    name: "slapd",
    isThere: () => existsSync("/usr/sbin/slapd"),
    usedBy: ["test/accounts/directories/ldap.test.ts", "test/scenarios/directories.test.ts"],
  },
  {
    name: "ldap-utils",
    isThere: onPath("ldapmodify"),
    usedBy: ["test/accounts/directories/ldap.test.ts", "test/scenarios/directories.test.ts"],
  },
  // An independent SMTP server.
  {
    name: "python3-aiosmtpd",
    isThere: () => existsSync("/usr/lib/python3/dist-packages/aiosmtpd"),
    usedBy: ["test/mail/smtp.test.ts", "test/scenarios/alarm-mail.test.ts"],
    isForAll: true,
  },
  POSTGRESQL,
];

/** The apt-get command, or the reason why it may not be used. */
function aptGet(): string[] | string {
  if (!Bun.which("apt-get")) return "there is no apt-get on this machine";
  if (process.getuid?.() === 0) return ["apt-get"];
  const mayUseSudo = Bun.which("sudo") && Bun.spawnSync(["sudo", "-n", "true"], { stderr: "ignore" }).success;
  return mayUseSudo ? ["sudo", "-n", "apt-get"] : "installing needs root or sudo without a password";
}

/** Debian packages call this before they start a service. */
const POLICY = "/usr/sbin/policy-rc.d";

async function firstFault(
  steps: readonly string[][],
  env: Record<string, string | undefined>,
): Promise<string | undefined> {
  for (const step of steps) {
    const run = Bun.spawn(step, { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const [stdout, stderr] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
    if ((await run.exited) !== 0) return `${step.join(" ")} failed:\n${stdout}${stderr}`;
  }
  return undefined;
}

/** The tests that cannot run without a package. */
export function needs({ usedBy }: DebianPackage): (file: string) => boolean {
  const globs = usedBy.map((glob) => new Bun.Glob(glob));
  return (file) => globs.some((glob) => glob.match(file));
}

/** Installs missing packages. Returns the reason for each that is still missing, by name. */
export async function installPackages(wanted: DebianPackage[]): Promise<Map<string, string>> {
  const missing = wanted.filter(({ isThere }) => !isThere());
  if (missing.length === 0) return new Map();
  const apt = aptGet();
  if (typeof apt === "string") return reasonsFor(missing, apt);
  const fault = await installTogether(missing, apt);
  if (fault === undefined) return new Map();
  // A package that cannot be installed must not block the others.
  const reasons = new Map<string, string>();
  for (const each of missing.filter(({ isThere }) => !isThere())) {
    const reason = missing.length === 1 ? fault : await installTogether([each], apt);
    if (reason !== undefined) reasons.set(each.name, reason);
  }
  return reasons;
}

export const reasonsFor = (packages: readonly DebianPackage[], reason: string): Map<string, string> =>
  new Map(packages.map(({ name }) => [name, reason]));

/** Returns why it failed, or undefined if all are installed. */
async function installTogether(missing: DebianPackage[], apt: string[]): Promise<string | undefined> {
  const names = missing.map(({ name }) => name);
  console.log(`Installing ${names.join(", ")} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = [...apt, "install", "-y", "-qq", "--no-install-recommends"];
  // Only the programs are needed, not their services.
  const noServices = existsSync(POLICY) ? null : `printf '#!/bin/sh\\nexit 101\\n' > ${POLICY} && chmod 755 ${POLICY}`;
  const shell = (line: string) => [...apt.slice(0, -1), "sh", "-c", line];
  const before = missing.flatMap(({ prepare }) => (prepare ? [prepare] : []));
  const steps = [
    ...(noServices === null ? [] : [shell(noServices)]),
    [...apt, "update", "-qq"],
    ...before.flatMap(({ name, file, line }) => [[...install, name], shell(`echo '${line}' >> ${file}`)]),
    [...install, ...names],
  ];
  const fault = await firstFault(steps, env);
  if (noServices !== null) await firstFault([shell(`rm -f ${POLICY}`)], env);
  if (fault !== undefined) return fault;
  const stillMissing = missing.filter(({ isThere }) => !isThere());
  if (stillMissing.length === 0) return undefined;
  return `apt-get installed it, yet what ${stillMissing.map(({ name }) => name).join(", ")} brings is not there`;
}
