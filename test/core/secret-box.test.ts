import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createSecretBox, newRootKey, ROOT_KEY_BYTES } from "../../src/core/secret-box.ts";

const box = createSecretBox(new Uint8Array(ROOT_KEY_BYTES).fill(1));

const bytesOf = (sealed: string) => Buffer.from(sealed.slice("v1.".length), "base64url");
const sealedFrom = (bytes: Uint8Array) => `v1.${Buffer.from(bytes).toString("base64url")}`;

test("what is sealed opens again, whatever it is", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.string(),
      (plain, purpose) => box.open(box.seal(plain, purpose), purpose) === plain,
    ),
  );
});

test("sealing twice gives two texts, and neither holds the secret", () => {
  const [a, b] = [box.seal("whsec_hello", "webhook"), box.seal("whsec_hello", "webhook")];
  expect(a).not.toBe(b);
  expect(bytesOf(a).includes("whsec_hello")).toBeFalse();
});

describe("a sealed secret does not open", () => {
  test("for another purpose", () => {
    expect(() => box.open(box.seal("x", "webhook"), "inbound")).toThrow();
  });

  test("under another root key", () => {
    const other = createSecretBox(new Uint8Array(ROOT_KEY_BYTES).fill(2));
    expect(() => other.open(box.seal("x", "webhook"), "webhook")).toThrow();
  });

  test("after any bit of it was flipped", () => {
    const sealed = bytesOf(box.seal("secret", "webhook"));
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const altered = Buffer.from(sealed);
      altered[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => box.open(sealedFrom(altered), "webhook")).toThrow();
    }
  });

  test("after it was cut short anywhere, be it inside the tag", () => {
    const sealed = bytesOf(box.seal("", "webhook"));
    for (let length = 0; length < sealed.length; length++) {
      expect(() => box.open(sealedFrom(sealed.subarray(0, length)), "webhook")).toThrow();
    }
  });

  test.each(["", "v1", "v1.", "v2.AAAA", "plain text"])("when it is %p", (sealed) => {
    expect(() => box.open(sealed, "webhook")).toThrow("unknown format");
  });
});

test("derived keys are stable, and differ by purpose and root", () => {
  const links = box.deriveKey("links");
  expect(links).toHaveLength(32);
  expect(createSecretBox(new Uint8Array(ROOT_KEY_BYTES).fill(1)).deriveKey("links")).toEqual(links);
  expect(box.deriveKey("shares")).not.toEqual(links);
  expect(createSecretBox(newRootKey()).deriveKey("links")).not.toEqual(links);
});

test("a root key of the wrong length is refused", () => {
  expect(() => createSecretBox(new Uint8Array(16))).toThrow("32 bytes");
});
