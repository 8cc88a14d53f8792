// ONNX Runtime in this process: in several threads at once, after a restart, and from its own folder.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packFiles } from "../../../scripts/packed-files.ts";
import { addonIn, createNativeFolder } from "../../../src/speech/onnx/native-folder.ts";
import { nativeFiles } from "../../../src/speech/onnx/native-files.ts";
import { floats, loadRuntime, type Model } from "../../../src/speech/onnx/runtime.ts";
import { faultIn, readWeights, WEIGHTS } from "../../../src/speech/onnx/weights.ts";
import { rejectionOf, tempFolder } from "../../support/temp.ts";
import { until } from "../../support/until.ts";

function hearSilence(folder: string): Promise<{ probability: unknown; worker: Worker }> {
  const worker = new Worker(new URL("./runtime-thread.ts", import.meta.url));
  worker.postMessage(folder, []);
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", ({ data }) => resolve({ probability: data, worker }));
    worker.addEventListener("error", ({ message }) => reject(new Error(message)));
  });
}

describe("the runtime", () => {
  test("is loaded by several threads at once, and by a new one after one of them ended", async () => {
    const heard = await Promise.all([1, 2, 3].map(() => hearSilence("")));
    for (const { probability } of heard) expect(probability).toBeCloseTo(0.0174, 3);
    heard[0]?.worker.terminate();
    const again = await hearSilence("");
    expect(again.probability).toBeCloseTo(0.0174, 3);
    for (const { worker } of [again, ...heard]) worker.terminate();
  }, 180_000);

  test("sends no telemetry: it creates no machine id and no event store", async () => {
    const home = tempFolder();
    const file = join(import.meta.dir, "../../../src/speech/onnx/runtime.ts");
    const script = `(await import(${JSON.stringify(file)})).loadRuntime("").then((runtime) => {
      try { runtime.openModel(new Uint8Array(100)); } catch { console.log("loaded"); }
    })`;
    // Without the variables that mark a test run, in which it sends nothing anyway.
    const run = Bun.spawn([process.execPath, "-e", script], { env: { HOME: home }, stdout: "pipe" });
    expect(await new Response(run.stdout).text()).toBe("loaded\n");
    expect(await run.exited).toBe(0);
    // The rest is the cache of `bun -e`.
    expect(readdirSync(home)).not.toContain(".cache");
  });

  test("rejects invalid networks and unknown inputs with an error", async () => {
    const runtime = await loadRuntime("");
    expect(() => runtime.openModel(new Uint8Array(100))).toThrow();
    const detector = runtime.openModel(await readWeights(WEIGHTS.voiceDetector));
    expect(detector.inputNames).toEqual(["input", "state", "sr"]);
    expect(() => detector.run({ input: floats(new Float32Array(288), [1, 288]) })).toThrow();
    detector.close();
  });

  test("copies the weights, so that their buffer is freed", async () => {
    const runtime = await loadRuntime("");
    const read: WeakRef<Uint8Array>[] = [];
    const open = async () => {
      const weights = await readWeights(WEIGHTS.voiceDetector);
      read.push(new WeakRef(weights));
      return runtime.openModel(weights);
    };
    const models: Model[] = [];
    for (let i = 0; i < 4; i++) models.push(await open());
    // The garbage collector treats stack values conservatively.
    const held = () => (Bun.gc(true), read.filter((weights) => weights.deref() !== undefined).length);
    await until(() => held() <= 1, { what: () => `${held()} of 4 are still held` });
    for (const model of models) model.close();
  });
});

