// Entry point of a speech thread, separate from the threads that serve calls and requests. Each thread has one role:
// the voice, voice activity detection for all calls, a recogniser, or a spotter of alarm phrases.
import { SECOND_MS, stopwatch, systemClock, workwatch } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { surviveStrayFaults } from "../../core/last-resort.ts";
import { beRecogniser } from "../../speech/asr/role.ts";
import { beEar } from "../../speech/ears/role.ts";
import { createGuard, type NativeGuard } from "../../speech/onnx/native-guard.ts";
import { loadRuntime, type Runtime } from "../../speech/onnx/runtime.ts";
import { beSpotter } from "../../speech/spotter/role.ts";
import { loadVoice } from "../../speech/tts/load-voice.ts";
import { measureVoice } from "../../speech/tts/measure-voice.ts";
import type { FromSpeechWorker, MoreWeights, SpeechRole, ToSpeechWorker } from "../../speech/tts/protocol.ts";
import { createSpeaker } from "../../speech/tts/speaker.ts";
import { serveSpeech } from "../../speech/tts/server.ts";
import { lowerThreadPriority } from "../../telephony/libc.ts";

declare const self: Worker;

surviveStrayFaults("speech");

/** Serves a client's port. */
type Serve = (port: MessagePort) => void;

const send = (message: FromSpeechWorker) => self.postMessage(message, []);

type Role = (loadOnnx: () => Promise<Runtime>, more: MoreWeights, guard: NativeGuard) => Promise<Serve>;

/** Each role loads its own models. */
const ROLES: Record<SpeechRole, Role> = {
  async voice(loadOnnx) {
    const { synthesise, fallbackReason } = await loadVoice(loadOnnx);
    if (fallbackReason !== null) send({ type: "simpleVoice", reason: fallbackReason });
    send({ type: "measured", whose: "voice", tookMs: measureVoice(synthesise, workwatch) });
    const { speak, hurry } = createSpeaker({
      clock: systemClock,
      synthesise(sentence, voice, pace) {
        const tookMs = stopwatch();
        const samples = synthesise(sentence, voice, pace);
        send({ type: "worked", whose: "voice", tookMs: tookMs() });
        return samples;
      },
    });
    return (port) => serveSpeech(port, speak, hurry);
  },
  ear: async (loadOnnx) => beEar(await loadOnnx(), (calls) => send({ type: "listening", calls })),
  recogniser: async (loadOnnx, { added }) =>
    beRecogniser(await loadOnnx(), {
      added,
      fellBack: (reason) => send({ type: "builtInRecogniser", reason }),
      stopwatch,
      workwatch,
      measured: (tookMs) => send({ type: "measured", whose: "recogniser", tookMs }),
      recognised: (tookMs) => send({ type: "worked", whose: "recogniser", tookMs }),
    }),
  async spotter(_, { packs }, guard) {
    const serveSpotter = await beSpotter(packs["phrase-spotter"]?.model ?? null, guard, {
      workwatch,
      measured: (tookMs) => send({ type: "measured", whose: "spotter", tookMs }),
      spotted: (tookMs) => send({ type: "worked", whose: "spotter", tookMs }),
    });
    // Low priority from here on; all other threads go first.
    lowerThreadPriority();
    return serveSpotter;
  },
};

let serve: Serve = () => {};

async function begin({ role, nativeFolder, guard, more }: Extract<ToSpeechWorker, { type: "role" }>): Promise<void> {
  // Heartbeats start now, because loading may take longer than the watchdog's timeout.
  beat();
  const native = createGuard(guard, () => send({ type: "cameOut" }));
  try {
    serve = await ROLES[role](() => loadRuntime(nativeFolder, native), more, native);
  } catch (error) {
    // A library that cannot be loaded or damaged weights: a restart would fail the same way.
    send({ type: "cannotStart", message: messageOf(error) });
    return;
  }
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
