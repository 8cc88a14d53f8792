// SIP fulfils the carrier contract: a real worker, a real peer, real audio.
import { describe } from "bun:test";
import { createSipCarrier } from "../../../../src/telephony/sip/carrier/carrier.ts";
import type { CarrierFactory } from "../../../../src/telephony/port.ts";
import { until } from "../../../support/until.ts";
import { callOrder } from "../../carrier-log.ts";
import { carrierContract, type CarrierBench } from "../../contract.ts";
import { trunkAt } from "../call/agent-under-test.ts";
import { carrierOptions, NUMBERS, startCarrier, useSwitchboard } from "./bench.ts";
import { skipsFor } from "../../../support/skips.ts";

const switchboard = useSwitchboard();
/** What cannot be written is not kept. */
const NOWHERE = "/nowhere/call.wav";

async function bench(): Promise<CarrierBench> {
  const { port } = await switchboard();
  const factory: CarrierFactory = (listener) => {
    const carrier = createSipCarrier(carrierOptions())(listener);
    carrier.setTrunks([trunkAt(port, { lines: 20 })]);
    return carrier;
  };
  return {
    factory,
    trunkId: "main",
    recordsItself: true,
    numbers: NUMBERS,
    until: (condition) => until(condition),
    linger: () => aCallLater(port),
    close: async () => {},
  };
}

/** By the time a call that begins now has come to its end, so has every one before it. */
async function aCallLater(port: number): Promise<void> {
  const run = startCarrier(port);
  await run.opened();
  run.carrier.dial(callOrder({ callId: "later", to: NUMBERS.neverAnswers, trunkId: "main", recordingFile: NOWHERE }));
  run.carrier.dial(callOrder({ callId: "last", to: NUMBERS.talks, trunkId: "main", recordingFile: NOWHERE }));
  await run.ended("later");
  await run.ended("last");
  await run.carrier.stop();
}

describe.skipIf(skipsFor(Bun.which("sipp") === null, "needs sipp"))("over SIPp", () => {
  carrierContract("SIP", bench);
});
