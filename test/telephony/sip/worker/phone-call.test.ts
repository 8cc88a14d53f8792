// A call whose beginning fails: it ends like any other, so that nobody waits for it and its line is free again.
import { expect, test } from "bun:test";
import { createLogger } from "../../../../src/core/logger.ts";
import type { FromWorker } from "../../../../src/telephony/sip/carrier/protocol.ts";
import type { MediaEngine } from "../../../../src/telephony/rtp/engine.ts";
import type { AudioStream } from "../../../../src/telephony/rtp/audio-stream.ts";
import { startPhoneCall } from "../../../../src/telephony/sip/worker/phone-call.ts";
import { createManualClock } from "../../../support/manual-clock.ts";
import { callOrder } from "../../carrier-log.ts";

function begin(direction: "outbound" | "inbound", connects = false) {
  const clock = createManualClock();
  const logLines: string[] = [];
  const said: FromWorker[] = [];
  const happened: string[] = [];
  let hold = (_isHeld: boolean): void => {};
  const stream: Partial<AudioStream> = {
    onAudioLost() {},
    onDtmf() {},
    onHold: (listener) => void (hold = listener),
    answered() {},
    stopPlaying() {},
    stats: () => ({ sentPackets: 0, receivedPackets: 0 }) as never,
    async close() {
      happened.push("ports closed");
      return { recorded: false, seconds: 0 };
    },
  };
  const engine: Partial<MediaEngine> = { open: () => Promise.resolve(stream as AudioStream) };
  const call = startPhoneCall({
    clock,
    logger: createLogger(clock, "debug", (line) => void logLines.push(line)),
    order: { ...callOrder({ callId: "a", recordingFile: "/nowhere/a.wav" }), trunkId: "main", direction },
    messagesSoFar: [],
    sipAt: { address: "127.0.0.1", port: 5060 },
    engine: engine as MediaEngine,
    createCallAgent: () => ({
      answered() {},
      keyPressed() {},
      held: (isHeld) => void happened.push(isHeld ? "held" : "back"),
      heardWords() {},
      ended: () => null,
    }),
    agentNeeds: { clip: () => null, ask: () => Promise.resolve(null) },
    longestCallMs: 3_600_000,
    lostAudioMs: 0,
    consult: () => null,
    userAgent: { hangUp: (callId) => void happened.push(`hang up ${callId}`), refer() {} },
    connect() {
      if (connects) return;
      throw new TypeError("Meera's number is +919810012345");
    },
    send: (message) => void said.push(message),
    over: () => void happened.push("over"),
  });
  return { clock, call, said, happened, logLines, hold: (isHeld: boolean) => hold(isHeld) };
}

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
