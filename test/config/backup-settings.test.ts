// What must go together in [backup].
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { everyMs, placeOfBackups } from "../../src/config/backup-settings.ts";
import { ConfigError, loadConfig } from "../../src/config/load.ts";
import { tempFolder } from "../support/temp.ts";

const load = (keys: Record<string, string>) =>
  loadConfig({
    environment: Object.fromEntries(
      Object.entries(keys).map(([key, value]) => [`RINGWARD_${key.toUpperCase().replaceAll(".", "__")}`, value]),
    ),
  });

function faults(keys: Record<string, string>): readonly string[] {
  try {
    load(keys);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.faults : [String(error)];
  }
}

const S3 = { "backup.s3.endpoint": "http://s3", "backup.s3.access_key_id": "a", "backup.s3.secret_access_key": "b" };

test("backups are off by default, and need a place outside the data folder", () => {
  expect(everyMs(load({}).backup)).toBeNull();
  expect(faults({ "backup.every": "24h" })).toEqual(["backup.to: say where the backups of backup.every go."]);
  expect(faults({ "backup.every": "24h", "backup.to": "/data/b", "data.dir": "/data" })[0]).toContain(
    "outside data.dir",
  );
  expect(faults({ "backup.every": "24h", "backup.to": "/data", "data.dir": "/data" })[0]).toContain("outside data.dir");
  expect(faults({ "backup.every": "24h", "backup.to": "/data2", "data.dir": "/data" })).toEqual([]);
  expect(faults({ "backup.every": "24h", "backup.to": "relative" })[0]).toContain("backup.to");
  for (const every of ["0h", "24", "1000d", "-1h", "h"]) expect(faults({ "backup.every": every })).not.toEqual([]);
  for (const at of ["24:00", "2:30", "noon"]) expect(faults({ "backup.at": at })).not.toEqual([]);
});

test("an interval of days or hours", () => {
  expect([everyMs({ every: "6h" }), everyMs({ every: "7d" })]).toEqual([21_600_000, 604_800_000]);
});

test("a bucket needs an account, and PostgreSQL has its own tools", () => {
  const to = { "backup.to": "s3://bucket/some/prefix" };
  expect(faults({ ...to, ...S3 })).toEqual([]);
  expect(faults(to)).toHaveLength(3);
  for (const wrong of ["s3://", "s3://B", "s3://bucket//x", "s3://bucket/../x?y"])
    expect(faults({ ...S3, "backup.to": wrong })).not.toEqual([]);
  expect(faults({ "backup.every": "24h", "backup.to": "/b", "database.url": "postgres://u@h/d" })[0]).toContain(
    "its own tools",
  );
  expect(placeOfBackups({ to: "s3://bucket/some/prefix/" })).toEqual({
    kind: "s3",
    bucket: "bucket",
    prefix: "some/prefix/",
  });
  expect(placeOfBackups({ to: "s3://bucket" })).toEqual({ kind: "s3", bucket: "bucket", prefix: "" });
});

test("the secret may come from a file, and not from both", () => {
  const file = join(tempFolder(), "secret");
  writeFileSync(file, "from a file\n");
  const { "backup.s3.secret_access_key": _, ...account } = S3;
  const keys = { ...account, "backup.to": "s3://bucket", "backup.s3.secret_access_key_file": file };
  expect(load(keys).backup.s3.secret_access_key).toBe("from a file");
  expect(faults({ ...keys, ...S3 })[0]).toContain("give one, not both");
  expect(faults({ ...keys, "backup.s3.secret_access_key_file": "/nowhere/secret" })).toContain(
    "backup.s3.secret_access_key_file: /nowhere/secret cannot be read.",
  );
});
