// Files are read in a separate process: its answers, and its limits on time and memory.
import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { FileJob, Files } from "../../src/core/file-job.ts";
import { createFileReader, type FileReaderOptions } from "../../src/core/file-reader.ts";
import { skipsFor } from "../support/skips.ts";

const PROCESS = join(import.meta.dir, "../support/reader-child.ts");

let files: Files;
afterEach(() => files.stop());

const start = (limits: Omit<FileReaderOptions, "command"> = {}) =>
  (files = createFileReader({ command: [process.execPath, PROCESS], ...limits }));

/** What it does is in the child; here it has its name and its types. */
const job = <Output extends object>(name: string): FileJob<{ bytes?: Uint8Array }, Output> => ({
  name,
  run: () => Promise.reject(new Error("It ran in this process.")),
});
const world = { double: async (asked: { value: number }) => asked.value * 2 };
const read = <Output extends object>(name: string, bytes?: Uint8Array) =>
  files.read("org_1", job<Output>(name), bytes ? { bytes } : {}, world);

describe("a file", () => {
  test("goes to another process whole, which may ask, and comes back whole", async () => {
    start();
    const bytes = new Uint8Array(3_000_000).map((_, index) => index % 251);
    const { pid, answer, bytes: back } = await read<{ pid: number; answer: number; bytes: Uint8Array }>("echo", bytes);
    expect(pid).not.toBe(process.pid);
    expect(answer).toBe(6_000_000);
    expect(Buffer.compare(back, bytes)).toBe(0);
    expect((await read<{ pid: number }>("echo")).pid).toBe(pid);
  });

  test("that is at fault is refused in the words of its job, and the process goes on", async () => {
    start();
    const { pid } = await read<{ pid: number }>("echo");
    await expect(read("fault")).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: "The list is empty.",
      details: [{ field: "list", message: "The list is empty." }],
    });
    await expect(read("broken")).rejects.toThrow("TypeError");
    await expect(read("unknown")).rejects.toThrow("could not be read");
    expect((await read<{ pid: number }>("echo")).pid).toBe(pid);
  });

  test("whose world fails gets that failure, and the next file a new process", async () => {
    start();
    const failing = { double: () => Promise.reject(new Error("no agent")) };
    await expect(files.read("org_1", job("echo"), {}, failing)).rejects.toThrow("no agent");
    expect(await read<{ answer: number }>("echo")).toMatchObject({ answer: 0 });
  });

  test.skipIf(skipsFor(process.platform !== "linux", "needs Linux"))(
    "that takes too long is given up, and the next is read",
    async () => {
      start({ mostCpuMs: 300 });
      await expect(read("endless")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
      expect(await read<{ answer: number }>("echo")).toMatchObject({ answer: 0 });
    },
  );

  test.skipIf(skipsFor(process.platform !== "linux", "needs Linux"))(
    "that takes too much memory is given up, and the next is read",
    async () => {
      start({ mostMegabytes: 200 });
      await expect(read("greedy")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
      expect(await read<{ answer: number }>("echo")).toMatchObject({ answer: 0 });
    },
  );

  test("whose process dies is a fault of ours, and the next is read", async () => {
    start();
    await expect(read("dies")).rejects.toThrow("has ended");
    expect(await read<{ answer: number }>("echo")).toMatchObject({ answer: 0 });
  });
});
