// Minimal in-memory zip reader for our own weights: stored and deflated files, no encryption, no zip64.

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const [STORED, DEFLATED] = [0, 8];

export function filesInZip(zip: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  let end = zip.byteLength - END_BYTES;
  while (end >= 0 && view.getUint32(end, true) !== END) end--;
  if (end < 0) throw new Error("The file is not a zip archive.");
  const files = new Map<string, Uint8Array>();
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) !== ENTRY) throw new Error("The zip archive is damaged.");
    const [method, packed, bytes] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 20, true),
      view.getUint32(at + 24, true),
    ];
    const [nameBytes, extraBytes, noteBytes] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [
      number,
      number,
      number,
    ];
    const name = new TextDecoder().decode(zip.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes));
    const local = view.getUint32(at + 42, true);
    const from = local + LOCAL_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (!name.endsWith("/")) files.set(name, contentOf(zip.subarray(from, from + packed), method, bytes));
    at += ENTRY_BYTES + nameBytes + extraBytes + noteBytes;
  }
  return files;
}

function contentOf(packed: Uint8Array, method: number, bytes: number): Uint8Array {
  if (method !== STORED && method !== DEFLATED)
    throw new Error("The zip archive uses an unsupported compression method.");
  const content =
    method === STORED
      ? packed
      : process.getBuiltinModule("node:zlib").inflateRawSync(packed, { maxOutputLength: bytes });
  if (content.byteLength !== bytes) throw new Error("The zip archive is damaged.");
  return content;
}
