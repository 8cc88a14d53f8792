// Grapheme-to-phoneme network for words outside the dictionary: a small recurrent network with the weights of g2p_en.
// Takes about 10 ms per word; callers cache the results.
import type { Sounds } from "./dictionary.ts";

const WIDTH = 256;
/** Reset, update and new: the gates of a gated recurrent unit. */
const GATES = 3 * WIDTH;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** Before the letters come padding, unknown and end. */
const UNKNOWN_LETTER = 1;
const END_OF_LETTERS = 2;
const FIRST_LETTER = 3;
const BEGIN_OF_SOUNDS = 2;
const END_OF_SOUNDS = 3;
/** In the order of the network's outputs, after four control symbols. */
const SOUNDS =
  "AA0 AA1 AA2 AE0 AE1 AE2 AH0 AH1 AH2 AO0 AO1 AO2 AW0 AW1 AW2 AY0 AY1 AY2 B CH D DH EH0 EH1 EH2 ER0 ER1 ER2 EY0 EY1 EY2 F G HH IH0 IH1 IH2 IY0 IY1 IY2 JH K L M N NG OW0 OW1 OW2 OY0 OY1 OY2 P R S SH T TH UH0 UH1 UH2 UW UW0 UW1 UW2 V W Y Z ZH".split(
    " ",
  );
const FIRST_SOUND = 4;
const SOUND_SIGNS = FIRST_SOUND + SOUNDS.length;
const LETTER_SIGNS = FIRST_LETTER + LETTERS.length;
/** Upper bound; real words have fewer. */
const MOST_SOUNDS = 24;
const MOST_LETTERS = 32;

interface Cell {
  fromInput: Float32Array;
  fromState: Float32Array;
  inputBias: Float32Array;
  stateBias: Float32Array;
}

/** `weights`: all tensors in sequence as 32-bit floats, written by scripts/pack-pronunciations.ts. */
export function createLettersToSounds(weights: Float32Array): (word: string) => Sounds {
  let at = 0;
  const next = (length: number): Float32Array => weights.subarray(at, (at += length));
  const nextCell = (): Cell => ({
    fromInput: next(GATES * WIDTH),
    fromState: next(GATES * WIDTH),
    inputBias: next(GATES),
    stateBias: next(GATES),
  });
  const letterMeanings = next(LETTER_SIGNS * WIDTH);
  const reader = nextCell();
  const soundMeanings = next(SOUND_SIGNS * WIDTH);
  const teller = nextCell();
  const outputs = next(SOUND_SIGNS * WIDTH);
  const outputBias = next(SOUND_SIGNS);
  if (at !== weights.length) throw new Error(`The weights have ${weights.length} numbers, expected ${at}.`);

  function letterSign(letter: string): number {
    const index = LETTERS.indexOf(letter);
    return index < 0 ? UNKNOWN_LETTER : FIRST_LETTER + index;
  }

  function likeliestSound(state: Float32Array): number {
    const scores = times(outputs, state, outputBias);
    return scores.indexOf(scores.reduce((most, score) => Math.max(most, score), -Infinity));
  }

  return (word) => {
    const letters = word.slice(0, MOST_LETTERS).split("");
    let state: Float32Array = new Float32Array(WIDTH);
    for (const sign of [...letters.map(letterSign), END_OF_LETTERS]) {
      state = step(reader, rowOf(letterMeanings, sign), state);
    }
    const sounds: string[] = [];
    for (let sign = BEGIN_OF_SOUNDS; sounds.length < MOST_SOUNDS;) {
      state = step(teller, rowOf(soundMeanings, sign), state);
      sign = likeliestSound(state);
      const sound = SOUNDS[sign - FIRST_SOUND];
      if (sign === END_OF_SOUNDS || sound === undefined) break;
      sounds.push(sound);
    }
    return sounds;
  };
}

function rowOf(matrix: Float32Array, row: number): Float32Array {
  return matrix.subarray(row * WIDTH, (row + 1) * WIDTH);
}

/** Plain loops: ten times faster than callbacks here. */
function times(matrix: Float32Array, vector: Float32Array, bias: Float32Array): Float32Array {
  const result = new Float32Array(bias.length);
  for (let row = 0, at = 0; row < bias.length; row++) {
    let sum = bias[row] ?? 0;
    for (let i = 0; i < WIDTH; i++) sum += (matrix[at++] ?? 0) * (vector[i] ?? 0);
    result[row] = sum;
  }
  return result;
}

const sigmoid = (value: number) => 1 / (1 + Math.exp(-value));

function step(cell: Cell, input: Float32Array, state: Float32Array): Float32Array {
  const byInput = times(cell.fromInput, input, cell.inputBias);
  const byState = times(cell.fromState, state, cell.stateBias);
  return state.map((before, i) => {
    const [update, fresh] = [WIDTH + i, 2 * WIDTH + i];
    const resets = sigmoid((byInput[i] ?? 0) + (byState[i] ?? 0));
    const keeps = sigmoid((byInput[update] ?? 0) + (byState[update] ?? 0));
    return (1 - keeps) * Math.tanh((byInput[fresh] ?? 0) + resets * (byState[fresh] ?? 0)) + keeps * before;
  });
}
