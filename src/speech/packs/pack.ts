// A set of weights that a build may omit, and its origin.

export interface PackPart {
  name: string;
  bytes: number;
  sha256: string;
  /** SPDX identifier. The text is in speech/models, in the folder with the pack's name. */
  licence: string;
  /** Path inside the package. */
  path: string;
}

export interface Pack {
  /** npm package, and the checksum of its tarball as in bun.lock. */
  npm: string;
  version: string;
  integrity: string;
  /** Its purpose, and the limitation without it, as sentences. */
  gives: string;
  without: string;
  parts: Readonly<Record<string, PackPart>>;
}
