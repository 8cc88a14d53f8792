// Version of this binary. The build embeds the version and the commit; from source they are read from package.json.
import manifest from "../../package.json" with { type: "json" };

declare const RINGWARD_COMMIT: string | undefined;

export const VERSION = manifest.version;
export const COMMIT = typeof RINGWARD_COMMIT === "string" ? RINGWARD_COMMIT : "source";
