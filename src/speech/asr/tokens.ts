// Token vocabulary of the recogniser, and conversion of tokens to text.
import { readWeights, WEIGHTS } from "../onnx/weights.ts";

export interface Tokens {
  textOf(tokens: readonly number[]): string;
  /** Its text with the leading space; empty for a part of a character and for control tokens. */
  pieceOf(token: number): string;
  readonly count: number;
}

/** SentencePiece's symbol for a space. */
const SPACE = "\u2581";
/** Before these come <unk>, <s> and </s>, then one token per byte for characters without a piece. */
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
    // Tokens beyond the pieces are training symbols without text.
    return encoder.encode((pieces[token] ?? "").replaceAll(SPACE, " "));
  };
  return {
    count: pieces.length,
    pieceOf: (token) => (token < FIRST_PIECE_TOKEN ? "" : (pieces[token] ?? "").replaceAll(SPACE, " ")),
    // A character may span several byte tokens, so bytes are decoded together.
    textOf: (tokens) => Buffer.concat(tokens.map(bytesOf)).toString("utf8").replaceAll(/\s+/g, " ").trim(),
  };
}
