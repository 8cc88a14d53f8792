// The pieces of words that the recogniser writes, and how they become a line of text.
import { readWeights, WEIGHTS } from "../onnx/weights.ts";

export interface Tokens {
  textOf(tokens: readonly number[]): string;
  /** As it is written, with the space before it; empty where it is part of a character, or no text. */
  pieceOf(token: number): string;
  readonly count: number;
}

/** SentencePiece's sign for a space. */
const SPACE = "\u2581";
/** Below are <unk>, <s> and </s>, then one token for each byte, for what has no piece of its own. */
const FIRST_BYTE_TOKEN = 3;
const FIRST_PIECE_TOKEN = 259;

export async function readTokens(): Promise<Tokens> {
  const pieces = new TextDecoder().decode(await readWeights(WEIGHTS.moonshineTokens)).split("\n");
  return createTokens(pieces);
}

export function createTokens(pieces: readonly string[]): Tokens {
  const encoder = new TextEncoder();
  const bytesOf = (token: number): Uint8Array => {
    if (token < FIRST_BYTE_TOKEN) return new Uint8Array(0);
    if (token < FIRST_PIECE_TOKEN) return Uint8Array.of(token - FIRST_BYTE_TOKEN);
    // Tokens beyond the pieces are signs for its training, and no words.
    return encoder.encode((pieces[token] ?? "").replaceAll(SPACE, " "));
  };
  return {
    count: pieces.length,
    pieceOf: (token) => (token < FIRST_PIECE_TOKEN ? "" : (pieces[token] ?? "").replaceAll(SPACE, " ")),
    // A character may be spread over several byte tokens: it is text only once all are together.
    textOf: (tokens) => Buffer.concat(tokens.map(bytesOf)).toString("utf8").replaceAll(/\s+/g, " ").trim(),
  };
}
