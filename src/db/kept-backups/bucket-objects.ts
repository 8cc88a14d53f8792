// Objects below a prefix of a bucket, by their names without the prefix.
import type { BackupSettings } from "../../config/backup-settings.ts";
import { sha256 } from "../archive/archive-file.ts";

/** 10,000 parts are the most of an upload: 160 GB. */
const PART_BYTES = 16 * 1024 * 1024;
const TRIES = 4;

export interface Digest {
  bytes: number;
  sha256: string;
}

export function bucketObjects({ bucket, prefix }: { bucket: string; prefix: string }, s3: BackupSettings["s3"]) {
  const client = new Bun.S3Client({
    bucket,
    endpoint: s3.endpoint,
    region: s3.region,
    accessKeyId: s3.access_key_id,
    secretAccessKey: s3.secret_access_key,
  });
  const at = (name: string) => client.file(prefix + name);

  return {
    /** The length of every object by its name. Rejects if the list is incomplete: a missing mark looks like no mark. */
    async sizes(): Promise<Map<string, number>> {
      const found = new Map<string, number>();
      const tokens = new Set<string>();
      for (let continuationToken: string | undefined; ;) {
        const page = await client.list({ prefix, ...(continuationToken !== undefined && { continuationToken }) });
        const { contents = [], keyCount = contents.length } = page;
        for (const { key, size } of contents) found.set(key.slice(prefix.length), size ?? 0);
        if (page.isTruncated === false && keyCount === contents.length) return found;
        continuationToken = page.nextContinuationToken;
        if (!page.isTruncated || keyCount !== contents.length || continuationToken === undefined)
          throw new Error("the store's list is incomplete.");
        if (tokens.has(continuationToken)) throw new Error("the store lists the same page again.");
        tokens.add(continuationToken);
      }
    },
    /** Passes the object to `use` in order; returns its length and hash. */
    async read(name: string, use: (chunk: Uint8Array, at: number) => void = () => {}): Promise<Digest> {
      const hash = sha256();
      let bytes = 0;
      for await (const chunk of at(name).stream() as unknown as AsyncIterable<Uint8Array>) {
        hash.update(chunk);
        use(chunk, bytes);
        bytes += chunk.length;
      }
      return { bytes, sha256: hash.digest("hex") };
    },
    async readJson(name: string): Promise<unknown> {
      return JSON.parse(await at(name).text());
    },
    async upload(name: string, file: string): Promise<void> {
      const writer = at(name).writer({ partSize: PART_BYTES, queueSize: 1, retry: TRIES });
      for await (const chunk of Bun.file(file).stream()) {
        await writer.write(chunk);
        await writer.flush();
      }
      await writer.end();
    },
    async writeJson(name: string, value: object): Promise<void> {
      await client.write(prefix + name, JSON.stringify(value), { type: "application/json" });
    },
    async remove(name: string): Promise<void> {
      await client.delete(prefix + name);
    },
  };
}
