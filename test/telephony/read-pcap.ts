// Reads a capture as Wireshark would, and fails on a wrong length or checksum.
import { expect } from "bun:test";

export interface SeenPacket {
  atMs: number;
  /** `192.0.2.1:5060`, or `[20010db8…]:5060` in sixteen bytes of hexadecimal. */
  from: string;
  to: string;
  payload: Buffer;
}

export function readPcap(bytes: Uint8Array): SeenPacket[] {
  const file = Buffer.from(bytes);
  expect(file.readUInt32LE(0)).toBe(0xa1b2c3d4);
  expect([file.readUInt16LE(4), file.readUInt16LE(6), file.readUInt32LE(20)]).toEqual([2, 4, 101]);
  const packets: SeenPacket[] = [];
  for (let at = 24; at < file.length;) {
    const length = file.readUInt32LE(at + 8);
    expect(file.readUInt32LE(at + 12)).toBe(length);
    expect(file.readUInt32LE(at + 4)).toBeLessThan(1_000_000);
    const packet = file.subarray(at + 16, at + 16 + length);
    expect(packet.length).toBe(length);
    packets.push({
      atMs: file.readUInt32LE(at) * 1_000 + file.readUInt32LE(at + 4) / 1_000,
      ...(packet.readUInt8(0) >> 4 === 4 ? readIpv4(packet) : readIpv6(packet)),
    });
    at += 16 + length;
  }
  return packets;
}

function readIpv4(packet: Buffer) {
  expect([packet.readUInt8(0), packet.readUInt8(9), packet.readUInt16BE(2)]).toEqual([0x45, 17, packet.length]);
  expect(onesSum([packet.subarray(0, 20)])).toBe(0xffff);
  const pseudo = Buffer.concat([packet.subarray(12, 20), Buffer.from([0, 17]), length16(packet.length - 20)]);
  const address = (at: number) => packet.subarray(at, at + 4).join(".");
  return readUdp(packet.subarray(20), pseudo, address(12), address(16));
}

function readIpv6(packet: Buffer) {
  expect([packet.readUInt8(0), packet.readUInt8(6), packet.readUInt16BE(4)]).toEqual([0x60, 17, packet.length - 40]);
  const pseudo = Buffer.concat([packet.subarray(8, 40), Buffer.from([0, 17]), length16(packet.length - 40)]);
  const address = (at: number) => `[${packet.subarray(at, at + 16).toString("hex")}]`;
  return readUdp(packet.subarray(40), pseudo, address(8), address(24));
}

function readUdp(udp: Buffer, pseudo: Buffer, from: string, to: string) {
  expect(udp.readUInt16BE(4)).toBe(udp.length);
  expect(udp.readUInt16BE(6)).not.toBe(0);
  expect(onesSum([pseudo, udp])).toBe(0xffff);
  return { from: `${from}:${udp.readUInt16BE(0)}`, to: `${to}:${udp.readUInt16BE(2)}`, payload: udp.subarray(8) };
}

const length16 = (length: number) => Buffer.from([length >> 8, length & 0xff]);

/** All bits set where the checksum inside is right (RFC 1071). */
function onesSum(parts: Buffer[]): number {
  const bytes = Buffer.concat(parts);
  let sum = 0;
  for (let i = 0; i < bytes.length; i += 2) sum += bytes[i]! * 256 + (bytes[i + 1] ?? 0);
  while (sum > 0xffff) sum = (sum % 0x10000) + Math.floor(sum / 0x10000);
  return sum;
}
