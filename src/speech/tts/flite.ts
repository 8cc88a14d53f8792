// Flite, the speech synthesiser of Carnegie Mellon University, as WASM. English only; embedded only in executables
// without ONNX Runtime.
import { forTelephone } from "../../audio/telephone-sound.ts";
import { unpacked } from "../onnx/packed-file.ts";
import { fliteFile } from "./flite-file.ts";
import { SPEED, type Pace } from "./pace.ts";
import { runCommand } from "./wasi.ts";

/** Its clearest voice over a telephone; the others sound older or have a stronger accent. */
const VOICE = "slt";
/** RIFF, `fmt ` for PCM and the header of `data`; Flite always writes this layout. */
const WAV_HEADER_BYTES = 44;
const RATE_AT = 24;

/** Synthesises a sentence at 8 kHz. */
export type Speak = (sentence: string, pace?: Pace) => Int16Array<ArrayBuffer>;

/**
 * Compiling takes about 35 ms, a short sentence 50 ms and a long one 150 ms. Each sentence runs in a fresh instance.
 */
export async function loadFlite(): Promise<Speak> {
  if (fliteFile === null) throw new Error("This build comes without the simple voice.");
  // The compiler requires a plain ArrayBuffer, so the bytes are copied.
  const module = await WebAssembly.compile(new Uint8Array(await unpacked(fliteFile)));
  return (sentence, pace = "usual") => {
    const stretch = ["--setf", `duration_stretch=${1 / SPEED[pace]}`];
    const words = ["-t", sentence, "-o", "/speech.wav"];
    const { exitCode, output } = runCommand(module, ["flite", "-voice", VOICE, ...stretch, ...words]);
    if (exitCode !== 0 || output.length <= WAV_HEADER_BYTES) {
      throw new Error(`Flite produced no audio (exit code ${exitCode}).`);
    }
    const rateHz = new DataView(output.buffer).getUint32(RATE_AT, true);
    const samples = new Int16Array(output.slice(WAV_HEADER_BYTES, output.length - (output.length % 2)).buffer);
    return forTelephone(samples, rateHz);
  };
}
