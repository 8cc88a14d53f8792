// Flite, the speech synthesiser of Carnegie Mellon University, as WASM. English only, and inside executables without
// ONNX Runtime alone.
import { forTelephone } from "../../audio/telephone-sound.ts";
import { unpacked } from "../onnx/packed-file.ts";
import { fliteFile } from "./flite-file.ts";
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
  if (fliteFile === null) throw new Error("This build of Ringward comes without the simple voice.");
  // A copy in an ArrayBuffer of its own, which is what the compiler takes.
  const module = await WebAssembly.compile(new Uint8Array(await unpacked(fliteFile)));
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
