// What a directory says of a person, and how asking it can fail.
import type { GroupRole } from "../../config/sign-in-settings.ts";
import { AppError } from "../../core/errors.ts";
import type { DirectoryPersonId } from "../directory-store.ts";
import { ROLES, type Role } from "../records.ts";

export interface Identity extends DirectoryPersonId {
  email: string;
  /** The directory answers for the address. A person may have typed any other into their profile. */
  hasConfirmedEmail: boolean;
  name: string;
  groups: readonly string[];
  /** The directory asked for a second factor. */
  hasSecondFactor: boolean;
  /** With which the person is checked again; null if the directory needs or gives none. */
  refreshToken: string | null;
}

/** What a check of a person finds. `unreachable`: nothing is known. */
export type Standing =
  | { state: "confirmed"; groups: readonly string[] | null; refreshToken: string | null }
  /** `isOfToken`: the provider refuses the refresh token, which may not be the newest. */
  | { state: "refused"; reason: "gone" | "disabled" | "refused"; isOfToken?: boolean }
  /** `isSilent`: the directory as a whole, not only about this person. */
  | { state: "unreachable"; reason: string; isSilent: boolean };

/** The directory gave no usable answer. `message` names no person and no secret. */
export class DirectoryFault extends Error {
  override name = "DirectoryFault";
  /** The directory answers, and only what it says of one person cannot be used. */
  readonly isOfOne: boolean;

  constructor(message: string, { isOfOne = false, ...options }: ErrorOptions & { isOfOne?: boolean } = {}) {
    super(message, options);
    this.isOfOne = isOfOne;
  }
}

/** The use of a refresh token, which the provider may replace by a new one in the same moment. */
export interface TokenUse {
  /** Runs before the token is sent. False: another check uses it. */
  begin(): Promise<boolean>;
  /** Runs as soon as the provider has answered, before the answer is checked. Null: the token is as before. */
  answered(next: string | null): Promise<void>;
}

export const unanswered = (name: string): AppError =>
  new AppError(
    "UNAVAILABLE",
    `${name} does not answer. Try again in a minute. Accounts with a password of their own can sign in.`,
    { retryAfterSeconds: 30 },
  );

/** What a person may do here by their groups. */
export interface DirectoryAccess {
  role: Role;
  /** Null: the whole organisation. Undefined: branches are set here. */
  branches: readonly string[] | null | undefined;
}

/** Of the highest role of the person's groups; null if no group has one. Names of groups are compared by `same`. */
export function accessOf(
  entries: readonly GroupRole[],
  groups: readonly string[],
  same: (group: string) => string = (group) => group,
): DirectoryAccess | null {
  const theirs = new Set(groups.map(same));
  const given = entries.filter(({ group }) => theirs.has(same(group)));
  const role = ROLES.find((each) => given.some((entry) => entry.role === each));
  if (role === undefined) return null;
  if (entries.every((entry) => entry.branches === undefined)) return { role, branches: undefined };
  const bound = given.filter((entry) => entry.role === role).map(({ branches = [] }) => branches);
  return { role, branches: bound.some((each) => each.length === 0) ? null : bound.flat() };
}
