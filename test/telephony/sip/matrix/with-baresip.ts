// Matrix rows shown with baresip: calls with real audio in both directions.
import { afterEach, expect } from "bun:test";
import { silentLogger } from "../../../../src/core/logger.ts";
import { createMediaEngine, type MediaEngine } from "../../../../src/telephony/rtp/engine.ts";
import type { AudioStream, RemoteMedia } from "../../../../src/telephony/rtp/audio-stream.ts";
import { playableOf } from "../../../../src/telephony/rtp/playable.ts";
import { startPhone, type Phone, type PhoneOptions } from "../../../support/baresip.ts";
import { heardShare, WELL_HEARD } from "../../../support/correlate.ts";
import { audioPorts, freeSipPort } from "../../../support/free-ports.ts";
import { createPrivateCa } from "../../../support/private-ca.ts";
import { saidOver, speechLike } from "../../../support/sounds.ts";
import { until } from "../../../support/until.ts";
import { expectAllOver } from "./row.ts";
import { startAgent, trunkAt, type AgentUnderTest } from "../call/agent-under-test.ts";
import type { TrunkSettings } from "../../../../src/trunks/trunk-settings.ts";

const NUMBER = "+919800000001";
const OUR_WORDS = speechLike(0.5, 1);
const THEIR_WORDS = speechLike(0.5, 2);
/** Both have said their words three times over by then, at 50 packets a second. */
const SAID_PACKETS = 100;
const ca = createPrivateCa();

const phones: Phone[] = [];
const engines: MediaEngine[] = [];

/** For the top of the test file. */
export function putAwayAfterEach(): void {
  afterEach(async () => {
    await Promise.all([
      ...phones.splice(0).map((phone) => phone.stop()),
      ...engines.splice(0).map((one) => one.stop()),
    ]);
  });
}

export interface PhoneCall {
  transport: string;
  phone: Phone;
  run: AgentUnderTest;
  stream: AudioStream;
  agreed: RemoteMedia[];
  keys: string[];
  heard: Int16Array[];
}

export async function anotherPhone(options: Partial<PhoneOptions> = {}): Promise<Phone> {
  // For over half a minute: whenever we listen, after a hold for example, it is saying them.
  const phone = await startPhone({ number: NUMBER, says: saidOver(saidOver(saidOver(THEIR_WORDS))), ...options });
  phones.push(phone);
  return phone;
}

/** A telephone, and a user agent of ours whose one call has media. */
export async function withPhone(
  options: Partial<PhoneOptions> = {},
  trunk: Partial<TrunkSettings> = {},
): Promise<PhoneCall> {
  const isTls = trunk.transport === "tls";
  const phone = await anotherPhone({ ...(isTls && { certificate: ca.issue(["127.0.0.1"]) }), ...options });
  const address = options.address ?? "127.0.0.1";
  const engine = createMediaEngine({ logger: silentLogger, bindAddress: address, portRange: audioPorts(10) });
  engines.push(engine);
  const stream = await engine.open("call_1", { recordingFile: null });
  const agreed: RemoteMedia[] = [];
  const keys: string[] = [];
  const heard: Int16Array[] = [];
  stream.onDtmf((key) => keys.push(key));
  stream.onFrame((frame) => heard.push(frame.slice()));
  const media = {
    localAddress: stream.localAddress,
    localPort: stream.localPort,
    negotiated(remote: RemoteMedia) {
      agreed.push(remote);
      stream.negotiated(remote);
    },
  };
  // It speaks TLS on the port after its own.
  const authority = isTls ? { caPem: ca.caPem } : {};
  const settings = trunkAt(phone.port + (isTls ? 1 : 0), { host: address, ...authority, ...trunk });
  const bind = { address, port: freeSipPort() };
  const run = await startAgent([settings], { bind, makeMedia: () => media });
  return { transport: settings.transport, phone, run, stream, agreed, keys, heard };
}

export async function answered(call: PhoneCall): Promise<void> {
  call.run.invite();
  await call.run.heard("call_1 answered");
  call.stream.answered();
}

export async function talked(call: PhoneCall): Promise<void> {
  call.stream.play(playableOf(saidOver(OUR_WORDS)), () => {});
  await hears(call);
  expect(heardShare(call.phone.heard(), OUR_WORDS)).toBeGreaterThan(WELL_HEARD);
}

/** Its words arrive from now on: it says them over and over. */
export async function hears({ phone, stream, heard }: PhoneCall): Promise<void> {
  heard.length = 0;
  const already = stream.stats().receivedPackets;
  await until(() => stream.stats().receivedPackets > already + SAID_PACKETS, { what: () => phone.output() });
  const samples = heard.flatMap((frame) => [...frame]);
  expect(heardShare(samples, THEIR_WORDS)).toBeGreaterThan(WELL_HEARD);
}

export async function hungUp({ run, phone }: PhoneCall): Promise<void> {
  run.agent.hangUp("call_1");
  expect(await run.ended()).toMatchObject({ by: "us", outcome: null });
  await phone.told("CALL_CLOSED");
}

/** The whole of an ordinary call. */
export async function callsAndTalks(call: PhoneCall): Promise<void> {
  await answered(call);
  await talked(call);
  await hungUp(call);
  expectAllOver(call.transport, call.run);
}

/** The other way round: the telephone calls, we answer, it hangs up. */
export async function isCalled(call: PhoneCall, uri: (port: number) => string): Promise<void> {
  const { phone, run, stream } = call;
  await phone.dial(uri(run.agent.port));
  await until(() => run.inbound.length === 1, { what: () => phone.output() });
  const { callId } = run.inbound[0]!;
  run.agent.answerInbound(callId, ["PCMA", "PCMU"]);
  await run.heard(`${callId} answered`);
  stream.answered();
  await talked(call);
  await phone.hangUp();
  expect(await run.ended(callId)).toMatchObject({ by: "peer", outcome: null });
  expectAllOver(call.transport, run);
}
