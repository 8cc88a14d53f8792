// A connection on the runtime's own sockets, with or without TLS. With `node:tls`, which is built on these, an exchange
// took twice as long.
import { checkServerIdentity } from "node:tls";
import { formatIp } from "../addresses.ts";
import type { Wire, WireListener, WireRequest } from "./wire.ts";

class NativeWire implements Wire {
  listener: WireListener | null = null;
  #socket: Bun.Socket<NativeWire> | null = null;
  #unsent: Buffer | null = null;
  #isGone = false;
  #rests = false;
  #isFinishing = false;

  /** `onShaken` is called once: with null if the connection is established and its certificate is valid. */
  constructor(
    private readonly request: WireRequest,
    private onShaken: ((error: Error | null) => void) | null,
  ) {}

  get isGone(): boolean {
    return this.#isGone;
  }

  get hasUnsent(): boolean {
    return this.#unsent !== null;
  }

  opened(socket: Bun.Socket<NativeWire>): void {
    this.#socket = socket;
    // A caller that awaits it has a timer that keeps the process alive.
    socket.unref();
    // The deadline passed before it opened.
    if (this.#isGone) socket.terminate();
    else if (!this.request.trust) this.#shaken(null);
  }

  /** The certificate is verified twice, by the runtime and here: against the URL's host name, never the address. */
  shook(isAuthorized: boolean, error: Error | null): void {
    const socket = this.#socket;
    if (error) this.#shaken(error);
    else if (!isAuthorized || !socket?.authorized) this.#shaken(this.request.unverified());
    else this.#shaken(checkServerIdentity(this.request.target.host, socket.getPeerCertificate()) ?? null);
  }

  #shaken(error: Error | null): void {
    const tell = this.onShaken;
    this.onShaken = null;
    if (error) this.destroy();
    tell?.(error);
  }

  heard(bytes: Buffer): void {
    if (this.listener) this.listener.heard(bytes);
    else this.destroy();
  }

  ended(error: Error | null): void {
    this.#isGone = true;
    if (this.onShaken) this.#shaken(error ?? this.request.closed());
    else this.listener?.ended(error);
  }

  write(bytes: Buffer): void {
    const sent = this.#socket?.write(bytes) ?? -1;
    this.#unsent = sent < bytes.length ? bytes.subarray(Math.max(sent, 0)) : null;
    if (this.#isFinishing && !this.#unsent) this.#socket?.shutdown();
  }

  finish(): void {
    this.#isFinishing = true;
    if (!this.#unsent) this.#socket?.shutdown();
  }

  drained(): void {
    if (this.#unsent) this.write(this.#unsent);
  }

  rest(longestMs: number | null): void {
    this.#rests = true;
    // The runtime's socket timers have a granularity of four seconds and may fire one step early. 0 means none.
    this.#socket?.timeout(((longestMs ?? 0) * 2) / 1_000);
  }

  /** The timer keeps running, but is ignored until the next idle period sets it again. */
  resume(): void {
    this.#rests = false;
  }

  restedLong(): void {
    if (this.#rests) this.destroy();
  }

  destroy(): void {
    this.#isGone = true;
    this.#socket?.terminate();
  }
}

const HANDLERS: Bun.SocketHandler<NativeWire> = {
  open: (socket) => socket.data.opened(socket),
  handshake: (socket, isAuthorized, error) => socket.data.shook(isAuthorized, error),
  data: (socket, bytes) => socket.data.heard(bytes),
  drain: (socket) => socket.data.drained(),
  end: (socket) => socket.data.ended(null),
  close: (socket, error) => socket.data.ended(error ?? null),
  error: (socket, error) => socket.data.ended(error),
  timeout: (socket) => socket.data.restedLong(),
};

export function openNativeWire(request: WireRequest): Promise<Wire> {
  const { target, address, trust, deadline } = request;
  return new Promise((resolve, reject) => {
    const wire = new NativeWire(request, (error) => {
      cancelDeadline();
      if (error) reject(error);
      else resolve(wire);
    });
    const cancelDeadline = deadline.onPassed(() => wire.ended(request.late()));
    const tls = trust && {
      // RFC 6066, section 3: an address is never sent as server name. Without this option the runtime would send it.
      serverName: target.literal ? "" : target.host,
      // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED in the environment disables the default.
      rejectUnauthorized: true,
      // Missing from the runtime's types. With `ca` instead, 150 authorities would be parsed per connection.
      secureContext: trust.context as unknown,
    };
    Bun.connect({
      hostname: formatIp(address),
      port: target.port,
      data: wire,
      socket: HANDLERS,
      ...(tls && { tls }),
    }).catch((error: unknown) => wire.ended(error instanceof Error ? error : new Error(String(error))));
  });
}
