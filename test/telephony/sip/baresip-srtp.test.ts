// SRTP with baresip over TLS, in both of its modes, and the calls that must be refused.
import { afterEach, expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { silentLogger } from "../../../src/core/logger.ts";
import { createMediaEngine, type MediaEngine } from "../../../src/telephony/rtp/engine.ts";
import type { AudioStream, RemoteMedia } from "../../../src/telephony/rtp/audio-stream.ts";
import { playableOf } from "../../../src/telephony/rtp/playable.ts";
import type { MediaPort } from "../../../src/telephony/sip/call/user-agent-port.ts";
import { putPhonesAway, startPhone, testWithPhone as test, type PhoneOptions } from "../../support/baresip.ts";
import { heardShare, WELL_HEARD } from "../../support/correlate.ts";
import { audioPorts } from "../../support/free-ports.ts";
import { createPrivateCa } from "../../support/private-ca.ts";
import { saidOver, speechLike } from "../../support/sounds.ts";
import { tempFolder } from "../../support/temp.ts";
import { until } from "../../support/until.ts";
import { parseWav } from "../wav.ts";
import { startAgent, stopAgentsAfterEach, trunkAt } from "./call/agent-under-test.ts";
import type { SrtpPolicy } from "../../../src/trunks/trunk-settings.ts";

putPhonesAway();
stopAgentsAfterEach();

const NUMBER = "+919800000001";
const OUR_WORDS = speechLike(1, 1);
const THEIR_WORDS = speechLike(1, 2);
/** Both have said their words three times over by then, at 50 packets a second. */
const SAID_PACKETS = 175;
const ca = createPrivateCa();

const engines: MediaEngine[] = [];
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop()));
});

async function talkTo(srtp: SrtpPolicy, encryption?: PhoneOptions["encryption"], says = THEIR_WORDS) {
  const certificate = ca.issue(["127.0.0.1"]);
  const phone = await startPhone({
    number: NUMBER,
    says,
    certificate,
    ...(encryption && { encryption }),
  });
  const engine = createMediaEngine({ logger: silentLogger, bindAddress: "127.0.0.1", portRange: audioPorts(10) });
  engines.push(engine);
  const recordingFile = join(tempFolder(), "call.wav");
  const stream = await engine.open("call_1", { recordingFile });
  const agreed: RemoteMedia[] = [];
  const media: MediaPort = {
    localAddress: stream.localAddress,
    localPort: stream.localPort,
    negotiated(remote) {
      agreed.push(remote);
      stream.negotiated(remote);
    },
  };
  const trunk = trunkAt(phone.port + 1, { transport: "tls", caPem: ca.caPem, srtp });
  const run = await startAgent([trunk], { makeMedia: () => media });
  return { phone, stream, run, recordingFile, agreed };
}

const begin = (stream: AudioStream) => {
  stream.answered();
  stream.record(true);
  stream.play(playableOf(saidOver(OUR_WORDS)), () => {});
};

test.each([
  ["required", "srtp-mand", true],
  ["preferred", "srtp-mand", true],
  ["required", "srtp", true],
  ["preferred", "nothing", false],
] as const)(
  "a call to it with srtp = %s, to which it says %s: both sides hear each other, and it is known whether in clear",
  async (srtp, encryption, isEncrypted) => {
    const { phone, stream, run, recordingFile } = await talkTo(srtp, encryption === "nothing" ? undefined : encryption);
    run.invite();
    await run.heard("call_1 answered");
    begin(stream);
    await until(() => stream.stats().receivedPackets > SAID_PACKETS, { what: () => phone.output() });
    const stats = stream.stats();
    run.agent.hangUp("call_1");
    await run.ended();
    await phone.told("CALL_CLOSED");
    expect((await stream.close()).recorded).toBe(true);
    const [agent, caller] = parseWav(readFileSync(recordingFile)).channels;

    expect(stats.encryption).toEqual(isEncrypted ? { suite: "AES_CM_128_HMAC_SHA1_80", isWhole: true } : null);
    expect(heardShare(phone.heard(), OUR_WORDS)).toBeGreaterThan(WELL_HEARD);
    expect(heardShare(caller, THEIR_WORDS)).toBeGreaterThan(WELL_HEARD);
    expect(heardShare(agent, OUR_WORDS)).toBeGreaterThan(WELL_HEARD);
    expect(phone.output().includes("SRTP is Enabled")).toBe(isEncrypted);
  },
  180_000,
);

test("it holds and resumes an encrypted call, and is heard again", async () => {
  // It says them for over a minute, so that it still does when it has held and resumed.
  const says = saidOver(saidOver(saidOver(THEIR_WORDS)));
  const { phone, stream, run, agreed } = await talkTo("required", "srtp-mand", says);
  run.invite();
  await run.heard("call_1 answered");
  stream.answered();
  stream.record(true);
  await phone.hold();
  await until(() => agreed.length === 2, { what: () => phone.output() });
  await phone.resume();
  await until(() => agreed.length === 3, { what: () => phone.output() });
  const heardAgain: number[] = [];
  stream.onFrame((frame) => heardAgain.push(...frame));
  begin(stream);
  const before = stream.stats();
  await until(() => stream.stats().receivedPackets > before.receivedPackets + SAID_PACKETS);
  const after = stream.stats();
  run.agent.hangUp("call_1");
  await run.ended();

  expect(agreed.map(({ direction }) => direction)).toEqual(["sendrecv", "sendonly", "sendrecv"]);
  // This telephone keeps its key over a hold; a peer that changes it is scripted, in encrypted-call.test.ts.
  expect(agreed.every(({ keys }) => keys !== null && keys.theirs === agreed[0]?.keys?.theirs)).toBe(true);
  expect(after).toMatchObject({ encryption: { isWhole: true } });
  expect(after.sentPackets).toBeGreaterThan(before.sentPackets);
  expect(heardShare(heardAgain, THEIR_WORDS)).toBeGreaterThan(WELL_HEARD);
}, 180_000);

test("required, and it speaks in clear alone: the call fails, and says why", async () => {
  const { run } = await talkTo("required");
  run.invite();
  const ending = await run.ended();
  expect(ending).toMatchObject({ outcome: "carrier_error" });
  expect(ending.message).toContain("srtp");
}, 180_000);

test("off, and it takes no call in clear: the call fails", async () => {
  const { run } = await talkTo("off", "srtp-mand");
  run.invite();
  expect((await run.ended()).outcome).toBe("carrier_error");
}, 180_000);
