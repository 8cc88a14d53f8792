// Embeds the weights of every build into the executable, compressed if worthwhile.
import type { BunPlugin } from "bun";
import { FILES } from "../src/speech/onnx/weight-files.ts";
import type { Inside } from "./packed-files.ts";

export function embedWeights(inside: Inside): BunPlugin {
  return {
    name: "weights",
    setup(build) {
      build.onLoad({ filter: /speech\/onnx\/weight-files\.ts$/ }, () => ({ loader: "ts", contents: moduleOf(inside) }));
    },
  };
}

function moduleOf(inside: Inside): string {
  const imports = Object.entries(FILES).map(
    ([name, file]) => `import ${name} from ${JSON.stringify(inside(file))} with { type: "file" };`,
  );
  return [...imports, `export const FILES = { ${Object.keys(FILES).join(", ")} };`].join("\n");
}
