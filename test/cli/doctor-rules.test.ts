// The doctor warns where real telephones ring without the legal rules.
import { expect, test } from "bun:test";
import { checkTelephony } from "../../src/cli/doctor-telephony.ts";
import { loadConfig } from "../../src/config/load.ts";
import { tempFolder } from "../support/binary.ts";

const SIP = { RINGWARD_TELEPHONY__CARRIER: "sip", RINGWARD_TELEPHONY__SIP__PORT: "0" };
const TRUNK = { RINGWARD_TRUNKS__PBX__HOST: "192.0.2.1" };
const LOOSE = { RINGWARD_RULES__ENFORCE: "false" };

test.each<[what: string, settings: Record<string, string>, state: string]>([
  ["enforced over SIP", { ...SIP, ...TRUNK }, "ok"],
  ["not enforced in the simulator", { ...LOOSE }, "ok"],
  ["not enforced, and there is no trunk", { ...SIP, ...LOOSE }, "ok"],
  ["not enforced over a SIP trunk", { ...SIP, ...TRUNK, ...LOOSE }, "warn"],
])("rules %s", async (_, settings, state) => {
  const config = loadConfig({ environment: { RINGWARD_DATA__DIR: tempFolder(), ...settings } });
  const finding = (await checkTelephony(config)).find(({ check }) => check === "rules");
  expect(finding?.state).toBe(state as "ok");
  if (state === "warn") expect(finding?.message).toContain("Set rules.enforce = true.");
});
