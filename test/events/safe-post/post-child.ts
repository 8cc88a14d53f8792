// Run by a test in a process of its own: posts once to hook.test on loopback and prints the result. It ends by itself,
// which a waiting connection must not hinder.
import { openSync, readFileSync } from "node:fs";
import { createSafePost } from "../../../src/events/safe-post/safe-post.ts";

const [, , port, caFile = ""] = process.argv;
const safePost = createSafePost({
  allow: ["hook.test"],
  caPem: readFileSync(caFile, "utf8"),
  proxyUrl: null,
  resolve: async () => ["127.0.0.1"],
});

if (process.env["USE_UP_DESCRIPTORS"]) useUpDescriptors();
const result = await safePost.post({
  url: `https://hook.test:${port}/`,
  headers: {},
  body: Buffer.from("{}"),
  timeoutMs: 5_000,
});
const control = process.env["HTTP_PROXY"] ? await fetch("http://control.test/") : null;
console.log(JSON.stringify({ results: [result], controlStatus: control?.status ?? null }));

function useUpDescriptors(): void {
  try {
    while (true) openSync("/dev/null", "r");
  } catch {
    // EMFILE: there are none left.
  }
}
