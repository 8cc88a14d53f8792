// Tunnel through the configured forward proxy, by CONNECT (RFC 9110, section 9.3.6). The proxy gets the checked
// address, so it cannot resolve the name to another one; TLS runs end to end from us to the receiver.
import { connect, type Socket } from "node:net";
import { formatIp, type IpBytes } from "../addresses.ts";
import type { Deadline } from "../deadline.ts";
import { codeOf, NetFailure } from "../failure.ts";
import { statusOf } from "./response-head.ts";

export type OpenTunnel = (address: IpBytes, port: number, deadline: Deadline) => Promise<Socket>;

const MOST_ANSWER_BYTES = 16 * 1024;

/** Throws an Error with a clear message if the configured URL is not `http://host:port`. */
export function throughProxy(proxyUrl: string): OpenTunnel {
  const proxy = parseProxyUrl(proxyUrl);
  const proxyFault = (what: string) =>
    new NetFailure("our_fault", `The configured proxy ${proxy.host} port ${proxy.port} ${what}.`);

  return (address, port, deadline) =>
    new Promise((resolve, reject) => {
      const authority = address.length === 4 ? `${formatIp(address)}:${port}` : `[${formatIp(address)}]:${port}`;
      const socket = connect({ host: proxy.host, port: proxy.port });
      let answer = "";
      let isConnected = false;

      const end = (failure: NetFailure | null) => {
        cancelDeadline();
        for (const event of ["connect", "data", "error", "close"]) socket.removeAllListeners(event);
        socket.on("error", () => {});
        if (!failure) {
          resolve(socket);
          return;
        }
        socket.destroy();
        reject(failure);
      };
      const onData = (bytes: Buffer) => {
        answer += bytes.toString("latin1");
        const headEnd = answer.indexOf("\r\n\r\n");
        if (headEnd === -1 && answer.length <= MOST_ANSWER_BYTES) return;
        const status = statusIn(answer);
        if (status === null) end(proxyFault("did not answer in HTTP/1.1"));
        else if (status < 200 || status >= 300) end(refusedBy(status, authority));
        // The receiver speaks only after our first bytes, and none have been sent yet.
        else end(answer.length === headEnd + 4 ? null : proxyFault("sent bytes before TLS began"));
      };
      const cancelDeadline = deadline.onPassed(() =>
        end(
          isConnected
            ? new NetFailure("timeout", `The configured proxy opened no connection to ${authority} in time.`)
            : proxyFault("cannot be reached in time"),
        ),
      );
      socket.on("connect", () => {
        isConnected = true;
        socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
      });
      socket.on("data", onData);
      socket.on("error", (error) => end(proxyFault(`cannot be reached (${codeOf(error)})`)));
      socket.on("close", () => end(proxyFault("closed the connection without an answer")));
    });
}

function statusIn(answer: string): number | null {
  try {
    return statusOf(answer.split("\r\n", 1)[0] ?? "").status;
  } catch {
    return null;
  }
}

/** A proxy's own rule counts like one of ours; only its statements about the receiver count against the receiver. */
function refusedBy(status: number, authority: string): NetFailure {
  const detail = `The configured proxy answered ${status} to CONNECT ${authority}.`;
  if (status === 403 || status === 451) return new NetFailure("blocked", detail);
  return new NetFailure(status >= 500 ? "unreachable" : "our_fault", detail);
}

function parseProxyUrl(text: string): { host: string; port: number } {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url?.protocol === "http:" &&
    url.username === "" &&
    url.password === "" &&
    url.pathname === "/" &&
    !/[?#]/.test(text);
  if (!url || !isPlain || url.hostname === "" || url.port === "0") {
    throw new Error(`"${text}" is no proxy address. Write http://host:port, without user name, path or query.`);
  }
  return { host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port: url.port === "" ? 80 : Number(url.port) };
}
