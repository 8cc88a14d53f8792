// Backups in a bucket of an S3-compatible store. An object is a backup once its mark exists: the mark is written after
// the object was read back and has the hash of the file. It is removed before the object.
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { BackupSettings, BackupPlace as Place } from "../../config/backup-settings.ts";
import { messageOf } from "../../core/errors.ts";
import { eachChunk, sha256, writeAll } from "../archive/archive-file.ts";
import { BackupError } from "../archive/fault.ts";
import { parseBackupName } from "./backup-names.ts";
import { newestFirst, type BackupPlace } from "./backup-place.ts";
import { bucketObjects, type Digest } from "./bucket-objects.ts";

const MARK = ".verified";

type S3Place = Extract<Place, { kind: "s3" }>;

export function createS3Place({ bucket, prefix }: S3Place, s3: BackupSettings["s3"]): BackupPlace {
  const objects = bucketObjects({ bucket, prefix }, s3);
  const where = `s3://${bucket}/${prefix}`;
  const failed = (doing: string, error: unknown) =>
    new BackupError(`${where}: ${doing} failed: ${messageOf(error)}`, { cause: error });

  return {
    where,
    async list() {
      try {
        const found = await objects.sizes();
        const marked = [...found].flatMap(([name, bytes]) => {
          const backup = found.has(`${name}${MARK}`) ? parseBackupName(name) : null;
          return backup ? [{ ...backup, bytes }] : [];
        });
        return newestFirst(marked);
      } catch (error) {
        throw failed("listing the backups", error);
      }
    },
    async tidy(owner) {
      try {
        const found = await objects.sizes();
        for (const name of found.keys())
          if (parseBackupName(name)?.owner === owner && !found.has(`${name}${MARK}`)) await objects.remove(name);
      } catch (error) {
        throw failed("removing an unfinished backup", error);
      }
    },
    async put({ name, file, bytes, check }) {
      check(file);
      try {
        await objects.upload(name, file);
        const wanted = markOf(file, bytes);
        const found = await objects.read(name);
        if (found.sha256 !== wanted.sha256) throw new Error("what was read back is not what was written.");
        await objects.writeJson(`${name}${MARK}`, wanted);
      } catch (error) {
        throw failed("writing a backup", error);
      }
    },
    async replace(name, file) {
      try {
        await objects.upload(name, file);
      } catch (error) {
        throw failed(`writing ${name}`, error);
      }
    },
    async remove(name) {
      try {
        await objects.remove(`${name}${MARK}`);
        await objects.remove(name);
      } catch (error) {
        throw failed("removing an old backup", error);
      }
    },
    async fetch(name, scratch) {
      const file = join(scratch, name);
      const to = openSync(file, "wx", 0o600);
      try {
        const wanted = (await objects.readJson(`${name}${MARK}`)) as Digest;
        const found = await objects.read(name, (chunk, at) => writeAll(to, Buffer.from(chunk), at));
        if (found.sha256 !== wanted.sha256) throw new Error("it is not what was verified.");
        return file;
      } catch (error) {
        throw failed(`reading ${name}`, error);
      } finally {
        closeSync(to);
      }
    },
  };
}

function markOf(file: string, bytes: number): Digest {
  const fd = openSync(file, "r");
  try {
    const hash = sha256();
    const done = eachChunk(fd, 0, bytes, (chunk) => void hash.update(chunk));
    return { bytes: done, sha256: hash.digest("hex") };
  } finally {
    closeSync(fd);
  }
}
