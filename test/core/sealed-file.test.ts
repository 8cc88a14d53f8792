// An encrypted file equals the plain one at every offset and length, and every change of it is found.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openReadable, sealInto, type ReadableFile } from "../../src/core/sealed-file.ts";
import {
  frameAt,
  FRAME_OVERHEAD_BYTES,
  HEAD_BYTES,
  readHead,
  SealedFileError,
  type FileKeys,
} from "../../src/core/sealed-frames.ts";
import { tempFolder } from "../support/temp.ts";

const KEYS = {
  current: { id: "0123456789abcdef", key: Buffer.alloc(32, 3) },
  byId: (id: string) => (id === "0123456789abcdef" ? Buffer.alloc(32, 3) : undefined),
} satisfies FileKeys;
const FRAME = 1024;
const folder = tempFolder();
let files = 0;

function sealed(plain: Uint8Array): string {
  const from = join(folder, `plain-${++files}`);
  const to = join(folder, `sealed-${files}`);
  writeFileSync(from, plain);
  const fd = openSync(to, "w");
  const readable = openReadable(from, null);
  sealInto(fd, 0, readable, { keyId: KEYS.current.id, key: KEYS.current.key, frameBytes: FRAME });
  readable.close();
  closeSync(fd);
  return to;
}

function contentOf(path: string): Buffer {
  const file = openReadable(path, KEYS);
  try {
    return part(file, 0, file.bytes);
  } finally {
    file.close();
  }
}

function part(file: ReadableFile, at: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, file.readInto(buffer, at));
}

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 5 * FRAME }),
  fc.nat(5).map((frames) => Buffer.alloc(frames * FRAME, 0xab)),
);

describe("a sealed file", () => {
  test("equals the plain one at every offset and length", () => {
    fc.assert(
      fc.property(bytes, fc.nat(6 * FRAME), fc.nat(6 * FRAME), (plain, at, length) => {
        const file = openReadable(sealed(plain), KEYS);
        expect(file.bytes).toBe(plain.length);
        expect(part(file, at, length)).toEqual(Buffer.from(plain).subarray(at, at + length));
        file.close();
      }),
      { numRuns: 200 },
    );
  });

  test("does not contain the plain text, and two of the same differ", () => {
    const plain = Buffer.from("Kamala Devi, +919812345678 ".repeat(200));
    const [a, b] = [readFileSync(sealed(plain)), readFileSync(sealed(plain))];
    expect(a.includes("Kamala")).toBeFalse();
    expect(a.equals(b)).toBeFalse();
  });

  test("with any bit flipped is refused", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 3 * FRAME }), fc.nat(), fc.nat(7), (plain, where, bit) => {
        const path = sealed(plain);
        const content = readFileSync(path);
        const at = where % content.length;
        content.writeUInt8((content[at] ?? 0) ^ (1 << bit), at);
        writeFileSync(path, content);
        // A damaged mark of the format makes it another kind of file, which is never equal to the plain one.
        const found = at < 16 ? safely(() => contentOf(path)) : refused(() => contentOf(path));
        expect(found?.equals(Buffer.from(plain)) ?? false).toBeFalse();
      }),
      { numRuns: 200 },
    );
  });

  test("without a frame, with frames in another order, or cut anywhere is refused", () => {
    const plain = Buffer.from(Array.from({ length: 4 * FRAME }, (_, i) => i % 251));
    const path = sealed(plain);
    const whole = readFileSync(path);
    const head = readHead(whole);
    if (!head) throw new Error("It has a header.");
    const frame = (i: number) => whole.subarray(frameAt(head, i), frameAt(head, i + 1));
    const header = whole.subarray(0, HEAD_BYTES);
    const orders = [
      [0, 1, 2],
      [0, 1],
      [1, 2, 3],
      [0, 2, 3],
      [1, 0, 2, 3],
      [0, 1, 3, 2],
      [0, 1, 2, 3, 3],
      [0, 0, 2, 3],
      [],
    ];
    for (const order of orders) {
      writeFileSync(path, Buffer.concat([header, ...order.map(frame)]));
      refused(() => contentOf(path));
    }
    for (let length = HEAD_BYTES; length < whole.length; length += 7) {
      writeFileSync(path, whole.subarray(0, length));
      refused(() => contentOf(path));
    }
    // A frame of another file of the same key.
    const other = readFileSync(sealed(plain));
    writeFileSync(
      path,
      Buffer.concat([header, frame(0), other.subarray(frameAt(head, 1), frameAt(head, 2)), frame(2), frame(3)]),
    );
    refused(() => contentOf(path));
  });

  test("cut between two frames is refused when it is opened, before a byte is read", () => {
    const path = sealed(Buffer.alloc(3 * FRAME));
    writeFileSync(path, readFileSync(path).subarray(0, HEAD_BYTES + 2 * (FRAME + FRAME_OVERHEAD_BYTES)));
    refused(() => openReadable(path, KEYS));
  });

  test("needs its key, and a plain file needs none", () => {
    const path = sealed(Buffer.from("secret"));
    expect(() => openReadable(path, null)).toThrow("The key 0123456789abcdef of an encrypted file is missing.");
    const plain = join(folder, "plain");
    writeFileSync(plain, "in the open");
    expect(contentOf(plain).toString()).toBe("in the open");
    writeFileSync(plain, "");
    expect(contentOf(plain).length).toBe(0);
  });
});

function refused(work: () => Buffer | ReadableFile): null {
  expect(work).toThrow(SealedFileError);
  return null;
}

function safely(work: () => Buffer): Buffer | null {
  try {
    return work();
  } catch (error) {
    expect(error).toBeInstanceOf(SealedFileError);
    return null;
  }
}
