// Embedded weights as files. An import gives the path and reads nothing.
import englishLetters from "../models/g2p-en/letters.bin" with { type: "file" };
import englishWords from "../models/cmu-dictionary/words.txt" with { type: "file" };
import voiceFront from "../models/telephone-voice/front.onnx" with { type: "file" };
import voiceDecoder from "../models/telephone-voice/decoder.onnx" with { type: "file" };
import voiceHindiDecoder from "../models/telephone-voice/decoder-hindi.onnx" with { type: "file" };
import voiceHeart from "../models/telephone-voice/heart.bin" with { type: "file" };
import voiceMichael from "../models/telephone-voice/michael.bin" with { type: "file" };
import voiceEmma from "../models/telephone-voice/emma.bin" with { type: "file" };
import voiceAlpha from "../models/telephone-voice/alpha.bin" with { type: "file" };
import voiceBeta from "../models/telephone-voice/beta.bin" with { type: "file" };
import voiceOmega from "../models/telephone-voice/omega.bin" with { type: "file" };
import voicePsi from "../models/telephone-voice/psi.bin" with { type: "file" };
import moonshineDecoder from "../models/moonshine-tiny-en/decoder.onnx" with { type: "file" };
import moonshineEncoder from "../models/moonshine-tiny-en/encoder.onnx" with { type: "file" };
import moonshineTokens from "../models/moonshine-tiny-en/tokens.txt" with { type: "file" };
import voiceDetector from "../models/silero-vad/model.onnx" with { type: "file" };

export const FILES = {
  voiceDetector,
  moonshineEncoder,
  moonshineDecoder,
  moonshineTokens,
  voiceFront,
  voiceDecoder,
  voiceHindiDecoder,
  voiceHeart,
  voiceMichael,
  voiceEmma,
  voiceAlpha,
  voiceBeta,
  voiceOmega,
  voicePsi,
  englishWords,
  englishLetters,
};
