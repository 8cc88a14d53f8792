// What counts as a file of a release: its hash must stand in SHA256SUMS, which a trusted key has signed.
import { describe, expect, test } from "bun:test";
import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprintOf, readPublicKey } from "../../src/update/release-keys.ts";
import {
  executableName,
  executableOf,
  parseSums,
  readSignedSums,
  SIGNATURE_FILE,
  signedNameOf,
  SUMS_FILE,
} from "../../src/update/signed-sums.ts";
import { tempFolder } from "../support/temp.ts";

const ours = generateKeyPairSync("ed25519");
const others = generateKeyPairSync("ed25519");
const HASH = "a".repeat(64);
const TEXT = `${HASH}  ringward-0.9.0-linux-x64\n${"b".repeat(64)}  ringward_0.9.0_amd64.deb\n`;

function release({ text = TEXT, signature = sign(null, Buffer.from(TEXT), ours.privateKey) } = {}) {
  const folder = tempFolder();
  const [sums, sig] = [join(folder, SUMS_FILE), join(folder, SIGNATURE_FILE)];
  writeFileSync(sums, text);
  writeFileSync(sig, signature);
  return { read: (...keys: KeyObject[]) => readSignedSums(sums, sig, keys), sums, sig, folder };
}

describe("the sums of a release", () => {
  test("are accepted from any trusted key, which is named", () => {
    const signed = release().read(others.publicKey, ours.publicKey);
    expect(signed.key.equals(ours.publicKey)).toBe(true);
    expect(signedNameOf(signed, HASH)).toBe("ringward-0.9.0-linux-x64");
    expect(signedNameOf(signed, "c".repeat(64))).toBeNull();
  });

  test("are refused from another key, after any change, and without a signature", () => {
    const refusal = "is not a signature of";
    expect(() => release().read(others.publicKey)).toThrow(refusal);
    expect(() => release().read()).toThrow(refusal);
    expect(() => release({ text: TEXT.replace("0.9.0", "0.9.1") }).read(ours.publicKey)).toThrow(refusal);
    expect(() => release({ text: `${TEXT}\n` }).read(ours.publicKey)).toThrow(refusal);
    expect(() => release({ signature: Buffer.alloc(64) }).read(ours.publicKey)).toThrow(refusal);
    expect(() => release({ signature: Buffer.alloc(0) }).read(ours.publicKey)).toThrow(refusal);
    expect(() => release({ signature: Buffer.alloc(65) }).read(ours.publicKey)).toThrow("more than 64 bytes");
  });

  test("are refused where a line is no hash and name, or a name stands twice or is a path", () => {
    for (const text of [`${HASH} x`, `${HASH}  ../x`, `${HASH}  x\n${HASH}  x`, `${"A".repeat(64)}  x`, "hello"])
      expect(() => parseSums(text)).toThrow("SHA256SUMS has a line");
    expect([...parseSums(TEXT).keys()]).toEqual(["ringward-0.9.0-linux-x64", "ringward_0.9.0_amd64.deb"]);
  });
});

test("the signed name tells version, platform and build, and only of an executable", () => {
  const cases = [
    { version: "0.9.0", platform: "linux-x64", isSlim: false },
    { version: "1.0.0-rc.1", platform: "linux-arm64-musl", isSlim: true },
  ];
  for (const each of cases) expect(executableOf(executableName(each))).toEqual(each);
  for (const name of [
    "ringward_0.9.0_amd64.deb",
    "ringward-0.9-linux-x64",
    "ringward-0.9.0-linux-x64.cdx.json",
    "licences.txt",
  ])
    expect(executableOf(name)).toBeNull();
});

describe("a public key", () => {
  const written = (text: string) => {
    const file = join(tempFolder(), "key.pem");
    writeFileSync(file, text);
    return file;
  };

  test("is read from PEM, and its fingerprint is that of the key alone", () => {
    const pem = ours.publicKey.export({ format: "pem", type: "spki" });
    const key = readPublicKey(written(pem));
    expect(fingerprintOf(key)).toBe(fingerprintOf(ours.publicKey));
    expect(fingerprintOf(key)).not.toBe(fingerprintOf(others.publicKey));
  });

  test("of another kind, or none, is refused", () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const pem = publicKey.export({ format: "pem", type: "spki" });
    expect(() => readPublicKey(written(pem))).toThrow("not of type Ed25519");
    expect(() => readPublicKey(written("hello"))).toThrow("is not a public key in PEM");
    expect(() => readPublicKey("/nonexistent/key.pem")).toThrow("is not a public key in PEM");
  });
});
