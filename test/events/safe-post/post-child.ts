// Child process of a test: posts to hook.test on loopback and prints the results at exit. It must exit by itself
// although an idle connection is open.
import { openSync, readFileSync } from "node:fs";
import { createSafePost } from "../../../src/events/safe-post/safe-post.ts";

const [, , port, caFile = ""] = process.argv;
const options = { allow: ["hook.test"], caPem: readFileSync(caFile, "utf8"), proxyUrl: null };
const pinned = createSafePost({ ...options, resolve: async () => ["127.0.0.1"] });
const resolving = createSafePost(options);
const request = { headers: {}, body: Buffer.from("{}"), timeoutMs: 30_000 };

const usesUpDescriptors = process.env["USE_UP_DESCRIPTORS"] !== undefined;
if (usesUpDescriptors) useUpDescriptors();
const results = [await pinned.post({ ...request, url: `https://hook.test:${port}/` })];
if (usesUpDescriptors) results.push(await resolving.post({ ...request, url: "https://ringward.invalid/" }));
const control = process.env["HTTP_PROXY"] ? await fetch("http://control.test/") : null;

const doneMs = performance.now();
process.on("exit", () => {
  const lingeredMs = performance.now() - doneMs;
  console.log(JSON.stringify({ results, controlStatus: control?.status ?? null, lingeredMs }));
});

function useUpDescriptors(): void {
  try {
    while (true) openSync("/dev/null", "r");
  } catch {
    // EMFILE: no descriptors are left.
  }
}
