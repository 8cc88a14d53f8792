// Failures during SIP calls: process crash, trunk outage, shutdown. Calls end with their true outcome, and no number is
// dialled twice.
import { afterEach, expect, test } from "bun:test";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { callIn, commandJson, finished, place, readCall } from "../support/calls.ts";
import { newPatient, sipHospital } from "../support/sip-hospital.ts";
import { until } from "../support/until.ts";
import { audioOf } from "../telephony/rtp/driven-call.ts";
import { friendly, SDP, udpPeer, type UdpPeer } from "../telephony/sip/transport/scripted-peer.ts";

leaveNothingBehind();

const started: Running[] = [];
const peers: UdpPeer[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.kill()));
  for (const peer of peers.splice(0)) peer.close();
});

/** Answers every call and every other request, and records what it received. */
async function trunkPeer(port = 0): Promise<UdpPeer> {
  const peer = await udpPeer((request, own) => friendly(request, `sip:peer@127.0.0.1:${own.port}`), "127.0.0.1", port);
  peers.push(peer);
  return peer;
}

const callIdOf = ({ header }: UdpPeer["heard"][number]) => header("call-id");

/** The dialled numbers, one entry per call that was started. */
function dialledAt(...all: UdpPeer[]): string[] {
  const calls = new Map<string, string>();
  for (const { method, header, text } of all.flatMap((peer) => peer.heard)) {
    if (method === "INVITE" && !header("to").includes("tag=")) {
      calls.set(header("call-id"), /^INVITE sip:([^@;]+)/.exec(text)?.[1] ?? "");
    }
  }
  return [...calls.values()];
}

test("kill -9 during calls: the next start ends them here and at the PBX, and no number is dialled again", async () => {
  const peer = await trunkPeer();
  const hospital = await sipHospital();
  const { agentId } = await hospital.addLine({ port: peer.port });
  const server = await hospital.start();
  started.push(server);
  const patients = Array.from({ length: 5 }, newPatient);
  const ids = await Promise.all(patients.map((number) => place(server, { agent_id: agentId, user_number: number })));
  await Promise.all(ids.map((id) => callIn(server, id, ["in_progress"])));
  await server.kill();

  const again = await hospital.start();
  started.push(again);
  for (const id of ids) {
    expect(await readCall(again, id)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
  }
  // A new call is dialled, so the dispatcher has checked everything that might be due.
  const later = newPatient();
  await callIn(again, await place(again, { agent_id: agentId, user_number: later }), ["in_progress"]);
  expect(dialledAt(peer).toSorted()).toEqual([...patients, later].toSorted());
  // The PBX's side of each call is ended too, so no callee stays on a dead line.
  const namesOf = (method: string) => new Set(peer.heard.filter((one) => one.method === method).map(callIdOf));
  const cutOff = [...namesOf("INVITE")].slice(0, patients.length).toSorted();
  await until(() => namesOf("BYE").size === patients.length);
  expect([...namesOf("BYE")].toSorted()).toEqual(cutOff);
}, 180_000);

test("a trunk outage: calls that discover it wait with those that know it, and are dialled once when it is back", async () => {
  const peer = await trunkPeer();
  const hospital = await sipHospital();
  const { agentId } = await hospital.addLine({ port: peer.port, optionsSeconds: 300 });
  const server = await hospital.start({ RINGWARD_TELEPHONY__SIP__RING_TIMEOUT_SECONDS: "7" });
  started.push(server);
  const trunkIs = async (state: string) => {
    const [trunk] = await commandJson<{ state: { state: string } | null }[]>(server, "trunks", "list");
    return trunk?.state?.state === state;
  };
  await until(() => trunkIs("up"), { withinMs: 60_000, everyMs: 200 });
  peer.close();
  const patients = Array.from({ length: 3 }, newPatient);
  const ids = await Promise.all(patients.map((number) => place(server, { agent_id: agentId, user_number: number })));
  await until(() => trunkIs("down"), { withinMs: 60_000, everyMs: 200 });
  const late = newPatient();
  ids.push(await place(server, { agent_id: agentId, user_number: late }));
  for (const id of ids)
    expect(await callIn(server, id, ["queued"], 40_000)).toMatchObject({ hold_reason: "trunk_unavailable" });

  const back = await trunkPeer(peer.port);
  for (const id of ids) await callIn(server, id, ["in_progress"], 40_000);
  expect(dialledAt(peer, back).toSorted()).toEqual([...patients, late].toSorted());
}, 180_000);

test("audio ports in use by another program: a call is queued for them, and nothing is dialled", async () => {
  const peer = await trunkPeer();
  const hospital = await sipHospital();
  const { agentId } = await hospital.addLine({ port: peer.port });
  const { from } = hospital.rtpPorts;
  const other = await Bun.udpSocket({ hostname: "127.0.0.1", port: from });
  const server = await hospital.start({ RINGWARD_TELEPHONY__SIP__RTP_PORT_TO: String(from + 1) });
  started.push(server);
  const id = await place(server, { agent_id: agentId, user_number: newPatient() });
  await until(() => server.output().includes("Calls wait: no audio port"), { withinMs: 60_000 });
  expect(await readCall(server, id)).toMatchObject({ status: "queued", hold_reason: "waiting_for_line" });
  expect(dialledAt(peer)).toEqual([]);
  other.close();
}, 180_000);

test("a PBX that disappears during a call: the call has failed, with the reason", async () => {
  const rtp = await Bun.udpSocket({ hostname: "127.0.0.1", port: 0 });
  const sdp = SDP.replace(/m=audio \d+/, `m=audio ${rtp.port}`);
  const exchange = await udpPeer((request, own) => friendly(request, `sip:peer@127.0.0.1:${own.port}`, sdp));
  peers.push(exchange);
  const hospital = await sipHospital();
  const { agentId } = await hospital.addLine({ port: exchange.port });
  const server = await hospital.start({ RINGWARD_TELEPHONY__SIP__LOST_AUDIO_SECONDS: "1" });
  started.push(server);
  const id = await place(server, { agent_id: agentId, user_number: newPatient() });
  await callIn(server, id, ["in_progress"]);
  const invite = exchange.heard.find(({ method }) => method === "INVITE")!;
  rtp.send(audioOf(0x11, 5, 1), Number(/m=audio (\d+)/.exec(invite.text)?.[1]), "127.0.0.1");
  rtp.close();
  exchange.close();
  expect(await finished(server, id)).toMatchObject({
    status: "failed",
    error: { code: "infrastructure_error", message: expect.stringContaining("audio stopped") },
    call_duration_seconds: expect.any(Number),
  });
}, 180_000);

test("SIGTERM: calls get a grace period, then a BYE; they end interrupted, and the exit code is 0", async () => {
  const peer = await trunkPeer();
  const hospital = await sipHospital();
  const { agentId } = await hospital.addLine({ port: peer.port });
  const server = await hospital.start({ RINGWARD_TELEPHONY__SIP__DRAIN_SECONDS: "1" });
  started.push(server);
  const id = await place(server, { agent_id: agentId, user_number: newPatient() });
  await callIn(server, id, ["in_progress"]);
  const askedAt = performance.now();
  expect(await server.stop()).toBe(0);
  expect(performance.now() - askedAt).toBeGreaterThan(900);
  expect(peer.heard.filter(({ method }) => method === "BYE")).toHaveLength(1);

  const again = await hospital.start();
  started.push(again);
  expect(await finished(again, id)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
  expect(dialledAt(peer)).toHaveLength(1);
}, 180_000);
