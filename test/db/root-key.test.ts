import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadRootKey, ROOT_KEY_FILE } from "../../src/db/root-key.ts";
import { tempFolder } from "../support/temp.ts";

describe("the root key", () => {
  test("is made at first and is the same ever after", () => {
    const dataDir = tempFolder();
    const key = loadRootKey(dataDir, "");
    expect(key).toHaveLength(32);
    expect(loadRootKey(dataDir, "")).toEqual(key);
    expect(loadRootKey(tempFolder(), "")).not.toEqual(key);
  });

  test("lies in a file that only its owner can read, and leaves no other file", () => {
    const dataDir = tempFolder();
    loadRootKey(dataDir, "");
    expect(statSync(join(dataDir, ROOT_KEY_FILE)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual([ROOT_KEY_FILE]);
  });

  test("from the configuration makes no file", () => {
    const dataDir = tempFolder();
    const configured = Buffer.alloc(32, 9).toString("base64");
    expect(loadRootKey(dataDir, configured)).toEqual(Buffer.alloc(32, 9));
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test.each(["", "short", Buffer.alloc(31).toString("base64"), "%%%"])(
    "in a file that holds %p is refused, and the file left alone",
    (text) => {
      const dataDir = tempFolder();
      const file = join(dataDir, ROOT_KEY_FILE);
      writeFileSync(file, text);
      expect(() => loadRootKey(dataDir, "")).toThrow("Put back the file from your backup");
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );
});
