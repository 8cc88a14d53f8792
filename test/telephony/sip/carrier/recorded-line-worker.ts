// The line thread without recognition. Each call is recorded from the answer on, as an agent would do that may.
import { systemClock } from "../../../../src/core/clock.ts";
import { createIds } from "../../../../src/core/ids.ts";
import { surviveStrayFaults } from "../../../../src/core/last-resort.ts";
import type { ToLineWorker } from "../../../../src/compose/threads/line-worker.ts";
import { createSpeechClient } from "../../../../src/speech/tts/client.ts";
import type { FromWorker } from "../../../../src/telephony/sip/carrier/protocol.ts";
import { createPhone } from "../../../../src/telephony/sip/worker/phone.ts";
import { createCallAgents } from "../../../../src/voice/call-agents.ts";
import { recordedFromAnswer } from "../../carrier-log.ts";

declare const self: Worker;

surviveStrayFaults("line");
const speech = createSpeechClient({ clock: systemClock });
const phone = createPhone({
  clock: systemClock,
  ids: createIds(systemClock),
  createCallAgent: recordedFromAnswer(createCallAgents(speech)),
  send: (message: FromWorker) => self.postMessage(message, []),
});

self.addEventListener("message", ({ data }: MessageEvent<ToLineWorker>) => {
  if (data.type === "speech") speech.connect(data.port);
  else if (data.type !== "ear" && data.type !== "recogniser" && data.type !== "spotter") phone.receive(data);
});
