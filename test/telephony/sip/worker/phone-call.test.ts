// A call whose start fails ends like any other: its end is reported and its line is freed.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLogger } from "../../../../src/core/logger.ts";
import type { FromWorker } from "../../../../src/telephony/sip/carrier/protocol.ts";
import type { LineMessage } from "../../../../src/telephony/line-report.ts";
import type { CallOrder, ConsultEnd, Line } from "../../../../src/telephony/port.ts";
import type { PacketTap } from "../../../../src/telephony/rtp/tap.ts";
import type { MediaEngine } from "../../../../src/telephony/rtp/engine.ts";
import type { AudioStream } from "../../../../src/telephony/rtp/audio-stream.ts";
import { startPhoneCall } from "../../../../src/telephony/sip/worker/phone-call.ts";
import { createManualClock } from "../../../support/manual-clock.ts";
import { tempFolder } from "../../../support/temp.ts";
import { until } from "../../../support/until.ts";
import { callOrder } from "../../carrier-log.ts";

function begin(direction: "outbound" | "inbound", connects = false, given: Partial<CallOrder> = {}) {
  const clock = createManualClock();
  const logLines: string[] = [];
  const said: FromWorker[] = [];
  const happened: string[] = [];
  let hold = (_isHeld: boolean): void => {};
  let line: Line | null = null;
  let tap: PacketTap | undefined;
  let decide = (_end: ConsultEnd): void => {};
  const stream: Partial<AudioStream> = {
    onAudioLost() {},
    onDtmf() {},
    onFrame() {},
    onHold: (listener) => void (hold = listener),
    answered() {},
    stopPlaying() {},
    record: (isOn) => void happened.push(isOn ? "record" : "stop recording"),
    talkedSeconds: () => 0,
    stats: () => ({ sentPackets: 0, receivedPackets: 0 }) as never,
    async close() {
      happened.push("ports closed");
      return { recorded: false, seconds: 0 };
    },
  };
  const engine: Partial<MediaEngine> = {
    open(_, options) {
      ({ tap } = options);
      return Promise.resolve(stream as AudioStream);
    },
  };
  const call = startPhoneCall({
    clock,
    logger: createLogger(clock, "debug", (line) => void logLines.push(line)),
    order: { ...callOrder({ callId: "a", recordingFile: "/nowhere/a.wav", ...given }), trunkId: "main", direction },
    messagesSoFar: [],
    sipAt: { address: "127.0.0.1", port: 5060 },
    engine: engine as MediaEngine,
    createCallAgent: () => ({
      answered: (answered) => void (line = answered),
      keyPressed() {},
      held: (isHeld) => void happened.push(isHeld ? "held" : "back"),
      heardWords() {},
      ended: () => null,
    }),
    agentNeeds: { clip: () => null, ask: () => Promise.resolve(null) },
    longestCallMs: 3_600_000,
    lostAudioMs: 0,
    consult(_target, { decided }) {
      decide = decided;
      return { legId: "b", media: null, isJoined: true, answered() {}, ended() {}, heard() {}, stop() {} };
    },
    userAgent: { hangUp: (callId) => void happened.push(`hang up ${callId}`), refer() {} },
    connect() {
      if (connects) return;
      throw new TypeError("Meera's number is +919810012345");
    },
    send: (message) => void said.push(message),
    over: () => void happened.push("over"),
  });
  const packet = (words: string) => tap?.("sent", Buffer.from(words), { address: "0.0.0.0", port: 4_000 }, THERE);
  return {
    clock,
    call,
    said,
    happened,
    logLines,
    hold: (isHeld: boolean) => hold(isHeld),
    packet,
    line: () => line!,
    decide: (end: ConsultEnd) => decide(end),
  };
}

const THERE = { address: "127.0.0.2", port: 5_000 };

const NOT_BEGUN = {
  type: "ended",
  callId: "a",
  end: { kind: "failed", code: "infrastructure_error", message: "The call could not be begun. The log says why." },
};

