// A speech thread: the voice. One sentence after the other, away from the threads that calls and requests wait on.
import { SECOND_MS, systemClock } from "./core/clock.ts";
import { createGuard } from "./speech/onnx/native-guard.ts";
import { loadRuntime, type Runtime } from "./speech/onnx/runtime.ts";
import { loadVoice } from "./speech/tts/load-voice.ts";
import type { FromSpeechWorker, SpeechRole, ToSpeechWorker } from "./speech/tts/protocol.ts";
import { createSpeaker } from "./speech/tts/speaker.ts";
import { serveSpeech } from "./speech/tts/server.ts";

declare const self: Worker;

/** What a client's port is answered with. */
type Serve = (port: MessagePort) => void;

/** Each role loads what it needs. */
const ROLES: Record<SpeechRole, (loadOnnx: () => Promise<Runtime>) => Promise<Serve>> = {
  async voice(loadOnnx) {
    const { synthesise, fallbackReason } = await loadVoice(loadOnnx);
    if (fallbackReason !== null) send({ type: "simpleVoice", reason: fallbackReason });
    const { speak } = createSpeaker({ clock: systemClock, synthesise });
    return (port) => serveSpeech(port, speak);
  },
};

const send = (message: FromSpeechWorker) => self.postMessage(message, []);
let serve: Serve = () => {};

async function begin({ role, nativeFolder, guard }: Extract<ToSpeechWorker, { type: "role" }>): Promise<void> {
  // From the first on: to load may take longer than a silent worker is let live.
  beat();
  const native = createGuard(guard, () => send({ type: "cameOut" }));
  serve = await ROLES[role](() => loadRuntime(nativeFolder, native));
  send({ type: "ready" });
}

function beat(): void {
  send({ type: "beat" });
  systemClock.after(SECOND_MS, beat);
}

self.addEventListener("message", ({ data }: MessageEvent<ToSpeechWorker>) => {
  if (data.type === "role") void begin(data);
  else if (data.type === "client") serve(data.port);
  else if (data.type === "stop") send({ type: "stopped" });
});
