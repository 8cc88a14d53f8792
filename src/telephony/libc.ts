// Calls of the C library that Bun does not offer. Where it cannot be loaded, everything works without.
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
  // The numbers below, and the shape of an address, are Linux's.
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
  /** 256 KB hold about a second of a stalled process; the kernel may grant less. */
  receiveBuffer: { level: 1, name: 8, value: 256 * 1_024 },
  /**
   * One socket for the signalling of all calls: 400 that end in one moment are a megabyte with the kernel's own share.
   */
  signallingBuffer: { level: 1, name: 8, value: 4 * 1_024 * 1_024 },
  /** IP_RECVERR and IPV6_RECVERR, which Bun sets: without them one peer's ICMP refusal fails no packet to another. */
  refusals: { level: 0, name: 11, value: 0 },
  refusalsV6: { level: 41, name: 25, value: 0 },
} as const;
type OptionName = keyof typeof OPTION;

/** Whether the kernel took it. */
export function setSocketOption(descriptor: number, option: OptionName): boolean {
  if (!libc || descriptor < 0) return false;
  const { level, name, value } = OPTION[option];
  const argument = new Int32Array([value]);
  return libc.setsockopt(descriptor, level, name, ptr(argument), argument.byteLength) === 0;
}

/**
 * The kernel reports a refused packet on the next send over the same socket, to whomever that goes, and says not whose
 * refusal it was. Nobody who shares a socket wants to hear of it: who does not answer is found out by the clock.
 */
export function ignoreRefusals(descriptor: number): void {
  setSocketOption(descriptor, "refusals");
  setSocketOption(descriptor, "refusalsV6");
}

const PRIO_PROCESS = 0;
/** Before ordinary work, behind what keeps the machine alive. */
const AHEAD_OF_OTHERS = -11;
/** Gets less than half as much of a core as ordinary work that wants it too, and all of one that nobody wants. */
const BEHIND_OTHERS = 4;

/**
 * Puts the calling thread before others: on Linux a priority is a thread's own, and 0 means the caller. False where we
 * may not, which is the rule without CAP_SYS_NICE.
 */
export function raiseThreadPriority(): boolean {
  return libc?.setpriority(PRIO_PROCESS, 0, AHEAD_OF_OTHERS) === 0;
}

/** Puts the calling thread behind others: what it does can wait. Everybody may do that. */
export function lowerThreadPriority(): boolean {
  return libc?.setpriority(PRIO_PROCESS, 0, BEHIND_OTHERS) === 0;
}

/** Sends the first `length` bytes; false where the kernel refused. */
export type FastSend = (length: number) => boolean;

const AF_INET = 2;
const AF_INET6 = 10;
/** Linux's sockaddr_in and sockaddr_in6. */
const IPV4_ADDRESS_BYTES = 16;
const IPV6_ADDRESS_BYTES = 28;
const IPV6_ADDRESS_AT = 8;
/** Never waits: a full socket drops a frame, it must not stop the other calls. */
const MSG_DONTWAIT = 0x40;

/**
 * A way to send one buffer to one address that costs what a connected socket costs (2 µs against 3 µs a packet,
 * measured on arm64), and yet the socket hears everybody, as following a moving peer requires. Null where it does not
 * apply.
 */
export function fastSendTo(descriptor: number, bytes: Uint8Array, address: string, port: number): FastSend | null {
  const socketAddress = socketAddressOf(address, port);
  if (!libc || !socketAddress || descriptor < 0) return null;
  const { sendto } = libc;
  const bytesAt: Pointer = ptr(bytes);
  const addressAt: Pointer = ptr(socketAddress);
  return (length) => {
    // Both arrays are named here so that they live as long as the pointers to them.
    if (length > bytes.length) return false;
    return sendto(descriptor, bytesAt, length, MSG_DONTWAIT, addressAt, socketAddress.length) === length;
  };
}

/** Null where it is no plain address. A socket for both versions of IP takes either kind. */
function socketAddressOf(address: string, port: number): Uint8Array | null {
  const bytes = parseIp(address);
  if (!bytes) return null;
  const isIpv4 = bytes.length === 4;
  const socketAddress = new Uint8Array(new ArrayBuffer(isIpv4 ? IPV4_ADDRESS_BYTES : IPV6_ADDRESS_BYTES));
  socketAddress.set([isIpv4 ? AF_INET : AF_INET6, 0, port >>> 8, port & 0xff]);
  socketAddress.set(bytes, isIpv4 ? 4 : IPV6_ADDRESS_AT);
  return socketAddress;
}
