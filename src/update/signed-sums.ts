// SHA256SUMS and its signature: the files of a release. The signature covers names and hashes, so the version and
// platform of an executable come from the signed name, not from its local file name.
import { verify, type KeyObject } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { AppError } from "../core/errors.ts";
import { isVersion } from "./release-version.ts";

export const SUMS_FILE = "SHA256SUMS";
export const SIGNATURE_FILE = "SHA256SUMS.sig";

const SIGNATURE_BYTES = 64;
/** Far above the size of a release's sums; the file is read before its signature is verified. */
const MOST_BYTES = 256 * 1024;

export interface SignedSums {
  /** Name → SHA-256 in hex. */
  sums: ReadonlyMap<string, string>;
  /** The key that signed them. */
  key: KeyObject;
}

export interface ReleasedExecutable {
  version: string;
  /** As named in the build targets: linux-x64. */
  platform: string;
  isSlim: boolean;
}

const refused = (message: string) => new AppError("VALIDATION_ERROR", message);

/** Throws unless one of the keys signed exactly these bytes. */
export function readSignedSums(sumsFile: string, signatureFile: string, keys: readonly KeyObject[]): SignedSums {
  const text = readSmall(sumsFile, MOST_BYTES);
  const signature = readSmall(signatureFile, SIGNATURE_BYTES);
  const key = keys.find((each) => verify(null, text, each, signature));
  if (!key) throw refused(`${signatureFile} is not a signature of ${sumsFile} by a trusted key. Nothing was changed.`);
  return { sums: parseSums(text.toString("utf8")), key };
}

function readSmall(file: string, mostBytes: number): Buffer {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile())
    throw refused(`There is no file ${file}. It comes with the release; keep it beside the others.`);
  if (found.size > mostBytes) throw refused(`${file} is not of a release: it has more than ${mostBytes} bytes.`);
  return readFileSync(file);
}

/** Lines in the format of `sha256sum`. */
export function parseSums(text: string): Map<string, string> {
  const sums = new Map<string, string>();
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, sha256 = "", name = ""] = /^([0-9a-f]{64}) [ *]([\w.+~-]+)$/.exec(line) ?? [];
    if (name === "" || sums.has(name))
      throw refused(`${SUMS_FILE} has a line that is not "SHA256  NAME", or a name twice.`);
    sums.set(name, sha256);
  }
  return sums;
}

/** The signed name of the file with this hash; null if the release has none. */
export function signedNameOf({ sums }: Pick<SignedSums, "sums">, sha256: string): string | null {
  for (const [name, sum] of sums) if (sum === sha256) return name;
  return null;
}

/** The name that scripts/release.ts gives an executable. */
export const executableName = ({ version, platform, isSlim }: ReleasedExecutable): string =>
  `ringward-${isSlim ? "slim-" : ""}${version}-${platform}`;

/** Null if the name belongs to another file of the release. */
export function executableOf(name: string): ReleasedExecutable | null {
  const [, slim, version = "", platform = ""] =
    /^ringward-(slim-)?(.+?)-((?:linux|darwin)-(?:x64|arm64)(?:-musl)?)$/.exec(name) ?? [];
  return isVersion(version) ? { version, platform, isSlim: slim !== undefined } : null;
}
