// One round of the part media: N two-way streams with recording in one Worker, against a reflector in a separate
// process; and the cost of a second of speech per codec. The Worker and the reflector run this file too.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { FileKey } from "../../src/core/sealed-frames.ts";
import type { Codec } from "../../src/audio/codec.ts";
import { createMediaEngine } from "../../src/telephony/rtp/engine.ts";
import type { AudioStream } from "../../src/telephony/rtp/audio-stream.ts";
import type { ProtectionKeys } from "../../src/telephony/rtp/protection.ts";
import { playableOf } from "../../src/telephony/rtp/playable.ts";
import { createHearing, silenceOf } from "../../src/telephony/rtp/hearing.ts";
import { createJitterBuffer } from "../../src/telephony/rtp/jitter-buffer.ts";
import { createSpeaking } from "../../src/telephony/rtp/speaking.ts";
import { MASTER_BYTES } from "../../src/telephony/rtp/srtp-keys.ts";
import type { PortRow } from "../../test/support/free-ports.ts";

const LOOPBACK = "127.0.0.1";
const WARM_UP_MS = 2_000;
const FRAMES_PER_SECOND = 50;
/** Seconds of speech: enough for the JIT compiler to settle. */
const COST_ROUNDS = 100;
const PAYLOAD_TYPES: Readonly<Record<Codec, number>> = { PCMU: 0, PCMA: 8, G722: 9 };

export interface Round {
  codec: Codec;
  calls: number;
  seconds: number;
  folder: string | null;
  reflectorPort: number;
  portRange: PortRow;
  /** SRTP in both directions with one key per call, so reflected packets can be decrypted. */
  isEncrypted: boolean;
  /** Encrypts the recordings; absent: they are plain. */
  fileKey?: FileKey;
}

export interface Outcome {
  onTimeShare: number;
  lagP99Ms: number;
  sent: number;
  lossShare: number;
  gapsPerCallMinute: number;
  worstJitterMs: number;
  /** Share of one core used by the whole process: Worker, kernel and disk. */
  cpuShare: number;
  recorded: number;
}

const wait = (ms: number) => new Promise<void>((done) => void systemClock.after(ms, done));

/** Returns every packet to its sender. It does little, so it does not affect the measurement. */
async function reflect(): Promise<void> {
  const socket = await Bun.udpSocket({
    hostname: LOOPBACK,
    port: 0,
    socket: {
      data(socket, bytes, port, address) {
        socket.send(bytes, port, address);
      },
      error() {},
    },
  });
  console.log(socket.port);
}

function newKeys(): ProtectionKeys {
  const key = randomBytes(MASTER_BYTES).toString("base64");
  return { suite: "AES_CM_128_HMAC_SHA1_80", ours: key, theirs: key };
}

function soundAt(rateHz: number, seconds: number): Int16Array {
  return Int16Array.from({ length: rateHz * seconds }, (_, i) => {
    const at = i / rateHz;
    return 8_000 * Math.sin(1_143 * at) * Math.sin(9 * at) + 1_000 * Math.sin(31_000 * at);
  });
}

/**
 * CPU time for a second of speech in both directions, without network, pacing or recording; receiving includes the
 * jitter buffer.
 */
export function costOfASecond(codec: Codec): { sayMs: number; hearMs: number } {
  const packets = Array.from({ length: FRAMES_PER_SECOND }, () => new Uint8Array(160));
  const payload = new Uint8Array(160);
  const speaking = createSpeaking(codec, payload);
  const buffer = createJitterBuffer(silenceOf(codec));
  const hearing = createHearing(buffer, codec);
  let sequence = 0;
  const sound = soundAt(speaking.frame.length * FRAMES_PER_SECOND, 1);
  const say = () => {
    for (const [i, packet] of packets.entries()) {
      speaking.frame.set(sound.subarray(i * speaking.frame.length, (i + 1) * speaking.frame.length));
      speaking.encode();
      packet.set(payload);
    }
  };
  const hear = () => {
    for (const packet of packets) {
      buffer.push(sequence & 0xffff, sequence * 160, packet, 0, packet.length);
      sequence++;
      hearing.pull();
      hearing.samples();
    }
  };
  return { sayMs: processorMs(say), hearMs: processorMs(hear) };
}

