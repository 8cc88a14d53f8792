// A speech thread: the voice. One sentence after the other, away from the threads that calls and requests wait on.
import { SECOND_MS, systemClock } from "./core/clock.ts";
import { loadFlite } from "./speech/tts/flite.ts";
import type { FromSpeechWorker, SpeechRole, ToSpeechWorker } from "./speech/tts/protocol.ts";
import { createSpeaker } from "./speech/tts/speaker.ts";
import { serveSpeech } from "./speech/tts/server.ts";

declare const self: Worker;

/** What a client's port is answered with. */
type Serve = (port: MessagePort) => void;

/** Each role loads what it needs; the folder is where ONNX Runtime comes from. */
const ROLES: Record<SpeechRole, (nativeFolder: string) => Promise<Serve>> = {
  async voice() {
    const speaker = createSpeaker({ clock: systemClock, synthesise: await loadFlite() });
    return (port) => serveSpeech(port, async (text) => speaker.speak(text));
  },
};

const send = (message: FromSpeechWorker) => self.postMessage(message, []);
let serve: Serve = () => {};

async function begin(role: SpeechRole, nativeFolder: string): Promise<void> {
  serve = await ROLES[role](nativeFolder);
  send({ type: "ready" });
  beat();
}

function beat(): void {
  send({ type: "beat" });
  systemClock.after(SECOND_MS, beat);
}

self.addEventListener("message", ({ data }: MessageEvent<ToSpeechWorker>) => {
  if (data.type === "role") void begin(data.role, data.nativeFolder);
  else if (data.type === "client") serve(data.port);
  else if (data.type === "stop") send({ type: "stopped" });
});
