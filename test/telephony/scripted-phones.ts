// Scripted telephones over SIP: each recognises the agent's clauses by their loudness and acts after a given number of
// them. Shares no code with the stack under test.
import { decodeTable } from "../../src/audio/g711.ts";
import type { Act } from "../../src/telephony/simulator/callee.ts";
import { createReactions, isMenu, type Script } from "./agent-scripts.ts";
import { friendly, reply, SDP, udpPeer, type Heard, type UdpPeer } from "./sip/transport/scripted-peer.ts";

const FRAME_SAMPLES = 160;
/** Long enough to act in the middle of it, also on a busy machine. */
const LONG_FRAMES = 150;
const SHORT_FRAMES = 10;
/** G.711 keeps a level to within three per cent. */
const SOFTEST = 400;
const LOUDER = 1.07;
/** Some words of a long sentence. */
const EARLY_FRAMES = 110;
/** The agent has said all that it wants to say. */
const PAUSE_FRAMES = 10;

export interface SentenceBook {
  speak(text: string): Promise<Int16Array<ArrayBuffer>>;
  /** Null for silence. */
  textOf(level: number): string | null;
}

/** Each clause at a level of its own. */
export function createSentenceBook(greeting: string): SentenceBook {
  const texts: string[] = [];
  const isLong = (text: string) => greeting.includes(text) || isMenu(text);
  return {
    async speak(text) {
      if (!texts.includes(text)) texts.push(text);
      if (SOFTEST * LOUDER ** texts.length > 32_000) throw new Error("There are more clauses than levels.");
      const frames = isLong(text) ? LONG_FRAMES : SHORT_FRAMES;
      return new Int16Array(frames * FRAME_SAMPLES).fill(Math.round(SOFTEST * LOUDER ** texts.indexOf(text)));
    },
    textOf: (level) =>
      level < SOFTEST / 2 ? null : (texts[Math.round(Math.log(level / SOFTEST) / Math.log(LOUDER))] ?? null),
  };
}

export interface ScriptedPhones {
  port: number;
  close(): void;
}

/** One for each number. */
export async function startScriptedPhones(
  scripts: ReadonlyMap<string, Script>,
  book: SentenceBook,
): Promise<ScriptedPhones> {
  const phones = new Map<string, Phone>();
  for (const [number, script] of scripts) phones.set(number, await startPhone(script, book));
  const peer = await udpPeer((request, self, fromPort) => {
    const called = /sip:(\+\d+)@/.exec(request.header("to"))?.[1] ?? "";
    return phones.get(called)?.asked(request, self, fromPort) ?? friendly(request, contactOf(self));
  });
  return {
    port: peer.port,
    close() {
      peer.close();
      for (const phone of phones.values()) phone.close();
    },
  };
}

const contactOf = (peer: UdpPeer) => `sip:peer@127.0.0.1:${peer.port}`;

interface Phone {
  asked(request: Heard, peer: UdpPeer, fromPort: number): string | null;
  close(): void;
}

async function startPhone(script: Script, book: SentenceBook): Promise<Phone> {
  const linear = decodeTable("PCMA");
  const reactTo = createReactions(script);
  let call: OwnCall | null = null;
  let early = script.early ?? null;
  let heard = "";
  let sounding: string | null = null;
  let frames = 0;

  /** Every 20 ms. */
  function hear(text: string | null): void {
    frames = text === sounding ? frames + 1 : 1;
    if (text !== sounding && sounding !== null) heard += ` ${sounding}`;
    sounding = text;
    if (early && text !== null && frames === EARLY_FRAMES && isMenu(text) === (early.during === "menu")) {
      call?.act(early.act);
      early = null;
      heard = "";
    } else if (text === null && frames === PAUSE_FRAMES) {
      const next = reactTo(heard);
      if (!next) return;
      heard = "";
      call?.act(next);
    }
  }

  const rtp = await Bun.udpSocket({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (_, packet) => hear(book.textOf(Math.abs(linear[packet[100] ?? 0] ?? 0))) },
  });
  const sdp = SDP.replace(/m=audio \d+/, `m=audio ${rtp.port}`);

  return {
    asked(request, peer, fromPort) {
      if (request.method === "INVITE") {
        call = callOf(request, peer, fromPort);
        peer.send(reply(request, "180 Ringing"), fromPort);
      }
      if (request.method !== "REFER") return friendly(request, contactOf(peer), sdp);
      queueMicrotask(() => call?.transferred(script.transferIs === "refused" ? "486 Busy Here" : "200 OK"));
      return reply(request, "202 Accepted");
    },
    close: () => rtp.close(),
  };
}

interface OwnCall {
  act(act: Act): void;
  /** As the person answered whom we were sent on to. */
  transferred(status: string): void;
}

/** Inside the call that this INVITE made. */
function callOf(invite: Heard, peer: UdpPeer, toPort: number): OwnCall {
  let cseq = 0;
  function send(method: string, headers: readonly string[] = [], body = ""): void {
    cseq++;
    const lines = [
      `${method} sip:ringward@127.0.0.1 SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${peer.port};branch=z9hG4bK${method}${cseq}${invite.header("call-id")}`,
      `From: ${invite.header("to")};tag=peer`,
      `To: ${invite.header("from")}`,
      `Call-ID: ${invite.header("call-id")}`,
      `CSeq: ${cseq} ${method}`,
      `Contact: <${contactOf(peer)}>`,
      ...headers,
      `Content-Length: ${body.length}`,
      "",
      body,
    ];
    peer.send(lines.join("\r\n"), toPort);
  }
  return {
    act(act) {
      if (act.do === "hangUp") send("BYE");
      if (act.do === "press") {
        send("INFO", ["Content-Type: application/dtmf-relay"], `Signal=${act.key}\r\nDuration=160\r\n`);
      }
    },
    transferred(status) {
      const headers = ["Event: refer", "Subscription-State: terminated", "Content-Type: message/sipfrag"];
      send("NOTIFY", headers, `SIP/2.0 ${status}\r\n`);
    },
  };
}
