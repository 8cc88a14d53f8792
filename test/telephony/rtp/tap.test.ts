// A tap of a call sees every packet: audio, keys and reports, in both directions, and packets from unknown sources.
import { afterEach, expect, test } from "bun:test";
import { emptyRtpHeader, parseRtp, isRtcp } from "../../../src/telephony/rtp/rtp.ts";
import type { PacketTap } from "../../../src/telephony/rtp/tap.ts";
import { until } from "../../support/until.ts";
import { LOOPBACK, remoteAt, stageWith, type Stage } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.engine.stop());

interface Seen {
  direction: string;
  kind: "rtcp" | "key" | "audio" | "other";
  localPort: number;
  remotePort: number;
}

function watcher(): { tap: PacketTap; seen: Seen[] } {
  const seen: Seen[] = [];
  const header = emptyRtpHeader();
  return {
    seen,
    tap(direction, bytes, local, remote) {
      expect([local.address, remote.address]).toEqual([LOOPBACK, LOOPBACK]);
      const payloadType = !isRtcp(bytes) && parseRtp(bytes, header) ? header.payloadType : null;
      const kind = isRtcp(bytes) ? "rtcp" : payloadType === 101 ? "key" : payloadType === 0 ? "audio" : "other";
      seen.push({ direction, kind, localPort: local.port, remotePort: remote.port });
    },
  };
}

const count = (seen: Seen[], direction: string, kind: string) =>
  seen.filter((packet) => packet.direction === direction && packet.kind === kind);

test("every packet of a tapped call is seen once, with its ends; its peer, untapped, counts the same", async () => {
  stage = stageWith();
  const { tap, seen } = watcher();
  const tapped = await stage.engine.open("call_tapped", { recordingFile: null, tap });
  const plain = await stage.engine.open("call_plain", { recordingFile: null });
  tapped.negotiated(remoteAt(plain.localPort));
  plain.negotiated(remoteAt(tapped.localPort));
  tapped.sendDtmf("5");
  await stage.clock.advance(6_000);
  const [mine, theirs] = [tapped.stats(), plain.stats()];

  const sent = seen.filter(({ direction, kind }) => direction === "sent" && kind !== "rtcp");
  const received = seen.filter(({ direction, kind }) => direction === "received" && kind !== "rtcp");
  expect(sent).toHaveLength(mine.sentPackets);
  expect(received).toHaveLength(mine.receivedPackets);
  expect(theirs.sentPackets).toBeGreaterThan(250);
  expect(count(seen, "sent", "key").length).toBeGreaterThan(3);
  expect(count(seen, "received", "audio").length).toBeGreaterThan(250);
  expect(new Set([...sent, ...received].map(({ localPort, remotePort }) => `${localPort} ${remotePort}`))).toEqual(
    new Set([`${tapped.localPort} ${plain.localPort}`]),
  );
  for (const direction of ["sent", "received"]) {
    expect(count(seen, direction, "rtcp")[0]).toMatchObject({
      localPort: tapped.localPort + 1,
      remotePort: plain.localPort + 1,
    });
  }
});

test("a stranger's packets are seen too, for they may be why nothing is heard", async () => {
  stage = stageWith();
  const { tap, seen } = watcher();
  const stream = await stage.engine.open("call_tapped", { recordingFile: null, tap });
  const stranger = await Bun.udpSocket({ hostname: LOOPBACK, port: 0 });
  stranger.send(new Uint8Array(30), stream.localPort, LOOPBACK);
  await until(() => seen.length === 1, { what: () => "the stranger's packet was not seen" });
  expect(seen[0]).toMatchObject({ direction: "received", kind: "other", remotePort: stranger.port });
  stranger.close();
});