test("dialled, it was never on the wire: it ends at once, and the log says where it failed, and of whom nothing", async () => {
  const { clock, said, happened, logLines } = begin("outbound");
  await clock.advance(0);
  expect(said).toMatchObject([NOT_BEGUN]);
  expect(happened).toEqual(["ports closed", "over"]);
  expect(JSON.parse(logLines[0]!)).toMatchObject({ level: "error", call_id: "a", error: "TypeError" });
  expect(logLines.join()).not.toContain("Meera");
});

test("taken, its caller still rings: the signalling is told to end it, and its end is the call's", async () => {
  const { clock, call, said, happened } = begin("inbound");
  await clock.advance(0);
  expect(said).toEqual([]);
  expect(happened).toEqual(["ports closed", "hang up a"]);
  call.ended({ by: "us", outcome: "interrupted", sipCode: 480, message: "It was turned away.", atMs: clock.now() });
  await clock.advance(0);
  expect(said).toMatchObject([NOT_BEGUN]);
  expect(happened.at(-1)).toBe("over");
});

test("an agent hears that it is held, and that they are back; who holds for more than five minutes is let go", async () => {
  const { clock, call, happened, hold } = begin("outbound", true);
  await clock.advance(0);
  hold(true);
  hold(false);
  expect(happened).toEqual([]);
  call.answered();
  hold(true);
  await clock.advance(4 * 60_000);
  hold(false);
  await clock.advance(4 * 60_000);
  hold(true);
  expect(happened).toEqual(["held", "back", "held"]);
  await clock.advance(5 * 60_000);
  expect(happened).toContain("hang up a");
});

describe("a captured call", () => {
  const MESSAGE: LineMessage = {
    atMs: Date.parse("2026-11-18T09:00:00Z"),
    direction: "sent",
    peer: "udp 127.0.0.2:5060",
    firstLine: "BYE sip:a SIP/2.0",
    text: "BYE sip:a SIP/2.0",
  };

  async function captured(recordingFile: string | null) {
    const captureFile = join(tempFolder(), "a.pcap");
    const { clock, call, said, happened, packet, line } = begin("outbound", true, { captureFile, recordingFile });
    await clock.advance(0);
    packet("while it rings");
    call.answered();
    packet("before the announcement");
    line().record(true);
    packet("recorded");
    line().record(false);
    packet("after a no");
    line().record(true);
    packet("recorded again");
    call.traced(MESSAGE);
    call.ended({ by: "peer", outcome: null, sipCode: null, message: "They hung up.", atMs: clock.now() });
    packet("too late");
    await clock.advance(0);
    await until(() => said.some(({ type }) => type === "ended"));
    return { bytes: readFileSync(captureFile, "latin1"), happened };
  }

  test("holds the packets of the time in which it was recorded, and the signalling of all of it", async () => {
    const { bytes, happened } = await captured("/nowhere/a.wav");
    expect(happened).toEqual(["record", "stop recording", "record", "ports closed", "over"]);
    expect(bytes).toContain("BYE sip:a");
    expect(["recorded", "recorded again"].filter((words) => bytes.includes(words))).toHaveLength(2);
    for (const words of ["while", "before", "after", "too late"]) expect(bytes).not.toContain(words);
  });

  test("holds no packet of a second person, who agreed to nothing", async () => {
    const captureFile = join(tempFolder(), "a.pcap");
    const { clock, call, said, happened, packet, line, decide } = begin("outbound", true, { captureFile });
    await clock.advance(0);
    call.answered();
    line().record(true);
    const end = line().consult("100", null);
    packet("it rings");
    decide("joined");
    packet("bridged");
    expect(await end).toBe("joined");
    call.ended({ by: "peer", outcome: null, sipCode: null, message: "", atMs: clock.now() });
    await clock.advance(0);
    await until(() => said.some(({ type }) => type === "ended"));
    expect(happened.slice(0, 2)).toEqual(["record", "stop recording"]);
    const bytes = readFileSync(captureFile, "latin1");
    expect([bytes.includes("it rings"), bytes.includes("bridged")]).toEqual([true, false]);
  });

  test("holds no packet where it must not be recorded, whatever the agent does", async () => {
    const { bytes } = await captured(null);
    expect(bytes).toContain("BYE sip:a");
    expect(bytes).not.toContain("recorded");
  });
});
