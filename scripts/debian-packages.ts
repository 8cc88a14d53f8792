// Programs that some tests drive and that come from Debian: brought where that is allowed, reported where it is not.

export interface DebianPackage {
  name: string;
  /** The command that shows the package is there. */
  command: string;
  /** Test files that cannot run without it, as globs from the root of the checkout. */
  usedBy: string[];
}

export const DEBIAN_PACKAGES: DebianPackage[] = [
  { name: "chromium", command: "chromium", usedBy: ["test/browser/**/*.test.ts"] },
  // About 11 s each to install: receivers copy our Go and PHP, so both are run and not only read.
  { name: "golang-go", command: "go", usedBy: ["test/events/verifier/snippet-go.test.ts"] },
  { name: "php-cli", command: "php", usedBy: ["test/events/verifier/snippet-php.test.ts"] },
  // SIPp: a SIP stack that is not ours, for each answer and race that a trunk can come up with.
  {
    name: "sip-tester",
    command: "sipp",
    usedBy: [
      "test/telephony/sip/{call,trunk}/sipp-*.test.ts",
      "test/telephony/sip/matrix.test.ts",
      "test/telephony/sip/carrier/{contract,phone-agent,worker}.test.ts",
      "test/scenarios/sip-outcomes.test.ts",
    ],
  },
  // baresip: a telephone that is not ours, to hear what we say and to be heard. Its core has every module we need.
  {
    name: "baresip-core",
    command: "baresip",
    usedBy: [
      "test/telephony/sip/{baresip*,matrix}.test.ts",
      "test/scenarios/sip-{encrypted,hostile,inbound,reminder,stolen-audio,talk}.test.ts",
    ],
  },
];

/** How to call apt-get here, or the reason why it may not be called. */
function aptGet(): string[] | string {
  if (!Bun.which("apt-get")) return "there is no apt-get on this machine";
  if (process.getuid?.() === 0) return ["apt-get"];
  const mayUseSudo = Bun.which("sudo") && Bun.spawnSync(["sudo", "-n", "true"], { stderr: "ignore" }).success;
  return mayUseSudo ? ["sudo", "-n", "apt-get"] : "installing needs root or sudo without a password";
}

/** Installs what is missing. Returns why it could not, or undefined once every command is there. */
export function installPackages(wanted: DebianPackage[]): string | undefined {
  const missing = wanted.filter(({ command }) => !Bun.which(command));
  if (missing.length === 0) return undefined;
  const apt = aptGet();
  if (typeof apt === "string") return apt;

  const names = missing.map(({ name }) => name);
  console.log(`Installing ${names.join(", ")} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const step of [
    ["update", "-qq"],
    ["install", "-y", "-qq", "--no-install-recommends", ...names],
  ]) {
    const run = Bun.spawnSync([...apt, ...step], { env });
    if (!run.success) return `apt-get ${step.join(" ")} failed:\n${run.stdout.toString()}${run.stderr.toString()}`;
  }
  const stillMissing = missing.filter(({ command }) => !Bun.which(command));
  if (stillMissing.length === 0) return undefined;
  return `apt-get installed it, yet there is no ${stillMissing.map(({ command }) => command).join(", ")} on the PATH`;
}
