// Length-prefixed messages over a pipe: JSON fields followed by bytes.
import type { Message } from "./file-job.ts";

/** Two lengths, 32 bits each, little-endian. */
const HEAD_BYTES = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export interface Frame<Fields> {
  fields: Fields;
  bytes: Uint8Array;
}

/** The parts to write, in order; the bytes are not copied. */
export function frameOf({ bytes = new Uint8Array(), ...fields }: Message): Uint8Array[] {
  const json = encoder.encode(JSON.stringify(fields));
  const head = new Uint8Array(HEAD_BYTES + json.length);
  const view = new DataView(head.buffer);
  view.setUint32(0, json.length, true);
  view.setUint32(4, bytes.length, true);
  head.set(json, HEAD_BYTES);
  return [head, bytes];
}

/** Ends when the stream ends. */
export async function* framesIn<Fields>(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Frame<Fields>, void> {
  let parts: Uint8Array[] = [];
  let held = 0;
  let wanted = HEAD_BYTES;
  for await (const part of stream) {
    parts.push(part);
    held += part.length;
    while (held >= wanted) {
      const whole = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
      parts = [whole];
      wanted = lengthOf(whole);
      if (held < wanted) break;
      yield frameIn(whole);
      held -= wanted;
      parts = [whole.subarray(wanted)];
      wanted = HEAD_BYTES;
    }
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength);

function lengthOf(whole: Uint8Array): number {
  const view = viewOf(whole);
  return HEAD_BYTES + view.getUint32(0, true) + view.getUint32(4, true);
}

function frameIn<Fields>(whole: Uint8Array): Frame<Fields> {
  const jsonEnd = HEAD_BYTES + viewOf(whole).getUint32(0, true);
  return {
    fields: JSON.parse(decoder.decode(whole.subarray(HEAD_BYTES, jsonEnd))) as Fields,
    bytes: whole.subarray(jsonEnd, lengthOf(whole)),
  };
}
