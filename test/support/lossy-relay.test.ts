// The lossy relay drops the configured share of packets, and all audio passes through it.
import { expect, test } from "bun:test";
import { writeRtpHeader } from "../../src/telephony/rtp/rtp.ts";
import { audioPorts, freeSipPort } from "./free-ports.ts";
import { lossyRelay } from "./lossy-relay.ts";
import { until } from "./until.ts";

const PACKETS = 1_000;

/** Somebody who remembers what came, in order. */
async function party() {
  const messages: string[] = [];
  let packets = 0;
  const socket = await Bun.udpSocket({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(_, bytes) {
        if (bytes.length === 172) packets++;
        else messages.push(bytes.toString("latin1"));
      },
    },
  });
  return { socket, messages, packets: () => packets };
}

const message = (port: number) => {
  const body = `v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio ${port} RTP/AVP 0\r\n`;
  return `INVITE sip:a@b SIP/2.0\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};
const audioPortIn = (text = "") => Number(/m=audio (\d+)/.exec(text)?.[1]);

test("3 % of the audio is lost each way, the same with the same seed, and no message is", async () => {
  const counts = [];
  for (const seed of [7, 7, 8]) {
    const [us, phone] = [await party(), await party()];
    const [sipPort, { from: audioFrom }] = [freeSipPort(), audioPorts(4)];
    const relay = await lossyRelay({ phonePort: phone.socket.port, sipPort, audioFrom, lossShare: 0.03, seed });
    us.socket.send(message(us.socket.port), sipPort, "127.0.0.1");
    await until(() => phone.messages.length === 1);
    phone.socket.send(message(phone.socket.port), sipPort, "127.0.0.1");
    await until(() => us.messages.length === 1);
    const to = audioPortIn(us.messages[0]);
    expect(to).not.toBe(phone.socket.port);
    expect(audioPortIn(phone.messages[0])).not.toBe(us.socket.port);
    const packet = new Uint8Array(172);
    for (let i = 0; i < PACKETS; i++) {
      writeRtpHeader(packet, 0, false, i, i * 160, 1);
      us.socket.send(packet, to, "127.0.0.1");
      await until(() => relay.carried + relay.lost === i + 1, { everyMs: 0 });
    }
    await until(() => phone.packets() === relay.carried);
    counts.push(relay.lost);
    relay.close();
    us.socket.close();
    phone.socket.close();
  }
  expect(counts[0]).toBe(counts[1] ?? -1);
  for (const lost of counts) expect(lost / PACKETS).toBeWithin(0.01, 0.06);
}, 180_000);
