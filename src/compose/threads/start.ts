// Starts our threads, or throws if there is no room for one. It is located beside the entry files, because compiled
// executables find them there: see `naming` in scripts/build.ts.
import { tmpdir } from "node:os";
import { systemClock } from "../../core/clock.ts";
import { assertRoomForThread } from "../../core/room-for-thread.ts";
import type { DiskWorker } from "../../db/disk-protocol.ts";
import type { ReadWorker } from "../../db/read-protocol.ts";
import type { WorkerPort } from "../../core/worker-port.ts";
import type { PostWorker } from "../../events/safe-post/thread.ts";
import type { ToLineWorker } from "./line-worker.ts";
import { beatWhileInside, createGuardState, mayEndNow } from "../../speech/onnx/native-guard.ts";
import { createNativeFolder, type NativeFolder } from "../../speech/onnx/native-folder.ts";
import { nativeFiles } from "../../speech/onnx/native-files.ts";
import { NO_PACKS } from "../../speech/packs/packs.ts";
import type { FromSpeechWorker, MoreWeights, SpeechRole, ToSpeechWorker } from "../../speech/tts/protocol.ts";
import type { FromWorker } from "../../telephony/sip/carrier/protocol.ts";

export function startLineWorker(): WorkerPort<ToLineWorker, FromWorker> {
  assertRoomForThread();
  return portOf(new Worker(new URL("./line-worker.ts", import.meta.url)));
}

/** Does not keep the process alive. */
export function startPostWorker(): PostWorker {
  assertRoomForThread();
  return portOf(new Worker(new URL("./post-worker.ts", import.meta.url), { ref: false }));
}

/** Does not keep the process alive. */
export function startReadWorker(): ReadWorker {
  assertRoomForThread();
  return portOf(new Worker(new URL("./read-worker.ts", import.meta.url), { ref: false }));
}

/** Does not keep the process alive. */
export function startDiskWorker(): DiskWorker {
  assertRoomForThread();
  return portOf(new Worker(new URL("./disk-worker.ts", import.meta.url), { ref: false }));
}

/** `more`: models in addition to or in place of those in every build. */
export function startSpeechWorker(
  role: SpeechRole,
  more: MoreWeights = { added: null, packs: NO_PACKS },
): WorkerPort<ToSpeechWorker, FromSpeechWorker> {
  assertRoomForThread();
  const worker = new Worker(new URL("./speech-worker.ts", import.meta.url));
  const port = portOf<ToSpeechWorker, FromSpeechWorker>(worker);
  const guard = createGuardState();
  port.post({ type: "role", role, nativeFolder: nativeFolder(), guard, more });
  port.onMessage(({ type }) => {
    if (type === "cameOut") worker.terminate();
  });
  const onClose = (stop: () => void) => worker.addEventListener("close", stop, { once: true });
  return {
    ...port,
    onMessage(listener) {
      port.onMessage(listener);
      onClose(beatWhileInside(guard, systemClock, () => listener({ type: "beat" })));
    },
    // A thread stuck in native code is abandoned, because terminating it would end the process.
    terminate() {
      if (mayEndNow(guard)) worker.terminate();
    },
  };
}

let folder: NativeFolder | null = null;

/** Folder of the ONNX Runtime library: one for the process, written only if the build embeds it. */
export function nativeFolder(): string {
  const files = nativeFiles();
  if ("reason" in files || !files.areEmbedded) return "";
  if (!folder) {
    folder = createNativeFolder(tmpdir(), process.pid);
    process.on("exit", folder.remove);
  }
  return folder.path;
}

/** Exported for tests that start a worker of their own. */
export function portOf<To, From>(worker: Worker): WorkerPort<To, From> {
  return {
    post: (message, transfer = []) => worker.postMessage(message, [...transfer]),
    onMessage: (listener) => worker.addEventListener("message", ({ data }: MessageEvent<From>) => listener(data)),
    onEnd(listener) {
      let reason = "it exited";
      // `close` follows every error, once the worker's sockets are free.
      worker.addEventListener("error", ({ message }) => (reason = faultIn(message)));
      worker.addEventListener("close", () => listener(reason), { once: true });
    },
    terminate: () => worker.terminate(),
  };
}

/**
 * Bun reports the source around the error, its kind and message, and the stack. The log needs the kind and the
 * location; the message might quote personal data.
 */
function faultIn(message: string): string {
  const kind = /^(\w*error)\b/im.exec(message)?.[1] ?? "error";
  const at = /^\s+(at .+)$/m.exec(message)?.[1] ?? "at a place that is not known";
  return `${kind} ${at}`;
}
