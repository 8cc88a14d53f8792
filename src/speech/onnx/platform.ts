// Platforms supported by ONNX Runtime, and the location of their files in its package.

export interface NativeFiles {
  library: string;
  /** The name the addon looks up, next to itself. */
  libraryName: string;
  /** The Node addon. */
  addon: string;
  addonName: string;
  /** Embedded in the executable: the files must be extracted before the system can load them. */
  areEmbedded: boolean;
}

export interface NoNativeFiles {
  /** A sentence for the log and `ringward doctor`. */
  reason: string;
}

export const ADDON_NAME = "onnxruntime_binding.node";

/** ONNX Runtime is built for glibc only, so on musl (Alpine) calls use the keypad only. */
export const NATIVE_FOLDERS: Readonly<Record<string, { folder: string; libraryName: string }>> = {
  "linux-x64": { folder: "bin/napi-v6/linux/x64", libraryName: "libonnxruntime.so.1" },
  "linux-arm64": { folder: "bin/napi-v6/linux/arm64", libraryName: "libonnxruntime.so.1" },
  "darwin-arm64": { folder: "bin/napi-v6/darwin/arm64", libraryName: "libonnxruntime.1.dylib" },
};

export const noRuntimeFor = (platform: string): NoNativeFiles => ({
  reason: `Speech needs ONNX Runtime, and there is none for ${platform}.`,
});

/** Same names as the build targets: linux-x64, linux-arm64-musl. */
export function platformName(): string {
  // Like Node, Bun reports the glibc version on glibc only; its absence on Linux means musl.
  const report = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  const isMusl = process.platform === "linux" && report.header.glibcVersionRuntime === undefined;
  return `${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`;
}
