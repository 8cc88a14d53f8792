// Speech recognition in the compiled binary: ONNX Runtime and the weights are unpacked from it, and removed at exit.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, tempFolder } from "../support/binary.ts";
import { sipHospital } from "../support/sip-hospital.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

test("voice activity detection and recogniser start from the executable, report their speed, and leave nothing behind", async () => {
  const unpacked = tempFolder();
  const hospital = await sipHospital();
  const server = await hospital.start({
    RINGWARD_SPEECH__RECOGNISERS: "1",
    RINGWARD_RULES__ENFORCE: "true",
    TMPDIR: unpacked,
  });
  const metric = async (name: string) =>
    Number(new RegExp(`^ringward_speech_${name} (\\S+)$`, "m").exec((await ask(server, "GET", "/metrics")).text)?.[1]);
  await until(async () => (await metric("listening")) === 1, { withinMs: 120_000, everyMs: 200 });
  expect(await metric("recognisers")).toBe(1);
  expect(await metric("utterance_ms")).toBeGreaterThan(0);
  expect(await metric("most_talking_calls")).toBeGreaterThanOrEqual(1);
  // The voice loads in parallel to the recogniser and may be ready later.
  await until(async () => (await ask(server, "GET", "/readyz")).text.includes(`"notes":{}`), {
    withinMs: 120_000,
    everyMs: 200,
  });
  await server.stop();
  expect(readdirSync(unpacked).filter((name) => name.startsWith("ringward-native"))).toEqual([]);
}, 180_000);