function processorMs(work: () => void): number {
  for (let i = 0; i < COST_ROUNDS; i++) work();
  const before = process.cpuUsage();
  for (let i = 0; i < COST_ROUNDS; i++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / COST_ROUNDS;
}

async function runRound({
  codec,
  calls,
  seconds,
  folder,
  reflectorPort,
  portRange,
  isEncrypted,
  fileKey,
}: Round): Promise<Outcome> {
  const engine = createMediaEngine({ logger: silentLogger, bindAddress: LOOPBACK, portRange });
  const [narrow, wide] = [soundAt(8_000, seconds + 10), soundAt(16_000, seconds + 10)];
  const streams: AudioStream[] = [];
  for (let i = 0; i < calls; i++) {
    const stream = await engine.open(`call_${i}`, { recordingFile: folder && join(folder, `${i}.wav`), fileKey });
    stream.negotiated({
      address: LOOPBACK,
      port: reflectorPort,
      codec,
      payloadType: PAYLOAD_TYPES[codec],
      dtmfPayloadType: 101,
      direction: "sendrecv",
      trunkAddresses: [LOOPBACK],
      symmetricRtp: false,
      keys: isEncrypted ? newKeys() : null,
    });
    stream.onFrame(() => undefined);
    stream.answered();
    stream.record(true);
    stream.play(playableOf(narrow, wide), () => undefined);
    streams.push(stream);
  }
  await wait(WARM_UP_MS);

  const before = { ...engine.served };
  const totals = () => {
    const all = streams.map((stream) => stream.stats());
    const sum = (key: "sentPackets" | "lostPackets" | "latePackets" | "receivedPackets" | "gaps") =>
      all.reduce((total, stats) => total + stats[key], 0);
    return {
      all,
      sent: sum("sentPackets"),
      received: sum("receivedPackets"),
      late: sum("latePackets"),
      gaps: sum("gaps"),
    };
  };
  const first = totals();
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  await wait(seconds * 1_000);
  const elapsedMs = performance.now() - startedMs;
  const cpu = process.cpuUsage(cpuBefore);
  const last = totals();
  const lagP99Ms = engine.lagP99Ms();
  const served = { frames: engine.served.frames - before.frames, onTime: engine.served.onTime - before.onTime };
  const recordings = await Promise.all(streams.map((stream) => stream.close()));
  await engine.stop();

  const sent = last.sent - first.sent;
  const lost = Math.max(0, sent - (last.received - first.received)) + last.late - first.late;
  return {
    onTimeShare: served.onTime / served.frames,
    lagP99Ms,
    sent,
    lossShare: lost / sent,
    gapsPerCallMinute: ((last.gaps - first.gaps) / calls / elapsedMs) * 60_000,
    worstJitterMs: Math.max(...last.all.map(({ jitterMs }) => jitterMs)),
    cpuShare: (cpu.user + cpu.system) / 1_000 / elapsedMs,
    recorded: recordings.filter(({ recorded, seconds: length }) => recorded && length > seconds).length,
  };
}

export function inWorker(round: Round): Promise<Outcome> {
  const worker = new Worker(import.meta.path, { argv: ["--worker"] });
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<Outcome>) => {
      worker.terminate();
      resolve(data);
    });
    worker.addEventListener("error", ({ message }) => reject(new Error(message)));
    worker.postMessage(round, []);
  });
}

if (import.meta.main && process.argv.includes("--reflector")) await reflect();
else if (!Bun.isMainThread) {
  self.addEventListener("message", ({ data }: MessageEvent<Round>) => {
    void runRound(data).then((outcome) => postMessage(outcome));
  });
}
