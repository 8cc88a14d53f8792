// Puts ONNX Runtime's native files for one target into the executable, and for a target without any the reason.
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { ADDON_NAME, NATIVE_FOLDERS, noRuntimeFor } from "../src/speech/onnx/platform.ts";

export function embedNative(root: string, platform: string): BunPlugin {
  return {
    name: "ONNX Runtime for the target",
    setup(build) {
      build.onLoad({ filter: /speech\/onnx\/native-files\.ts$/ }, () => ({
        loader: "ts",
        contents: nativeModule(join(root, "node_modules/onnxruntime-node"), platform),
      }));
    },
  };
}

function nativeModule(packageFolder: string, platform: string): string {
  const native = NATIVE_FOLDERS[platform];
  if (!native) return `export const nativeFiles = () => (${JSON.stringify(noRuntimeFor(platform))});`;
  const imported = (name: string, file: string) =>
    `import ${name} from ${JSON.stringify(join(packageFolder, native.folder, file))} with { type: "file" };\n`;
  const names = JSON.stringify({ libraryName: native.libraryName, addonName: ADDON_NAME, areEmbedded: true });
  return (
    imported("library", native.libraryName) +
    imported("addon", ADDON_NAME) +
    `export const nativeFiles = () => ({ library, addon, ...${names} });`
  );
}
