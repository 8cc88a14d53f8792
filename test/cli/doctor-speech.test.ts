import { expect, test } from "bun:test";
import { checkSpeech } from "../../src/cli/doctor-speech.ts";
import { loadConfig } from "../../src/config/load.ts";

const withSettings = (carrier: string, recognisers: string) =>
  loadConfig({
    environment: { RINGWARD_TELEPHONY__CARRIER: carrier, RINGWARD_SPEECH__RECOGNISERS: recognisers },
  });

test("the doctor says who listens, how quickly, and to how many calls", async () => {
  const [finding] = await checkSpeech(withSettings("sip", "2"));
  expect(finding).toMatchObject({
    check: "speech",
    message: expect.stringMatching(
      /moonshine-tiny-en .* \d+ ms for an ordinary answer, 2 at once; about \d+ talking calls/,
    ),
  });
}, 180_000);

test("it reports that recognition is off, and prints nothing on simulated lines", async () => {
  expect(await checkSpeech(withSettings("sip", "0"))).toEqual([
    { check: "speech", state: "ok", message: "Calls are led by keys alone: speech.recognisers is 0." },
  ]);
  expect(await checkSpeech(withSettings("simulator", "auto"))).toEqual([]);
});
