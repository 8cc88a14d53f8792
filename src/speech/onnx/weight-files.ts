// The weights that lie in the executable, as files. Importing one gives its path, and reads nothing.
import moonshineDecoder from "../../../models/moonshine-tiny-en/decoder.onnx" with { type: "file" };
import moonshineEncoder from "../../../models/moonshine-tiny-en/encoder.onnx" with { type: "file" };
import voiceDetector from "../../../models/silero-vad/model.onnx" with { type: "file" };

export const FILES = { voiceDetector, moonshineEncoder, moonshineDecoder };
