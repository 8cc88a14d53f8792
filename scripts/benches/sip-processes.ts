// The two processes beside the executable that the part sip measures: the other side of the calls, and the requests.
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

/** The requests beside the calls, from a process of their own; answers how many were taken so far. */
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