describe("the folder that an executable loads it from", () => {
  const embedded = () => {
    const files = nativeFiles();
    if ("reason" in files) throw new Error(files.reason);
    return { ...files, areEmbedded: true };
  };

  test("is private to its owner, contains both files, and is removed with the process", async () => {
    const folder = createNativeFolder(tempFolder(), process.pid);
    expect(statSync(folder.path).mode & 0o777).toBe(0o700);
    const files = embedded();
    const [addon, same] = await Promise.all([addonIn(folder.path, files), addonIn(folder.path, files)]);
    expect(same).toBe(addon);
    expect(statSync(join(folder.path, files.libraryName)).size).toBe(statSync(files.library).size);
    expect(statSync(addon).size).toBe(statSync(files.addon).size);
    folder.remove();
    expect(existsSync(folder.path)).toBe(false);
  });

  test("is filled from compressed files, and reports a full disk", async () => {
    const files = embedded();
    const inside = await packFiles(tempFolder(), [files.addon]);
    const packed = { ...files, library: files.addon, addon: inside(files.addon) };
    expect(packed.addon).toEndWith(".zst");
    const folder = createNativeFolder(tempFolder(), process.pid);
    const addon = await addonIn(folder.path, packed);
    expect(readFileSync(addon).equals(readFileSync(files.addon))).toBe(true);
    folder.remove();

    const file = join(tempFolder(), "file");
    writeFileSync(file, "");
    const { message } = await rejectionOf(addonIn(join(file, "folder"), packed));
    expect(message).toStartWith("ONNX Runtime could not be unpacked: ENOTDIR");
    expect(message).toContain(`It needs 1 MB in ${join(file, "folder")}`);
  });

  test("of a killed process is removed by the next, and no other", () => {
    const parent = tempFolder();
    for (const name of [
      "ringward-native-11-abc",
      "ringward-native-22-abc",
      "ringward-native",
      "ringward-backup-11-a",
    ]) {
      mkdirSync(join(parent, name));
      writeFileSync(join(parent, name, "file"), "");
    }
    createNativeFolder(parent, 33, (id) => id === 22);
    const isThere = (name: string) => existsSync(join(parent, name));
    expect(isThere("ringward-native-11-abc")).toBe(false);
    expect(["ringward-native-22-abc", "ringward-native", "ringward-backup-11-a"].map(isThere)).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe("the weights", () => {
  test("in the repository match the catalogue", async () => {
    for (const weights of Object.values(WEIGHTS)) expect((await readWeights(weights)).byteLength).toBe(weights.bytes);
  });

  test("are the same from a compressed file, and a truncated or wrong file is detected", async () => {
    const { file } = WEIGHTS.moonshineTokens;
    const packed = (await packFiles(tempFolder(), [file]))(file);
    expect(packed).toEndWith(".zst");
    expect(Bun.file(packed).size).toBeLessThan(WEIGHTS.moonshineTokens.bytes / 2);
    const weights = { ...WEIGHTS.moonshineTokens, file: packed };
    expect(await readWeights(weights)).toEqual(await readWeights(WEIGHTS.moonshineTokens));
    // A view of the buffer must contain nothing else.
    const read = await readWeights(weights);
    expect(read.slice().buffer.byteLength).toBe(read.byteLength);
    expect((await rejectionOf(readWeights({ ...WEIGHTS.voiceHeart, file: packed }))).message).toContain(
      "bytes instead",
    );
    const cut = join(tempFolder(), "cut.zst");
    writeFileSync(cut, readFileSync(packed).subarray(0, 50_000));
    expect(await rejectionOf(readWeights({ ...weights, file: cut }))).toBeInstanceOf(Error);
  });

  test("with a flipped bit or a missing end are detected", () => {
    const content = new TextEncoder().encode("weights");
    const sha256 = new Bun.CryptoHasher("sha256").update(content).digest("hex");
    const weights = { ...WEIGHTS.voiceDetector, name: "ours", bytes: content.byteLength, sha256 };
    expect(faultIn(content, weights)).toBeNull();
    expect(faultIn(content.subarray(1), weights)).toBe("ours has 6 bytes instead of 7.");
    expect(faultIn(content.with(3, 0), weights)).toContain("ours has the SHA-256");
  });

  test("that a build came without say so", async () => {
    expect(readWeights({ ...WEIGHTS.voiceDetector, file: null })).rejects.toThrow("comes without silero-vad");
  });
});
