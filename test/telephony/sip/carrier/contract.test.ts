// SIP keeps the carrier contract: a real worker, a real peer, real audio.
import { describe } from "bun:test";
import { createSipCarrier } from "../../../../src/telephony/sip/carrier.ts";
import type { CarrierFactory } from "../../../../src/telephony/port.ts";
import { until } from "../../../support/until.ts";
import { carrierContract, type CarrierBench } from "../../contract.ts";
import { trunkAt } from "../signalling/agent-under-test.ts";
import { carrierOptions, NUMBERS, RING_MS, TALK_MS, useSwitchboard } from "./bench.ts";

const switchboard = useSwitchboard();

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
    numbers: NUMBERS,
    until: (condition) => until(condition),
    linger: () => Bun.sleep(Math.max(TALK_MS, RING_MS) + 500),
    close: async () => {},
  };
}

describe.skipIf(Bun.which("sipp") === null)("over SIPp", () => {
  carrierContract("SIP", bench);
});
