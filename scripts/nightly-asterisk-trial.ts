// `ringward trunks try` and the settings that it prints, used verbatim: before them it reports the fault; after them
// registration, OPTIONS and a call work, for an account that registers and for a trunk identified by its address.
import { runBinary } from "../test/support/binary.ts";
import { command } from "../test/support/calls.ts";
import { sipHospital, type SipHospital } from "../test/support/sip-hospital.ts";
import { filesOf, registeredAccount } from "./asterisk-accounts.ts";
import { LOOPBACK, LOOPBACK_6, PEOPLE, TRUSTED_ADDRESS } from "./asterisk-settings.ts";
import { fileHolding, type Check, type World } from "./nightly-asterisk-world.ts";
import { expectThat } from "./nightly-checks.ts";

const SECRET = "another-s3cret";

interface Trial {
  name: string;
  account?: { username: string; secret: string };
  register: boolean;
  host?: string;
  env: Record<string, string>;
}

/** Output of `trunks try`: its findings, and the settings for Asterisk. */
async function tryTrunk(
  hospital: SipHospital,
  trunkName: string,
  number: string,
  env: Record<string, string> = {},
): Promise<{ findings: string; settings: string }> {
  const call = ["--number", number, "--reason", "The telephones belong to the test."];
  const args = ["trunks", "try", trunkName, ...call, "--for", "asterisk", "--data", hospital.dataDir];
  const { stdout } = await runBinary(args, { env: { ...hospital.env, ...env } });
  const settingsAt = stdout.indexOf("; pjsip.conf");
  return { findings: stdout.slice(0, settingsAt), settings: stdout.slice(settingsAt) };
}

const hasFailed = (findings: string) => /^FAIL/m.test(findings);

const whatWorks = (findings: string) =>
  findings
    .split("\n")
    .filter((text) => text.startsWith("ok"))
    .map((text) => text.replace(/^ok +(\w+) +/, "$1: "))
    .join(" ");

async function tried(world: World, { account, register, host = LOOPBACK, env }: Trial): Promise<string> {
  const hospital = await sipHospital();
  const line = await hospital.addLine({ host, port: world.asterisk.ports.sip, register, ...(account && { account }) });
  const before = await tryTrunk(hospital, line.trunkName, PEOPLE.talks, env);
  expectThat(hasFailed(before.findings), `Asterisk does not know it, and all is well:\n${before.findings}`);
  world.asterisk.addAccount(filesOf(before.settings, SECRET));
  const { findings } = await tryTrunk(hospital, line.trunkName, PEOPLE.talks, env);
  expectThat(!hasFailed(findings) && /^ok +call /m.test(findings), `${before.findings}\n\n${findings}`);
  return whatWorks(findings);
}

/** Asterisk's certificate has a private CA, as at most exchanges. */
async function triedWithoutAuthority(world: World): Promise<string> {
  const username = "2103";
  world.asterisk.addAccount(registeredAccount(username, SECRET, ["media_encryption=sdes"]));
  const hospital = await sipHospital();
  const { caPem, ports } = world.asterisk;
  const account = { username, secret: SECRET };
  const line = await hospital.addLine({ port: ports.tls, register: true, account, tls: { caPem, srtp: "required" } });
  await command(hospital, "trunks", "change", line.trunkName, "--ca-file", "none");
  const before = (await tryTrunk(hospital, line.trunkName, PEOPLE.talks)).findings;
  expectThat(hasFailed(before) && before.includes("--ca-file FILE"), `The option is not named:\n${before}`);
  await command(hospital, "trunks", "change", line.trunkName, "--ca-file", fileHolding(caPem));
  const { findings } = await tryTrunk(hospital, line.trunkName, PEOPLE.talks);
  expectThat(!hasFailed(findings) && /^ok +call /m.test(findings), findings);
  return whatWorks(findings);
}

/** Silence alone does not indicate a closed port. */
async function triedInSilence(world: World): Promise<string> {
  const username = "2104";
  world.asterisk.addAccount(registeredAccount(username, SECRET));
  const hospital = await sipHospital();
  const account = { username, secret: SECRET };
  const line = await hospital.addLine({ port: world.asterisk.ports.sip, register: true, account });
  const { findings } = await tryTrunk(hospital, line.trunkName, PEOPLE.saysNothing);
  const told = /^\? +call +(Answered, but no audio came.*)$/m.exec(findings)?.[1];
  expectThat(told !== undefined && !hasFailed(findings), findings);
  return told ?? "";
}

const TRIALS: Trial[] = [
  { name: "an account that registers", account: { username: "2101", secret: SECRET }, register: true, env: {} },
  {
    name: "a trunk known by its address",
    register: false,
    env: { RINGWARD_TELEPHONY__SIP__ADDRESS: TRUSTED_ADDRESS },
  },
  {
    name: "an account that registers over IPv6",
    account: { username: "2102", secret: SECRET },
    register: true,
    host: LOOPBACK_6,
    env: { RINGWARD_TELEPHONY__SIP__ADDRESS: "::" },
  },
];

export const SETTINGS_TRIED: Check[] = [
  ...TRIALS.map((trial): Check => ({
    group: "try",
    name: `the printed settings, word for word: ${trial.name}`,
    run: (world) => tried(world, trial),
  })),
  { group: "try", name: "a missing authority: the option that names it is told", run: triedWithoutAuthority },
  { group: "try", name: "an extension that is silent is not called a closed port", run: triedInSilence },
];
