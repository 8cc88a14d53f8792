// RTP injection: an attacker sends audio and keys to every audio port of the appliance, while a telephone rings and
// during a conversation. The attacker receives no audio, is not heard, and the injected key confirms nothing.
import { beforeAll, expect } from "bun:test";
import { putPhonesAway, startPhone, testWithPhone as test, type Phone } from "../support/baresip.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { finished, place } from "../support/calls.ts";
import { heardShare, WELL_HEARD } from "../support/correlate.ts";
import { freeSipPort } from "../support/free-ports.ts";
import { atPace } from "../support/pace.ts";
import { newPatient, recordingOf, sipHospital, type SipHospital, type SipLine } from "../support/sip-hospital.ts";
import { saidOver, speechLike } from "../support/sounds.ts";
import { audioOf, keyOf } from "../telephony/rtp/driven-call.ts";

leaveNothingBehind();
putPhonesAway();

const RINGING_SECONDS = 1.5;
/** The opening of the call, then the greeting. */
const TALK_SECONDS = 14;
const WORDS = speechLike(1.5, 1);
const GREETING = saidOver(WORDS);
const PATIENTS_WORDS = speechLike(1.5, 2);
const SWEEP_EVERY_MS = 20;
const FRAME_SAMPLES = 160;

let hospital: SipHospital;
let server: Running;
let line: SipLine;
let port: number;
let phone: Phone | null = null;

beforeAll(async () => {
  if (Bun.which("baresip") === null) return;
  hospital = await sipHospital();
  port = freeSipPort();
  const recorded = {
    greeting: GREETING,
    menu: speechLike(1, 3),
    confirmed: speechLike(1, 5),
    goodbye: speechLike(0.4, 4),
  };
  line = await hospital.addLine({ port, recorded });
  server = await hospital.start();
}, 180_000);

interface Stranger {
  /** Packets that the attacker received: our voice. */
  readonly got: number;
  sweep(): void;
  close(): void;
}

/** Sends a well-formed stream to every even port of the range, and presses 1 in it repeatedly. */
async function strangerAt(address: string): Promise<Stranger> {
  let got = 0;
  let sequence = 0;
  const socket = await Bun.udpSocket({
    hostname: address,
    port: 0,
    socket: { data: () => void got++, error() {} },
  });
  return {
    get got() {
      return got;
    },
    sweep() {
      sequence += 1;
      const packet = sequence % 10 === 0 ? keyOf(1, 666, sequence) : audioOf(0x55, 666, sequence);
      for (let to = hospital.rtpPorts.from; to < hospital.rtpPorts.to; to += 2) {
        try {
          socket.send(packet, to, "127.0.0.1");
        } catch {
          // The previous port is closed; an attacker ignores that.
          socket.send(packet, to, "127.0.0.1");
        }
      }
    },
    close: () => socket.close(),
  };
}

function sweepFor(strangers: readonly Stranger[], seconds: number): Promise<void> {
  return atPace(SWEEP_EVERY_MS, (seconds * 1_000) / SWEEP_EVERY_MS, () => {
    for (const stranger of strangers) stranger.sweep();
  });
}

/** Longest run of one loud value. No voice produces that, and the attackers' packets contain nothing else. */
function longestTone(samples: Int16Array): number {
  let [longest, length] = [0, 0];
  for (const [i, sample] of samples.entries()) {
    length = Math.abs(sample) > 100 && sample === samples[i - 1] ? length + 1 : 0;
    longest = Math.max(longest, length);
  }
  return longest;
}

test("a sweep of the audio ports takes over no call", async () => {
  const number = newPatient();
  await phone?.stop();
  phone = await startPhone({ number, port, says: saidOver(PATIENTS_WORDS, 8), answers: "manual" });
  // On another machine, and on the trunk's own machine.
  const strangers = [await strangerAt("127.0.0.7"), await strangerAt("127.0.0.1")];
  const callId = await place(server, { agent_id: line.agentId, user_number: number });
  await phone.told("CALL_INCOMING");
  await sweepFor(strangers, RINGING_SECONDS);
  await phone.accept();
  await sweepFor(strangers, TALK_SECONDS);
  await phone.hangUp();
  const call = await finished(server, callId);
  for (const stranger of strangers) stranger.close();

  expect(strangers.map(({ got }) => got)).toEqual([0, 0]);
  expect(call).toMatchObject({ status: "completed", call_analytics: { disposition: "ended_by_customer" } });
  expect(call.extracted_details?.["keys"] ?? "").toBe("");
  const { caller } = await recordingOf(server, call);
  expect(heardShare(phone.heard(), WORDS)).toBeGreaterThan(WELL_HEARD);
  expect(heardShare(caller, PATIENTS_WORDS)).toBeGreaterThan(WELL_HEARD);
  expect(longestTone(caller)).toBeLessThan(FRAME_SAMPLES);
}, 180_000);
