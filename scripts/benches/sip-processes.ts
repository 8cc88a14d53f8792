// The two processes beside the executable in the part sip: the SIP peer and the request load.
import { join } from "node:path";
import type { Running } from "../../test/support/binary.ts";
import type { FromPeer, PeerReport, ToPeer } from "./sip-peer.ts";

export interface Peer {
  port: number;
  pid: number;
  calls: number;
  tell(order: ToPeer): void;
  report(): Promise<PeerReport>;
  stop(): void;
}

export async function startPeer(): Promise<Peer> {
  let heardReport: (report: PeerReport) => void = () => {};
  let listening: (port: number) => void = () => {};
  const port = new Promise<number>((done) => (listening = done));
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "sip-peer.ts")], {
    stdout: "inherit",
    stderr: "inherit",
    ipc(message: FromPeer) {
      if (message.type === "listening") listening(message.port);
      if (message.type === "calls") peer.calls = message.count;
      if (message.type === "report") heardReport(message.report);
    },
  });
  const peer: Peer = {
    port: 0,
    pid: child.pid,
    calls: 0,
    tell: (order) => child.send(order),
    report() {
      const report = new Promise<PeerReport>((done) => (heardReport = done));
      child.send("report");
      return report;
    },
    stop: () => child.kill(),
  };
  peer.port = await port;
  return peer;
}

/** The request load, in a separate process; returns how many were accepted so far. */
export function startRequests(server: Running, agentId: string) {
  let told: (created: number) => void = () => {};
  const options = { url: server.url, key: server.demo["api_key"] ?? "", agent: agentId, number: "+919800000000" };
  const child = Bun.spawn(
    [
      process.execPath,
      join(import.meta.dir, "sip-load.ts"),
      ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ],
    { stdout: "inherit", stderr: "inherit", ipc: (created: number) => told(created) },
  );
  return {
    created(): Promise<number> {
      const answer = new Promise<number>((done) => (told = done));
      child.send("count");
      return answer;
    },
    pid: child.pid,
    stop: () => child.kill(),
  };
}
