// A relay between Ringward and a telephone that loses audio. It forwards SIP, rewrites the SDP so that audio in both
// directions passes through it, and drops packets by seed.
import { isRtcp } from "../../src/telephony/rtp/rtp.ts";
import { randomFrom } from "./sounds.ts";

const LOOPBACK = "127.0.0.1";

export interface LossyRelayOptions {
  /** Where the telephone listens for SIP. */
  phonePort: number;
  /** Its own, for the trunk. */
  sipPort: number;
  /** The first of four ports for audio. */
  audioFrom: number;
  /** 0 to 1, in each direction. */
  lossShare: number;
  seed: number;
}

export interface LossyRelay {
  readonly carried: number;
  readonly lost: number;
  close(): void;
}

interface Way {
  readonly port: number;
  /** Destination of forwarded packets; null until it is set. */
  goesTo: number | null;
  send(bytes: Uint8Array, port: number): void;
  close(): void;
}

export async function lossyRelay(options: LossyRelayOptions): Promise<LossyRelay> {
  const { phonePort, sipPort, audioFrom, lossShare, seed } = options;
  let [carried, lost] = [0, 0];

  async function audioWay(port: number, random: () => number, other: () => Way): Promise<Way> {
    const pass = (bytes: Uint8Array) => {
      if (way.goesTo === null || isRtcp(bytes)) return;
      if (random() < lossShare) return void lost++;
      carried++;
      // From the place that its receiver knows as the other side.
      other().send(bytes, way.goesTo);
    };
    const socket = await udpSocket(port, pass);
    const way: Way = { port, goesTo: null, ...socket };
    return way;
  }
  const toPhone: Way = await audioWay(audioFrom, randomFrom(seed), () => toUs);
  const toUs: Way = await audioWay(audioFrom + 2, randomFrom(seed + 1), () => toPhone);

  let ourPort = 0;
  const sip = await udpSocket(sipPort, (bytes, sender) => {
    if (sender === phonePort) {
      if (ourPort > 0) sip.send(renamed(bytes, toPhone), ourPort);
      return;
    }
    ourPort = sender;
    sip.send(renamed(bytes, toUs), phonePort);
  });
  return {
    get carried() {
      return carried;
    },
    get lost() {
      return lost;
    },
    close() {
      for (const socket of [sip, toPhone, toUs]) socket.close();
    },
  };
}

/** Whoever sent this message wants audio at the port that it names; the other side is told of ours. */
function renamed(bytes: Uint8Array, way: Way): Uint8Array {
  const text = Buffer.from(bytes).toString("latin1");
  const bodyAt = text.indexOf("\r\n\r\n") + 4;
  const named = /^m=audio (\d+)/m.exec(text.slice(bodyAt))?.[1];
  if (bodyAt < 4 || named === undefined) return bytes;
  way.goesTo = Number(named);
  const body = text.slice(bodyAt).replace(`m=audio ${named}`, `m=audio ${way.port}`);
  const head = text.slice(0, bodyAt).replace(/^(Content-Length|l)(\s*:\s*)\d+/im, `$1$2${body.length}`);
  return Buffer.from(head + body, "latin1");
}

async function udpSocket(port: number, on: (bytes: Uint8Array, senderPort: number) => void) {
  const socket = await Bun.udpSocket({
    hostname: LOOPBACK,
    port,
    socket: {
      data: (_, bytes, senderPort) => on(Uint8Array.from(bytes), senderPort),
      error() {},
    },
  });
  return {
    send(bytes: Uint8Array, to: number) {
      try {
        socket.send(bytes, to, LOOPBACK);
      } catch {
        // The call is over and its port is closed: a network would not tell either.
      }
    },
    close: () => socket.close(),
  };
}
