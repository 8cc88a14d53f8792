// Baseline of the part talk: a 20 ms timer and one socket in a separate process. Its lateness is caused by the machine.
import { everyStep } from "./talk-beat.ts";
import { ALAW_SILENCE, FRAME_BYTES, FRAME_MS, PAYLOAD_TYPE_PCMA } from "./talk-patient.ts";

const SAMPLES = 160;
const packet = Buffer.alloc(12 + FRAME_BYTES, ALAW_SILENCE);
packet.writeUInt8(0x80, 0);
packet.writeUInt8(PAYLOAD_TYPE_PCMA, 1);
packet.writeUInt32BE(1, 8);

const socket = await Bun.udpSocket({ connect: { hostname: "127.0.0.1", port: Number(process.argv[2]) } });
everyStep(FRAME_MS, (step) => {
  packet.writeUInt16BE(step & 0xffff, 2);
  packet.writeUInt32BE((step * SAMPLES) >>> 0, 4);
  socket.send(packet);
});
