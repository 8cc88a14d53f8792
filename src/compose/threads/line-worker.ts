// Entry point of the line thread: SIP, audio and the agents on calls, connected to the thread's messages.
import { systemClock } from "../../core/clock.ts";
import { collectAtRest } from "../../core/collect-at-rest.ts";
import { surviveStrayFaults } from "../../core/last-resort.ts";
import { createIds } from "../../core/ids.ts";
import { createRecognisers } from "../../speech/asr/recognisers.ts";
import { createEars } from "../../speech/ears/ears.ts";
import type { HearingPort } from "../../speech/hearing.ts";
import { createSpotters } from "../../speech/spotter/spotters.ts";
import { createSpeechClient } from "../../speech/tts/client.ts";
import type { FromWorker, ToWorker } from "../../telephony/sip/carrier/protocol.ts";
import { raiseThreadPriority } from "../../telephony/libc.ts";
import { createPhone } from "../../telephony/sip/worker/phone.ts";
import { createCallAgents } from "../../voice/call-agents.ts";

declare const self: Worker;

/** Besides the phone's messages: ports to the speech workers, at the start and after each restart of one. */
export type ToLineWorker = ToWorker | { type: "speech"; port: MessagePort } | HearingPort;

// Audio has priority over requests and reports, if the system permits.
raiseThreadPriority();

const send = (message: FromWorker): void => self.postMessage(message, []);

surviveStrayFaults("line");

const speech = createSpeechClient({ clock: systemClock });
const recognisers = createRecognisers({ clock: systemClock });
const spotters = createSpotters({ clock: systemClock });
const hearing = createEars({ clock: systemClock, recognisers, spotters });
const phone = createPhone({
  clock: systemClock,
  ids: createIds(systemClock),
  createCallAgent: createCallAgents(speech, hearing.ears),
  send,
});

// Collects garbage only between calls, because a due packet would wait for it.
collectAtRest({ clock: systemClock, isFree: () => phone.isIdle });

self.addEventListener("message", ({ data }: MessageEvent<ToLineWorker>) => {
  if (data.type === "speech") speech.connect(data.port);
  else if (data.type === "ear") hearing.connect(data.port);
  else if (data.type === "recogniser") recognisers.connect(data.index, data.port);
  else if (data.type === "spotter") spotters.connect(data.index, data.port);
  else phone.receive(data);
});
