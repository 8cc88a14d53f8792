// C library calls that Bun does not offer. All are optional: everything works without the library.
import { dlopen, FFIType, ptr, type Pointer } from "bun:ffi";
import { parseIp } from "../net/addresses.ts";

const SYMBOLS = {
  setsockopt: {
    args: [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.u32],
    returns: FFIType.i32,
  },
  sendto: {
    args: [FFIType.i32, FFIType.ptr, FFIType.u64, FFIType.i32, FFIType.ptr, FFIType.u32],
    returns: FFIType.i32,
  },
  setpriority: { args: [FFIType.i32, FFIType.u32, FFIType.i32], returns: FFIType.i32 },
} as const;

const LIBRARY_NAMES = ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`];

function load() {
  // The constants below and the address layout are Linux's.
  if (process.platform !== "linux") return null;
  for (const name of LIBRARY_NAMES) {
    try {
      return dlopen(name, SYMBOLS).symbols;
    } catch {
      continue;
    }
  }
  return null;
}

const libc = load();

const OPTION = {
  /** Expedited forwarding, 46, in the upper six bits of the traffic class (RFC 4594). */
  expeditedForwarding: { level: 0, name: 1, value: 46 << 2 },
  expeditedForwardingV6: { level: 41, name: 67, value: 46 << 2 },
  /** 256 KB hold about one second of packets during a stall; the kernel may grant less. */
  receiveBuffer: { level: 1, name: 8, value: 256 * 1_024 },
  /**
   * One socket carries the signalling of all calls: 400 calls that end at once take 1 MB including the kernel's
   * overhead.
   */
  signallingBuffer: { level: 1, name: 8, value: 4 * 1_024 * 1_024 },
  /**
   * IP_RECVERR and IPV6_RECVERR, which Bun sets. Off, so that one peer's ICMP error does not fail a packet to another.
   */
  refusals: { level: 0, name: 11, value: 0 },
  refusalsV6: { level: 41, name: 25, value: 0 },
} as const;
type OptionName = keyof typeof OPTION;

/** True if the kernel accepted the option. */
export function setSocketOption(descriptor: number, option: OptionName): boolean {
  if (!libc || descriptor < 0) return false;
  const { level, name, value } = OPTION[option];
  const argument = new Int32Array([value]);
  return libc.setsockopt(descriptor, level, name, ptr(argument), argument.byteLength) === 0;
}

/**
 * Turns off ICMP errors on a shared socket. The kernel reports a refused packet on the next send over the same socket,
 * whatever its destination, and does not say which packet was refused. Peers that do not answer are detected by
 * timeout.
 */
export function ignoreRefusals(descriptor: number): void {
  setSocketOption(descriptor, "refusals");
  setSocketOption(descriptor, "refusalsV6");
}

const PRIO_PROCESS = 0;
/** Ahead of ordinary threads, behind essential system processes. */
const AHEAD_OF_OTHERS = -11;
/** Less than half the CPU share of an ordinary thread under contention, and a full core when it is idle. */
const BEHIND_OTHERS = 4;

/**
 * Raises the priority of the calling thread: on Linux the nice value is per thread, and 0 means the caller. False
 * without permission, which is the default without CAP_SYS_NICE.
 */
export function raiseThreadPriority(): boolean {
  return libc?.setpriority(PRIO_PROCESS, 0, AHEAD_OF_OTHERS) === 0;
}

/** Lowers the priority of the calling thread for work that can wait. Needs no permission. */
export function lowerThreadPriority(): boolean {
  return libc?.setpriority(PRIO_PROCESS, 0, BEHIND_OTHERS) === 0;
}

/** Sends the first `length` bytes; false if the kernel refused. */
export type FastSend = (length: number) => boolean;

const AF_INET = 2;
const AF_INET6 = 10;
/** Linux's sockaddr_in and sockaddr_in6. */
const IPV4_ADDRESS_BYTES = 16;
const IPV6_ADDRESS_BYTES = 28;
const IPV6_ADDRESS_AT = 8;
/** Never blocks: a full socket buffer drops a frame instead of delaying the other calls. */
const MSG_DONTWAIT = 0x40;

/**
 * Sends one buffer to one address at the cost of a connected socket (2 µs against 3 µs per packet, measured on arm64).
 * The socket stays unconnected and receives from every address, which following a moving peer requires. Null if it is
 * not available.
 */
export function fastSendTo(descriptor: number, bytes: Uint8Array, address: string, port: number): FastSend | null {
  const socketAddress = socketAddressOf(address, port);
  if (!libc || !socketAddress || descriptor < 0) return null;
  const { sendto } = libc;
  const bytesAt: Pointer = ptr(bytes);
  const addressAt: Pointer = ptr(socketAddress);
  return (length) => {
    // References both arrays, so that they live as long as the pointers to them.
    if (length > bytes.length) return false;
    return sendto(descriptor, bytesAt, length, MSG_DONTWAIT, addressAt, socketAddress.length) === length;
  };
}

/** Null if it is not a plain IP address. A dual-stack socket accepts both families. */
function socketAddressOf(address: string, port: number): Uint8Array | null {
  const bytes = parseIp(address);
  if (!bytes) return null;
  const isIpv4 = bytes.length === 4;
  const socketAddress = new Uint8Array(new ArrayBuffer(isIpv4 ? IPV4_ADDRESS_BYTES : IPV6_ADDRESS_BYTES));
  socketAddress.set([isIpv4 ? AF_INET : AF_INET6, 0, port >>> 8, port & 0xff]);
  socketAddress.set(bytes, isIpv4 ? 4 : IPV6_ADDRESS_AT);
  return socketAddress;
}
