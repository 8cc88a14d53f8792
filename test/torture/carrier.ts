// A SIP peer that answers, is busy, or hangs up early, and logs every INVITE. It shares no code with our stack, so its
// log is the evidence of who was called.
import { afterwards } from "../support/pace.ts";
import { byeToCaller, heard, reply, SDP, type Heard } from "../telephony/sip/transport/scripted-peer.ts";
import type { Dialled } from "./evidence.ts";

export interface Carrier {
  port: number;
  /** In order, repetitions of the same INVITE left out. */
  dialled: Dialled[];
  close(): void;
}

const LOOPBACK = "127.0.0.1";
const LONGEST_TALK_MS = 400;

export async function startCarrier(): Promise<Carrier> {
  const dialled: Dialled[] = [];
  const answers = new Map<string, string>();
  const goodbyes: (() => void)[] = [];
  const socket = await Bun.udpSocket({
    hostname: LOOPBACK,
    port: 0,
    socket: {
      data(own, bytes, port, address) {
        const request = heard(bytes.toString("latin1"));
        if (request.method.startsWith("SIP/") || request.method === "ACK") return;
        if (request.method !== "INVITE") return void own.send(reply(request, "200 OK"), port, address);
        const sipCallId = request.header("call-id");
        let answer = answers.get(sipCallId);
        if (answer === undefined) {
          const number = /^INVITE sip:(\+?\d+)@/.exec(request.text)?.[1] ?? "";
          dialled.push({ number, sipCallId });
          const tag = `peer${dialled.length}`;
          answer = answerTo(request, number, tag, own.port);
          answers.set(sipCallId, answer);
          const isTalk = answer.startsWith("SIP/2.0 200");
          const hangUp = () => void own.send(byeToCaller(request, tag, own.port), port, address);
          if (isTalk) goodbyes.push(afterwards(talkMs(number), hangUp));
        }
        own.send(answer, port, address);
      },
      error() {},
    },
  });
  return {
    port: socket.port,
    dialled,
    close() {
      for (const unsay of goodbyes) unsay();
      socket.close();
    },
  };
}

/** By the number, so that the same seed meets the same people. Three of ten are busy. */
function answerTo(request: Heard, number: string, tag: string, ownPort: number): string {
  if (Number(number.at(-1)) < 3) return reply(request, "486 Busy Here", { tag });
  return reply(request, "200 OK", { tag, body: SDP, headers: [`Contact: <sip:peer@${LOOPBACK}:${ownPort}>`] });
}

const talkMs = (number: string) => (Number(number.slice(-3)) / 1_000) * LONGEST_TALK_MS;
