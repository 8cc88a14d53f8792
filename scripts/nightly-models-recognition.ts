// Checks of whisper-server through our recognition client: clinic sentences in the built-in voice at telephone quality.
import { decodeG711, encodeG711 } from "../src/audio/g711.ts";
import { joinSounds } from "../src/audio/telephone-sound.ts";
import { systemClock } from "../src/core/clock.ts";
import { loadRuntime } from "../src/speech/onnx/runtime.ts";
import type { ServerAddress } from "../src/speech/servers/port.ts";
import { createTranscriber, type Transcriber } from "../src/speech/servers/recognition/transcriber.ts";
import { loadNeuralVoice } from "../src/speech/tts/neural/load.ts";
import { sentencesOf } from "../src/speech/tts/reading.ts";
import { expectThat } from "./nightly-checks.ts";
import { connectionsTo, faultOf, never, type Check } from "./nightly-models-world.ts";
import { wordErrors } from "./word-errors.ts";

async function withEars<T>(address: ServerAddress, use: (ears: Transcriber) => Promise<T>): Promise<T> {
  const ears = createTranscriber({ clock: systemClock, address, language: "en-IN", note: () => {} });
  try {
    return await use(ears);
  } finally {
    ears.close();
  }
}

const SENTENCES = [
  "Please do not eat anything for eight hours before the blood test.",
  "I can call you back later today, if you prefer.",
] as const;

/** Built-in voice at telephone quality. */
const rendered = (() => {
  let voice: ReturnType<typeof loadNeuralVoice> | null = null;
  return async (text: string): Promise<Int16Array> => {
    voice ??= loadRuntime("").then(loadNeuralVoice);
    const speak = await voice;
    const sound = joinSounds(sentencesOf(text).map((sentence) => speak(sentence, "heart")));
    return decodeG711(encodeG711(sound, "PCMU"), "PCMU");
  };
})();

export const RECOGNITION: Check[] = [
  ...SENTENCES.map((sentence): Check => ({
    group: "recognition",
    name: `"${sentence.slice(0, 40)}…"`,
    run: ({ whisper }) =>
      withEars(whisper.address, async (ears) => {
        const text = await ears.transcribe(await rendered(sentence), never());
        expectThat(wordErrors(sentence, text).errors === 0, `it heard ${JSON.stringify(text)}`);
        return text;
      }),
  })),
  {
    group: "recognition",
    name: "silence has no words, asked twice over one connection",
    run: ({ whisper }) =>
      withEars(whisper.address, async (ears) => {
        const others = connectionsTo(whisper.port);
        const used = new Set<string>();
        for (let i = 0; i < 2; i++) {
          const text = await ears.transcribe(new Int16Array(16_000), never());
          expectThat(text === "", `it heard ${JSON.stringify(text)}`);
          for (const ours of connectionsTo(whisper.port)) if (!others.includes(ours)) used.add(ours);
        }
        expectThat(used.size === 1, `${used.size} connections`);
        return "no words, 1 connection";
      }),
  },
  {
    group: "recognition",
    name: "given up in the middle, and asked again",
    run: ({ whisper }) =>
      withEars(whisper.address, async (ears) => {
        const [, sentence] = SENTENCES;
        const sound = await rendered(sentence);
        const fault = await faultOf(ears.transcribe(sound, AbortSignal.timeout(100)));
        expectThat(fault === "model server: aborted", fault);
        const text = await ears.transcribe(sound, never());
        expectThat(wordErrors(sentence, text).errors === 0, `it heard ${JSON.stringify(text)}`);
        return `${fault}, then: ${text}`;
      }),
  },
  {
    group: "recognition",
    name: "an address that is not there",
    async run({ whisper }) {
      const elsewhere = { ...whisper.address, baseUrl: `http://127.0.0.1:${whisper.port}/v2` };
      const fault = await faultOf(withEars(elsewhere, (ears) => ears.transcribe(new Int16Array(8_000), never())));
      expectThat(fault === "model server: status 404", fault);
      return fault;
    },
  },
];
