// Interoperability over IPv6 with baresip: the audio of each side arrives complete at the other.
import { afterEach, beforeAll, expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { silentLogger } from "../../../src/core/logger.ts";
import { createMediaEngine, type MediaEngine } from "../../../src/telephony/rtp/engine.ts";
import { playableOf } from "../../../src/telephony/rtp/playable.ts";
import { putPhonesAway, startPhone, testWithPhone as test } from "../../support/baresip.ts";
import { heardShare, WELL_HEARD } from "../../support/correlate.ts";
import { audioPorts, freeSipPort } from "../../support/free-ports.ts";
import { bringIpv6Loopback } from "../../support/ipv6.ts";
import { saidOver, speechLike } from "../../support/sounds.ts";
import { tempFolder } from "../../support/temp.ts";
import { until } from "../../support/until.ts";
import { parseWav } from "../wav.ts";
import { startAgent, stopAgentsAfterEach, trunkAt } from "./call/agent-under-test.ts";

putPhonesAway();
stopAgentsAfterEach();
beforeAll(bringIpv6Loopback);

const NUMBER = "+919800000001";
const OUR_WORDS = speechLike(1, 1);
const THEIR_WORDS = speechLike(1, 2);
/** Both have said their words three times over by then, at 50 packets a second. */
const SAID_PACKETS = 175;

const engines: MediaEngine[] = [];
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop()));
});

test.each(["::1", "::"])(
  "we listen on %s: it is called, hears us, is heard, and its keys arrive",
  async (address) => {
    const phone = await startPhone({ number: NUMBER, says: saidOver(THEIR_WORDS), address: "::1" });
    const engine = createMediaEngine({ logger: silentLogger, bindAddress: address, portRange: audioPorts(10) });
    engines.push(engine);
    const recordingFile = join(tempFolder(), "call.wav");
    const stream = await engine.open("call_1", { recordingFile });
    const keys: string[] = [];
    stream.onDtmf((key) => keys.push(key));
    const run = await startAgent([trunkAt(phone.port, { host: "::1" })], {
      bind: { address, port: freeSipPort() },
      makeMedia: () => stream,
    });
    run.invite();
    await run.heard("call_1 answered");
    stream.answered();
    stream.record(true);
    stream.play(playableOf(saidOver(OUR_WORDS)), () => {});
    await until(() => stream.stats().receivedPackets > SAID_PACKETS);
    await phone.press("19");
    await until(() => keys.length >= 2);
    run.agent.hangUp("call_1");
    await run.ended();
    await phone.told("CALL_CLOSED");
    expect(keys).toEqual(["1", "9"]);
    expect(stream.stats()).toMatchObject({ oneWayAudio: false });
    expect((await stream.close()).recorded).toBeTrue();
    const [, caller] = parseWav(readFileSync(recordingFile)).channels;
    expect(heardShare(phone.heard(), OUR_WORDS)).toBeGreaterThan(WELL_HEARD);
    expect(heardShare(caller, THEIR_WORDS)).toBeGreaterThan(WELL_HEARD);
    await phone.stop();
  },
  180_000,
);
