import { expect, test } from "bun:test";
import { checkVoice } from "../../src/cli/doctor-voice.ts";
import { loadConfig } from "../../src/config/load.ts";

const withCarrier = (carrier: string) => loadConfig({ environment: { RINGWARD_TELEPHONY__CARRIER: carrier } });

test("the doctor says which voice speaks, and how quickly in each language", async () => {
  const findings = await checkVoice(withCarrier("sip"));
  expect(findings.map(({ check }) => check)).toEqual(["voice", "voice"]);
  expect(findings[0]?.message).toMatch(/^The neural voice speaks English.* \d+ ms/);
  expect(findings[1]?.message).toMatch(/^The neural voice speaks Hindi.* \d+ ms/);
}, 180_000);

test("and where it is only the simple one, why", async () => {
  const cannot = () => Promise.reject(new Error("There is no ONNX Runtime for linux-x64-musl."));
  expect(await checkVoice(withCarrier("sip"), cannot)).toEqual([
    {
      check: "voice",
      state: "warn",
      message: "The simple voice (Flite) is used, English only: There is no ONNX Runtime for linux-x64-musl.",
    },
  ]);
});

test("on simulated lines no voice is used, and nothing is loaded", async () => {
  const never = () => Promise.reject(new Error("loaded"));
  expect(await checkVoice(withCarrier("simulator"), never)).toEqual([]);
});
