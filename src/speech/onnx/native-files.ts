// Location of ONNX Runtime's native files: node_modules when run from source. In the executable, a module with the
// embedded files replaces this one; see scripts/embed-native.ts.
import { dirname, join } from "node:path";
import { ADDON_NAME, NATIVE_FOLDERS, noRuntimeFor, platformName } from "./platform.ts";
import type { NativeFiles, NoNativeFiles } from "./platform.ts";

export function nativeFiles(): NativeFiles | NoNativeFiles {
  const platform = platformName();
  const native = NATIVE_FOLDERS[platform];
  if (!native) return noRuntimeFor(platform);
  const folder = join(dirname(Bun.resolveSync("onnxruntime-node/package.json", import.meta.dir)), native.folder);
  const { libraryName } = native;
  return {
    library: join(folder, libraryName),
    libraryName,
    addon: join(folder, ADDON_NAME),
    addonName: ADDON_NAME,
    areEmbedded: false,
  };
}
