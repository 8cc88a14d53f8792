// The real worker thread: killed, drained, denied its port, and called.
import { describe, expect } from "bun:test";
import { G711_WAV_HEADER_BYTES } from "../../../../src/audio/wav.ts";
import { systemClock, type Clock } from "../../../../src/core/clock.ts";
import type { Arrival } from "../../../../src/telephony/port.ts";
import { createSipCarrier } from "../../../../src/telephony/sip/carrier/carrier.ts";
import { tempFolder } from "../../../support/temp.ts";
import { until } from "../../../support/until.ts";
import { createCarrierLog, callOrder } from "../../carrier-log.ts";
import { trunkAt } from "../call/agent-under-test.ts";
import { audioPorts, freeSipPort } from "../../../support/free-ports.ts";
import { startSipp, testWithSipp as test } from "../sipp/sipp.ts";
import { carrierOptions, NUMBERS, startCarrier, useSwitchboard, workerSettings } from "./bench.ts";
import { afterwards, cleanUpAfterEach } from "./clean-up.ts";

cleanUpAfterEach();
const switchboard = useSwitchboard();

const request = (callId: string, to = NUMBERS.talks) =>
  callOrder({ callId, to, trunkId: "main", recordingFile: `${tempFolder()}/${callId}.wav` });

test("killed during a call, it leaves an interrupted call with its ladder; the next takes the same ports and calls", async () => {
  const { port } = await switchboard();
  // One pair of audio ports: the next worker can only talk where the dead one's sockets are closed.
  const settings = workerSettings({ port: freeSipPort(), rtpPorts: audioPorts(2) });
  const run = startCarrier(port, { settings });
  await run.opened();
  run.carrier.dial(request("a"));
  await until(() => run.log.has("a", "answered"));
  run.workers[0]!.terminate();
  await run.ended("a");
  const end = run.log.endOf("a");
  expect(end).toMatchObject({ kind: "failed", code: "interrupted", durationSeconds: expect.any(Number) });
  expect(end.line?.trace.map(({ firstLine }) => firstLine.split(" ")[0])).toContain("INVITE");
  expect(run.carrier.status()).toMatchObject({ worker: "failed", port: null });
  await run.opened();
  expect(run.carrier.status()).toMatchObject({ worker: "running", port: settings.port, restarts: 1, message: null });
  run.carrier.dial(request("b"));
  await run.ended("b");
  expect(run.log.endOf("b")).toMatchObject({ kind: "completed", recorded: true });
  expect(run.log.of("a")).toEqual(["ringing", "answered", "ended"]);
});

test("stopped with time to drain, it lets a short call come to its end", async () => {
  const { port } = await switchboard();
  const run = startCarrier(port, { drainMs: 4_000 });
  await run.opened();
  run.carrier.dial(request("talking"));
  run.carrier.dial(request("ringing", NUMBERS.neverAnswers));
  await until(() => run.log.has("talking", "answered") && run.log.has("ringing", "ringing"));
  await run.carrier.stop();
  expect(run.log.endOf("talking")).toMatchObject({ kind: "completed", recorded: true });
  expect(run.log.endOf("ringing")).toMatchObject({ kind: "failed", code: "interrupted" });
});

test("kept from its port by another program, it says so and begins when the port is free", async () => {
  const { port } = await switchboard();
  const thief = await Bun.udpSocket({ hostname: "127.0.0.1", port: freeSipPort() });
  const impatient: Clock = {
    ...systemClock,
    after: (delayMs, callback) => systemClock.after(delayMs === 30_000 ? 100 : delayMs, callback),
  };
  const run = startCarrier(port, { clock: impatient, settings: workerSettings({ port: thief.port }) });
  await until(() => run.carrier.status().worker === "failed");
  expect(run.carrier.status().message).toContain(`port ${thief.port}`);
  expect(run.carrier.trunkLines("main")).toMatchObject({ kind: "closed", reason: "trunk_unavailable" });
  thief.close();
  await run.opened();
  expect(run.carrier.status()).toMatchObject({ worker: "running", port: thief.port, message: null });
});

describe("on an inbound call,", () => {
  const TO = "+911140000000";
  const FROM = "+919800000001";

  async function calledBy(scenario: string, decide: (arrival: Arrival) => void) {
    // The trunk is where SIPp calls from.
    const trunkPort = freeSipPort();
    const log = createCarrierLog();
    const arrivals: Arrival[] = [];
    const carrier = createSipCarrier(carrierOptions())({
      ...log,
      arrived(arrival) {
        log.arrived(arrival);
        arrivals.push(arrival);
        decide(arrival);
      },
    });
    afterwards(() => carrier.stop());
    carrier.setTrunks([trunkAt(trunkPort)]);
    await until(() => carrier.trunkLines("main").kind === "open");
    const sipp = await startSipp(scenario, { target: `127.0.0.1:${carrier.status().port}`, port: trunkPort });
    await until(() => arrivals.length === 1);
    return { carrier, log, sipp, arrival: arrivals[0]! };
  }

  test("it answers where the call is accepted, talks, and hangs up when told to", async () => {
    const recordingFile = `${tempFolder()}/arrived.wav`;
    const accept = ({ callId, accept: take }: Arrival) => take({ ...request(callId, FROM), from: TO, recordingFile });
    const { carrier, log, sipp, arrival } = await calledBy("call-us-and-wait", accept);
    expect(arrival).toMatchObject({ trunkId: "main", from: FROM, to: TO });
    await until(() => log.has(arrival.callId, "answered"));
    expect(carrier.trunkLines("main")).toEqual({ kind: "open", lines: 9 });
    // A call without one frame of audio has no recording.
    await until(() => Bun.file(recordingFile).size > G711_WAV_HEADER_BYTES);
    carrier.hangUp(arrival.callId);
    await sipp.finished();
    await until(() => log.has(arrival.callId, "ended"));
    const end = log.endOf(arrival.callId);
    expect(log.of(arrival.callId)).toEqual(["arrived", "answered", "ended"]);
    expect(end).toMatchObject({ kind: "completed", recorded: true });
    expect(end.line?.trace.map(({ firstLine }) => firstLine.split(" ", 2).join(" "))).toEqual([
      `INVITE sip:${TO}@127.0.0.1:${carrier.status().port}`,
      "SIP/2.0 100",
      "SIP/2.0 180",
      "SIP/2.0 200",
      expect.stringMatching(/^ACK /),
      expect.stringMatching(/^BYE /),
      "SIP/2.0 200",
    ]);
  });

  test("it refuses where the call is rejected, and nothing more is told", async () => {
    const { carrier, log, sipp, arrival } = await calledBy("call-us-486", ({ reject }) => reject("no_line"));
    await sipp.finished();
    expect(carrier.trunkLines("main")).toEqual({ kind: "open", lines: 10 });
    await carrier.stop();
    expect(log.of(arrival.callId)).toEqual(["arrived"]);
  });

  test("it reports a caller who gave up before the call was accepted or rejected", async () => {
    const { carrier, log, sipp, arrival } = await calledBy("call-us-and-give-up", () => {});
    await sipp.finished();
    await until(() => log.has(arrival.callId, "ended"));
    arrival.accept(request(arrival.callId));
    expect(log.endOf(arrival.callId)).toMatchObject({ kind: "failed", code: "no_answer" });
    await carrier.stop();
    expect(log.of(arrival.callId)).toEqual(["arrived", "ended"]);
  });
});
