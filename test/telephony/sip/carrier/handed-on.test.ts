// A call that staff at the other side transfer to another telephone: the agent continues and hears only the new one.
import { expect, test } from "bun:test";
import type { Line } from "../../../../src/telephony/port.ts";
import { until } from "../../../support/until.ts";
import { hangUpCallersAfterEach, scriptedCaller } from "../call/scripted-caller.ts";
import { friendly, SDP } from "../transport/scripted-peer.ts";
import { NUMBERS } from "./bench.ts";
import { afterwards, cleanUpAfterEach } from "./clean-up.ts";
import { idle, inviteOf, methods, peerThat, sipPort, startPhone, TONE } from "./phone-under-test.ts";

cleanUpAfterEach();
hangUpCallersAfterEach();

/** Version 2, payload type 101 with its marker, then the event: this key, end of it, 800 samples long. */
const keyBy = (key: number, ssrc: string) => Buffer.from(`80e50001000003e8${ssrc}0${key}8a0320`, "hex");

async function telephone() {
  let frames = 0;
  const rtp = await Bun.udpSocket({ hostname: "127.0.0.1", port: 0, socket: { data: () => void frames++ } });
  afterwards(() => rtp.close());
  return { rtp, frames: () => frames, sdp: SDP.replace(/m=audio \d+/, `m=audio ${rtp.port}`) };
}

test("sound goes to the new telephone and its keys count; the old one hears and says nothing more", async () => {
  const first = await telephone();
  const second = await telephone();
  const trunk = await peerThat((request, contact) => friendly(request, contact, first.sdp));
  const keys: string[] = [];
  const run = await startPhone(trunk.port, () => ({
    ...idle(),
    answered(line: Line) {
      line.record(true);
      line.play({ ...TONE, samples: new Int16Array(8_000 * 60).fill(4_000) }, () => {});
    },
    keyPressed: (key) => void keys.push(key),
  }));
  run.dial();
  await until(() => first.frames() > 10);
  const invite = inviteOf(trunk, NUMBERS.talks);
  const audioPort = Number(/m=audio (\d+)/.exec(invite.text)![1]);
  const ward = await scriptedCaller({ callId: "ward" });
  ward.callAt(sipPort(run));
  const tag = /tag=([^;\s]+)/.exec(invite.header("from"))![1];
  ward.invite([`Replaces: ${invite.header("call-id")};to-tag=${tag};from-tag=peer`], second.sdp);
  const answer = await ward.answered("INVITE", 200);
  expect(Number(/m=audio (\d+)/.exec(answer.text)![1])).toBe(audioPort);
  ward.send("ACK");
  await until(() => methods(trunk).includes("BYE"));
  await until(() => second.frames() > 0);
  const before = first.frames();
  await until(() => second.frames() > 25);
  expect(first.frames()).toBe(before);
  first.rtp.send(keyBy(7, "0000abcd"), audioPort, "127.0.0.1");
  second.rtp.send(keyBy(5, "0000beef"), audioPort, "127.0.0.1");
  await until(() => keys.length > 0);
  expect(keys).toEqual(["5"]);
  ward.send("BYE", { cseq: 2 });
  const { end } = await run.heard("ended", "a");
  expect(end).toMatchObject({ kind: "completed", recorded: true });
  expect(run.said.filter(({ type }) => type === "answered" || type === "arrived")).toHaveLength(1);
});
