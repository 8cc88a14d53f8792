// G.722 with baresip, whose codec is SpanDSP's. Both sides hear each other at 16 kHz, with and without SRTP. Without
// G.722 on the telephone the call falls back to G.711.
import { afterEach, expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { silentLogger } from "../../../src/core/logger.ts";
import { CODECS } from "../../../src/audio/codec.ts";
import { createMediaEngine, type MediaEngine } from "../../../src/telephony/rtp/engine.ts";
import { playableOf } from "../../../src/telephony/rtp/playable.ts";
import { createResampler } from "../../../src/audio/resample.ts";
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

putPhonesAway();
stopAgentsAfterEach();

const NUMBER = "+919800000001";
/** Said at 16 kHz they are twice as high, up to 6.4 kHz: more than G.711 carries. */
const OUR_WORDS = speechLike(2, 1);
const THEIR_WORDS = speechLike(2, 2);
/** Both have said their words three times over by then, at 50 packets a second. */
const SAID_PACKETS = 175;
const ca = createPrivateCa();

const engines: MediaEngine[] = [];
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop()));
});

function at8kHz(wide: Int16Array): Int16Array {
  const resampler = createResampler(16_000);
  return Int16Array.of(...resampler.push(wide), ...resampler.flush());
}

async function callTo(options: Partial<PhoneOptions>) {
  const isEncrypted = options.encryption !== undefined;
  const certificate = isEncrypted ? { certificate: ca.issue(["127.0.0.1"]) } : {};
  const phone = await startPhone({ number: NUMBER, ...certificate, ...options });
  const engine = createMediaEngine({ logger: silentLogger, bindAddress: "127.0.0.1", portRange: audioPorts(10) });
  engines.push(engine);
  const recordingFile = join(tempFolder(), "call.wav");
  const stream = await engine.open("call_1", { recordingFile });
  const heardWide: number[] = [];
  stream.onFrame((_, isHeard, wide) => {
    if (isHeard && wide) heardWide.push(...wide);
  });
  const media: MediaPort = {
    localAddress: stream.localAddress,
    localPort: stream.localPort,
    negotiated: (remote) => stream.negotiated(remote),
  };
  const trunk = isEncrypted
    ? trunkAt(phone.port + 1, { transport: "tls", caPem: ca.caPem, srtp: "required" })
    : trunkAt(phone.port);
  const run = await startAgent([trunk], { makeMedia: () => media });
  run.invite({ codecOrder: CODECS });
  await run.heard("call_1 answered");
  stream.answered();
  stream.record(true);
  const said = saidOver(OUR_WORDS);
  stream.play(playableOf(at8kHz(said), said), () => {});
  await until(() => stream.stats().receivedPackets > SAID_PACKETS, { what: () => phone.output() });
  const stats = stream.stats();
  run.agent.hangUp("call_1");
  await run.ended();
  await phone.told("CALL_CLOSED");
  expect((await stream.close()).recorded).toBe(true);
  const [agent, caller] = parseWav(readFileSync(recordingFile)).channels;
  return { phone, stats, heardWide, agent, caller };
}

test.each(["clear", "SRTP"] as const)(
  "a call to it in %s: both sides hear each other at 16 kHz, and both are in the recording",
  async (secrecy) => {
    const encryption = secrecy === "SRTP" ? { encryption: "srtp-mand" as const } : {};
    const { phone, stats, heardWide, agent, caller } = await callTo({
      codec: "G722",
      says: THEIR_WORDS,
      ...encryption,
    });
    expect(stats.codec).toBe("G722");
    expect(stats.encryption?.isWhole ?? false).toBe(secrecy === "SRTP");
    expect(heardShare(phone.heard(), OUR_WORDS)).toBeGreaterThan(WELL_HEARD);
    expect(heardShare(heardWide, THEIR_WORDS)).toBeGreaterThan(WELL_HEARD);
    expect(heardShare(agent, at8kHz(OUR_WORDS))).toBeGreaterThan(WELL_HEARD);
    expect(heardShare(caller, at8kHz(THEIR_WORDS))).toBeGreaterThan(WELL_HEARD);
  },
  180_000,
);

test("a telephone without G.722 is spoken to in G.711, at 8 kHz", async () => {
  const { phone, stats, heardWide, caller } = await callTo({ codec: "PCMA", says: at8kHz(THEIR_WORDS) });
  expect(stats.codec).toBe("PCMA");
  expect(heardWide).toEqual([]);
  expect(heardShare(phone.heard(), at8kHz(OUR_WORDS))).toBeGreaterThan(WELL_HEARD);
  expect(heardShare(caller, at8kHz(THEIR_WORDS))).toBeGreaterThan(WELL_HEARD);
}, 180_000);
