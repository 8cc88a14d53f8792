// A thousand bad packets a second from unknown addresses, and garbage from the trunk's own address, during a call.
import { beforeAll, expect } from "bun:test";
import { readFileSync } from "node:fs";
import { putPhonesAway, startPhone, testWithPhone as test, type Phone } from "../support/baresip.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { finished, place } from "../support/calls.ts";
import { heardShare, WELL_HEARD } from "../support/correlate.ts";
import { freeSipPort } from "../support/free-ports.ts";
import { fuzzFrom } from "../support/fuzz.ts";
import { atPace } from "../support/pace.ts";
import { newPatient, recordingOf, sipHospital, type SipHospital, type SipLine } from "../support/sip-hospital.ts";
import { saidOver, speechLike } from "../support/sounds.ts";

leaveNothingBehind();
putPhonesAway();

/** The opening of the call, then the greeting. */
const ATTACK_SECONDS = 14;
const WORDS = speechLike(1.5, 1);
const GREETING = saidOver(WORDS);
const PATIENTS_WORDS = speechLike(1.5, 2);
/** Every 10 ms: 1,000 a second from unknown addresses and 200 from the trunk's address. */
const STRANGERS_PER_STEP = 10;
const OWN_PER_STEP = 2;
const STEP_MS = 10;
/** Room for a call and for garbage collection. */
const MOST_GROWTH_MB = 60;

let hospital: SipHospital;
let server: Running;
let line: SipLine;
let port: number;
let phone: Phone | null = null;

beforeAll(async () => {
  if (Bun.which("baresip") === null) return;
  hospital = await sipHospital();
  port = freeSipPort();
  const recorded = { greeting: GREETING, menu: speechLike(1, 3), goodbye: speechLike(0.4, 4) };
  line = await hospital.addLine({ port, recorded });
  server = await hospital.start();
}, 180_000);

function memoryMb(): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}

interface Attack {
  sent: number;
  /** Packets returned to the attackers. */
  answers: number;
}

async function attack(seconds: number): Promise<Attack> {
  const fuzz = fuzzFrom(1);
  let answers = 0;
  const stranger = await Bun.udpSocket({
    hostname: "127.0.0.2",
    port: 0,
    socket: { data: () => void answers++, error() {} },
  });
  const own = await Bun.udpSocket({ hostname: "127.0.0.1", port: 0 });
  const shoot = (socket: typeof own, packet: Buffer, to: number) => {
    try {
      socket.send(packet, to, "127.0.0.1");
    } catch {
      // ICMP reports the previous port as closed; an attacker ignores that.
    }
  };
  const { from, to } = hospital.rtpPorts;
  const target = `sip:${line.number}@127.0.0.1:${hospital.sipPort}`;
  let sent = 0;
  await atPace(STEP_MS, (seconds * 1_000) / STEP_MS, (step) => {
    for (let i = 0; i < STRANGERS_PER_STEP; i++, sent++) {
      if (i % 2 === 0) shoot(stranger, fuzz.sip(target), hospital.sipPort);
      // The call uses the first ports of the range.
      else shoot(stranger, fuzz.rtp(), from + ((step + i) % Math.min(8, to - from)));
    }
    for (let i = 0; i < OWN_PER_STEP; i++) shoot(own, fuzz.sip(target), hospital.sipPort);
  });
  stranger.close();
  own.close();
  return { sent, answers };
}

test("no attacker gets an answer, nothing grows or breaks, and the call is not affected", async () => {
  const number = newPatient();
  await phone?.stop();
  phone = await startPhone({ number, port, says: saidOver(PATIENTS_WORDS, 8) });
  const callId = await place(server, { agent_id: line.agentId, user_number: number });
  await phone.told("CALL_ESTABLISHED");
  const before = memoryMb();
  const { sent, answers } = await attack(ATTACK_SECONDS);
  const growth = memoryMb() - before;
  await phone.hangUp();
  const call = await finished(server, callId);

  expect(sent).toBe(ATTACK_SECONDS * 1_000);
  expect(answers).toBe(0);
  expect(growth).toBeLessThan(MOST_GROWTH_MB);
  expect(call).toMatchObject({ status: "completed", call_analytics: { disposition: "ended_by_customer" } });
  const { caller } = await recordingOf(server, call);
  expect(heardShare(phone.heard(), WORDS)).toBeGreaterThan(WELL_HEARD);
  expect(heardShare(caller, PATIENTS_WORDS)).toBeGreaterThan(WELL_HEARD);

  // The next call works normally.
  const next = await place(server, { agent_id: line.agentId, user_number: number });
  await phone.told("CALL_ESTABLISHED", 2);
  await phone.hangUp();
  expect((await finished(server, next)).status).toBe("completed");
}, 180_000);
