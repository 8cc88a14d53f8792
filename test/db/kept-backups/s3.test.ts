// Backups in a bucket: signed requests, uploads in parts, read back, marked, listed in pages and rotated.
import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkArchive } from "../../../src/db/archive/archive-reader.ts";
import { openBackupPlace } from "../../../src/db/kept-backups/open-backup-place.ts";
import { createIds } from "../../../src/core/ids.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { S3_ACCOUNT, startStrictS3, type StrictS3 } from "../../support/strict-s3.ts";
import { tempFolder } from "../../support/temp.ts";
import { keptWith, ROOT_KEY } from "./kept.ts";

let s3: StrictS3 | undefined;
afterEach(() => s3?.stop());

function bucket(more: object = {}) {
  s3 = startStrictS3();
  const account = { endpoint: s3.url, secret_access_key_file: "", ...S3_ACCOUNT, ...more };
  return { store: s3, more: { to: "s3://backups/hospital", s3: account } };
}

describe("backups in a bucket", () => {
  test("are marked once they were read back, and rotated", async () => {
    const { store, more } = bucket();
    const { make, settings } = await keptWith(more);
    const names = [];
    for (let day = 0; day < 5; day++) names.push((await make(day)).name);
    const kept = names.slice(2).flatMap((name) => [`hospital/${name}`, `hospital/${name}.verified`]);
    const objects = [...store.objects.keys()].filter((name) => !name.endsWith(".person-keys"));
    expect(objects.toSorted()).toEqual(kept.toSorted());
    expect(store.objects.size).toBe(objects.length + 1);
    expect(store.refused).toEqual([]);
    const place = openBackupPlace(settings);
    expect((await place.list()).map(({ name }) => name)).toEqual(names.slice(2).toReversed());
    const scratch = tempFolder();
    const file = await place.fetch(names.at(-1) ?? "", scratch);
    expect(checkArchive(file, { rootKeys: () => [ROOT_KEY] })).toMatchObject({ files: 4 });
  });

  test("are refused with a wrong secret, in words without it", async () => {
    const { store, more } = bucket({ secret_access_key: "not the secret" });
    const { make } = await keptWith(more);
    const error: unknown = await make(0).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain("s3://backups/hospital/");
    expect(String(error)).not.toContain("not the secret");
    expect(store.refused).not.toEqual([]);
    expect(store.objects.size).toBe(0);
  });

  test("that the store changed do not count: the last good one stays", async () => {
    const { store, more } = bucket();
    const { make, settings } = await keptWith({ ...more, keep: 1 });
    const { name } = await make(0);
    store.damage = (key, bytes) => (key.endsWith(".backup") ? Buffer.from(bytes).fill(0, 5_000, 5_001) : bytes);
    await expect(make(1)).rejects.toThrow("not what was written");
    store.damage = (_, bytes) => bytes;
    const place = openBackupPlace(settings);
    expect((await place.list()).map((backup) => backup.name)).toEqual([name]);
    const next = await make(2);
    expect((await place.list()).map((backup) => backup.name)).toEqual([next.name]);
    // The key file is the third.
    expect(store.objects.size).toBe(3);
  });

  test("stay where a store fails in the middle: at the upload, at the mark, at the removal", async () => {
    const { store, more } = bucket();
    const { make, settings } = await keptWith({ ...more, keep: 1 });
    const { name } = await make(0);
    const place = openBackupPlace(settings);
    const listed = async () => (await place.list()).map((backup) => backup.name);
    let day = 1;
    for (const fails of [
      (method: string, key: string) => method !== "GET" && key.endsWith(".backup"),
      (method: string, key: string) => method === "GET" && key.endsWith(".backup"),
      (method: string, key: string) => method === "PUT" && key.endsWith(".verified"),
    ]) {
      store.fault = (method, key) => (fails(method, key) ? 403 : null);
      await expect(make(day++)).rejects.toThrow("writing a backup failed");
      store.fault = () => null;
      expect(await listed()).toEqual([name]);
    }
    store.fault = (method) => (method === "DELETE" ? 403 : null);
    // What earlier runs left cannot be removed: the backup does not begin.
    await expect(make(day++)).rejects.toThrow("removing an unfinished backup");
    store.fault = () => null;
    const next = await make(day);
    expect(await listed()).toEqual([next.name]);
  });

  const LIST_FAULTS: [string, (text: string) => string][] = [
    ["without the token of its next page", (text) => text.replace(/<NextContinuationToken>.*?<\/N\w+>/, "")],
    ["with the same token again", (text) => text.replace(/(<NextContinuationToken>).*?</, "$1hospital/ringward-<")],
    ["that does not say whether it is the last", (text) => text.replace(/<IsTruncated>.*?<\/IsTruncated>/, "")],
    ["with fewer keys than it says", (text) => text.replace(/<Contents>.*?<\/Contents>/, "")],
    ["that is cut off", (text) => text.slice(0, -40)],
    ["that is the page of a proxy", () => "<html><body>OK</body></html>"],
  ];

  test.each(LIST_FAULTS)("are not listed from a page %s, and nothing is removed", async (_, change) => {
    const { store, more } = bucket();
    const { make, settings } = await keptWith({ ...more, keep: 2 });
    for (const day of [0, 1]) await make(day);
    const before = [...store.objects.keys()].toSorted();
    store.page = change;
    const place = openBackupPlace(settings);
    await expect(place.list()).rejects.toThrow("listing the backups failed");
    await expect(make(2)).rejects.toThrow("removing an unfinished backup");
    // The list fails only after the backup was stored.
    store.page = (text) => (store.objects.size > before.length ? change(text) : text);
    expect(await make(3)).toMatchObject({ removed: [], fault: expect.stringContaining("listing the backups failed") });
    store.page = (text) => text;
    expect([...store.objects.keys()]).toEqual(expect.arrayContaining(before));
    expect((await make(4)).removed).toHaveLength(2);
    const kept = (await place.list()).map(({ name }) => name.slice(-26, -7));
    expect(kept).toEqual(["20260305T120000000Z", "20260304T120000000Z"]);
  });

  test("are not listed when a later page fails, and nothing is removed", async () => {
    const { store, more } = bucket();
    const { make, settings } = await keptWith({ ...more, keep: 2 });
    for (const day of [0, 1]) await make(day);
    const before = [...store.objects.keys()].toSorted();
    let lists = 0;
    store.fault = (_, key) => (key === "" && ++lists % 2 === 0 ? 403 : null);
    await expect(openBackupPlace(settings).list()).rejects.toThrow("listing the backups failed");
    await expect(make(2)).rejects.toThrow("removing an unfinished backup");
    store.fault = () => null;
    expect([...store.objects.keys()].toSorted()).toEqual(before);
  });

  test("of more than one part arrive whole", async () => {
    const { store, more } = bucket();
    const { settings } = await keptWith(more);
    const file = join(tempFolder(), "large");
    writeFileSync(file, "");
    truncateSync(file, 40 * 1024 * 1024);
    const name = `ringward-${createIds(systemClock)
      .secret(9)
      .replaceAll(/[^0-9a-z]/g, "0")
      .slice(0, 12)}-20260301T000000000Z.backup`;
    const place = openBackupPlace(settings);
    await place.put({ name, file, bytes: 40 * 1024 * 1024, check() {} });
    expect(store.objects.get(`hospital/${name}`)?.equals(readFileSync(file))).toBeTrue();
    expect((await place.list()).map((backup) => backup.bytes)).toEqual([40 * 1024 * 1024]);
  });
});
