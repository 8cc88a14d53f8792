// The worker's phone in the test's own thread, with scripted agents and peers.
import { join } from "node:path";
import { systemClock } from "../../../../src/core/clock.ts";
import { createIds } from "../../../../src/core/ids.ts";
import type { CreateCallAgent, Sound, CallAgent } from "../../../../src/telephony/port.ts";
import { createPhone, type Phone } from "../../../../src/telephony/sip/worker/phone.ts";
import type { FromWorker, WorkerOrder, WorkerSettings } from "../../../../src/telephony/sip/carrier/protocol.ts";
import { tempFolder } from "../../../support/temp.ts";
import { until } from "../../../support/until.ts";
import { trunkAt } from "../call/agent-under-test.ts";
import { friendly, type Heard, methodsOf, udpPeer, type UdpPeer } from "../transport/scripted-peer.ts";
import { NUMBERS, workerSettings } from "./bench.ts";
import { afterwards } from "./clean-up.ts";

/** Another than the usual. */
export const OTHER = "+919810019999";
/** A tenth of a second. */
export const TONE: Sound = { samples: new Int16Array(800).fill(5_000), lengthMs: 100, words: "a tone" };

export interface PhoneUnderTest {
  phone: Phone;
  said: FromWorker[];
  dial(given?: Partial<WorkerOrder>): void;
  /** Waits for the report, and gives it. */
  heard<Type extends FromWorker["type"]>(type: Type, callId?: string): Promise<Extract<FromWorker, { type: Type }>>;
  stop(drainMs?: number): Promise<void>;
}

function order(given: Partial<WorkerOrder> = {}): WorkerOrder {
  return {
    callId: "a",
    trunkId: "main",
    from: "+911140001000",
    to: NUMBERS.talks,
    recordingFile: join(tempFolder(), "a.wav"),
    captureFile: null,
    direction: "outbound",
    clips: [],
    brief: null,
    ...given,
  };
}

export const RESULT = "what it left";
/** Records from the answer on, and says nothing. */
export const idle = (): CallAgent => ({
  answered: (line) => line.record(true),
  keyPressed() {},
  heardWords() {},
  ended: () => RESULT,
});

export async function peerThat(
  answers: (request: Heard, contact: string) => string | null = friendly,
): Promise<UdpPeer> {
  const peer = await udpPeer((request, self) => answers(request, `sip:peer@127.0.0.1:${self.port}`));
  afterwards(() => peer.close());
  return peer;
}

export async function startPhone(
  peerPort: number,
  createCallAgent: CreateCallAgent = idle,
  given: Partial<WorkerSettings> = {},
): Promise<PhoneUnderTest> {
  const said: FromWorker[] = [];
  const send = (message: FromWorker) => void said.push(message);
  const phone = createPhone({ clock: systemClock, ids: createIds(systemClock), createCallAgent, send });
  const find = (type: string, callId: string | undefined) =>
    said.find(
      (message) =>
        message.type === type && (callId === undefined || ("callId" in message && message.callId === callId)),
    );
  const heard: PhoneUnderTest["heard"] = async (type, callId) => {
    await until(() => find(type, callId) !== undefined, {
      what: () => `no ${type} in ${said.map((m) => m.type).join()}`,
    });
    return find(type, callId) as never;
  };
  const stop = async (drainMs = 0) => {
    phone.receive({ type: "stop", drainMs });
    await heard("stopped");
  };
  afterwards(() => (find("stopped", undefined) ? undefined : stop()));
  const settings = workerSettings(given);
  phone.receive({ type: "start", settings, trunks: [trunkAt(peerPort)] });
  await heard("trunkState");
  return { phone, said, dial: (change) => phone.receive({ type: "dial", order: order(change) }), heard, stop };
}

/** What the peer was asked, in order. */
export const methods = (peer: UdpPeer) => methodsOf(peer).filter((method) => method !== "SIP/2.0");

export function sipPort({ said }: PhoneUnderTest): number {
  const ready = said.find((message) => message.type === "ready");
  return ready!.port;
}

export function inviteOf(peer: UdpPeer, number: string): Heard {
  return peer.heard.find(({ method, text }) => method === "INVITE" && text.includes(number))!;
}

/** A key by SIP INFO inside the call that this INVITE made. */
export function keyInfo(invite: Heard, port: number, key = "5", cseq = 1): string {
  const body = `Signal=${key}\r\nDuration=160\r\n`;
  return [
    "INFO sip:ringward@127.0.0.1 SIP/2.0",
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bKinfo${key}`,
    `From: ${invite.header("to")};tag=peer`,
    `To: ${invite.header("from")}`,
    `Call-ID: ${invite.header("call-id")}`,
    `CSeq: ${cseq} INFO`,
    "Content-Type: application/dtmf-relay",
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}
