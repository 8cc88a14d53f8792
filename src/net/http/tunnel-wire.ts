// TLS inside a proxy's tunnel, with `node:tls`, which can take over an open connection.
import type { Socket } from "node:net";
import { checkServerIdentity, connect, type SecureContext, type TLSSocket } from "node:tls";
import { formatIp } from "../addresses.ts";
import type { Wire, WireListener, WireRequest } from "./wire.ts";

class TunnelWire implements Wire {
  listener: WireListener | null = null;

  constructor(private readonly socket: TLSSocket) {
    socket
      .on("data", (bytes: Buffer) => {
        if (this.listener) this.listener.heard(bytes);
        else this.destroy();
      })
      .on("error", (error) => this.listener?.ended(error))
      .on("end", () => this.listener?.ended(null))
      .on("close", () => this.listener?.ended(null));
  }

  get isGone(): boolean {
    return this.socket.destroyed;
  }

  get hasUnsent(): boolean {
    return this.socket.writableLength > 0;
  }

  write(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  /** One that was idle too long is closed on reuse (idle-pool.ts), or when the peer closes it. */
  rest(): void {
    this.socket.unref();
  }

  resume(): void {
    this.socket.ref();
  }

  finish(): void {
    this.socket.end();
  }

  destroy(): void {
    this.socket.destroy();
  }
}

export function openTunnelWire(request: WireRequest & { trust: SecureContext }, tunnel: Socket): Promise<Wire> {
  const { target, address, trust, deadline } = request;
  const socket = connect({
    socket: tunnel,
    host: formatIp(address),
    port: target.port,
    // RFC 6066, section 3: an address is never sent as server name.
    ...(target.literal ? {} : { servername: target.host }),
    checkServerIdentity: (_, certificate) => checkServerIdentity(target.host, certificate),
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED in the environment disables the default.
    rejectUnauthorized: true,
    secureContext: trust,
  });
  return new Promise((resolve, reject) => {
    const end = (error: Error | null) => {
      cancelDeadline();
      socket.off("secureConnect", onSecure).off("error", onError).off("close", onClose);
      // The next owner adds its own listeners; an error in between must not end the process.
      socket.on("error", () => {});
      if (!error) {
        resolve(new TunnelWire(socket));
        return;
      }
      socket.destroy();
      tunnel.destroy();
      reject(error);
    };
    const onSecure = () => end(socket.authorized ? null : request.unverified());
    const onError = (error: Error) => end(error);
    const onClose = () => end(request.closed());
    const cancelDeadline = deadline.onPassed(() => end(request.late()));
    socket.on("secureConnect", onSecure).on("error", onError).on("close", onClose);
  });
}
