// `ringward trunks try` and the settings that it prints, used word for word: before them it says what is wrong, after them
// registration, OPTIONS and a call work, for an account that registers and for a trunk that is known by its address.
import { runBinary } from "../test/support/binary.ts";
import { sipHospital } from "../test/support/sip-hospital.ts";
import { filesOf } from "./asterisk-accounts.ts";
import { LOOPBACK, LOOPBACK_6, PEOPLE, TRUSTED_ADDRESS } from "./asterisk-settings.ts";
import type { Check, World } from "./nightly-asterisk-world.ts";
import { expectThat } from "./nightly-checks.ts";

const SECRET = "another-s3cret";

interface Trial {
  name: string;
  account?: { username: string; secret: string };
  register: boolean;
  host?: string;
  env: Record<string, string>;
}

async function tried(world: World, { account, register, host = LOOPBACK, env }: Trial): Promise<string> {
  const hospital = await sipHospital();
  const line = await hospital.addLine({ host, port: world.asterisk.ports.sip, register, ...(account && { account }) });
  const run = async () => {
    const args = [
      "trunks",
      "try",
      line.trunkName,
      "--number",
      PEOPLE.talks,
      "--for",
      "asterisk",
      "--data",
      hospital.dataDir,
    ];
    return (await runBinary(args, { env: { ...hospital.env, ...env } })).stdout;
  };
  const before = await run();
  expectThat(/^FAIL/m.test(before), `Asterisk does not know it, and all is well:\n${before}`);
  world.asterisk.addAccount(filesOf(before.slice(before.indexOf("; pjsip.conf")), SECRET));
  const after = await run();
  const findings = after.slice(0, after.indexOf("; pjsip.conf"));
  expectThat(!/^FAIL/m.test(findings) && /^ok +call /m.test(findings), `${before}\n\n${findings}`);
  return findings
    .split("\n")
    .filter((text) => text.startsWith("ok"))
    .map((text) => text.replace(/^ok +(\w+) +/, "$1: "))
    .join(" ");
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

export const SETTINGS_TRIED: Check[] = TRIALS.map((trial) => ({
  group: "try",
  name: `the printed settings, word for word: ${trial.name}`,
  run: (world) => tried(world, trial),
}));
