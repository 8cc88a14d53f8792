// The simulator fulfils the carrier contract at any speed.
import { silentLogger } from "../../../src/core/logger.ts";
import { createSimulator } from "../../../src/telephony/simulator/simulator.ts";
import { courseFor } from "../../../src/telephony/simulator/test-numbers.ts";
import { simulatedVoice } from "../../../src/voice/simulated-speech.ts";
import { createCallAgents } from "../../../src/voice/call-agents.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { recordedFromAnswer } from "../carrier-log.ts";
import { carrierContract, type CarrierBench } from "../contract.ts";

const createCallAgent = recordedFromAnswer(createCallAgents(simulatedVoice));
const AGREEABLE = "+919810012345";

function bench(speed: number): CarrierBench {
  const clock = createManualClock();
  return {
    factory: createSimulator({ clock, logger: silentLogger, speed, lines: 20, createCallAgent, courseFor }),
    recordsItself: false,
    numbers: { talks: AGREEABLE, busy: "+919810010001", neverAnswers: "+919810010002" },
    async until(condition) {
      for (let steps = 0; !condition(); steps++) {
        if (steps > 400) throw new Error("it did not come to pass within 100 simulated seconds");
        await clock.advance(250 / speed);
      }
    },
    linger: () => clock.advance(100_000 / speed),
    close: async () => {},
  };
}

carrierContract("the simulator", () => bench(1));
carrierContract("the simulator at fifty times the speed", () => bench(50));
