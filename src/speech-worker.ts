// The voice's thread: one sentence after the other, away from the threads that calls and requests wait on. Its entry.
import { SECOND_MS, systemClock } from "./core/clock.ts";
import { loadFlite } from "./speech/tts/flite.ts";
import type { FromSpeechWorker, ToSpeechWorker } from "./speech/tts/protocol.ts";
import { createSpeaker } from "./speech/tts/speaker.ts";
import { serveSpeech } from "./speech/tts/server.ts";

declare const self: Worker;

const send = (message: FromSpeechWorker) => self.postMessage(message, []);
const speaking = loadFlite().then((synthesise) => createSpeaker({ clock: systemClock, synthesise }));

function beat(): void {
  send({ type: "beat" });
  systemClock.after(SECOND_MS, beat);
}

self.addEventListener("message", ({ data }: MessageEvent<ToSpeechWorker>) => {
  if (data.type === "client") serveSpeech(data.port, async (text) => (await speaking).speak(text));
  else if (data.type === "stop") send({ type: "stopped" });
});

await speaking;
send({ type: "ready" });
beat();
