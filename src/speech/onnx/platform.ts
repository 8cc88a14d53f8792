// For which machines ONNX Runtime comes, and where in its package their files lie.

export interface NativeFiles {
  library: string;
  /** As the addon asks for it; it looks beside itself. */
  libraryName: string;
  /** What JavaScript calls. */
  addon: string;
  addonName: string;
  /** Inside the executable: they have to be written out before the system can load them. */
  areEmbedded: boolean;
}

export interface NoNativeFiles {
  /** A sentence for the log and the doctor. */
  reason: string;
}

export const ADDON_NAME = "onnxruntime_binding.node";

/** Its makers build for glibc alone, so on musl (Alpine) the keypad is all there is. */
export const NATIVE_FOLDERS: Readonly<Record<string, { folder: string; libraryName: string }>> = {
  "linux-x64": { folder: "bin/napi-v6/linux/x64", libraryName: "libonnxruntime.so.1" },
  "linux-arm64": { folder: "bin/napi-v6/linux/arm64", libraryName: "libonnxruntime.so.1" },
  "darwin-arm64": { folder: "bin/napi-v6/darwin/arm64", libraryName: "libonnxruntime.1.dylib" },
};

export const noRuntimeFor = (platform: string): NoNativeFiles => ({
  reason: `Speech needs ONNX Runtime, and there is none for ${platform}.`,
});

/** As the targets of the build are named: linux-x64, linux-arm64-musl. */
export function platformName(): string {
  // Bun fills the glibc version on glibc alone, as Node does; its absence on Linux means musl.
  const report = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  const isMusl = process.platform === "linux" && report.header.glibcVersionRuntime === undefined;
  return `${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`;
}
