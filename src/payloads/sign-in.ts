// How a person proved who they are at sign-in.

/** The hospital's own directories, from which people may come. */
export const DIRECTORIES = ["oidc", "ldap"] as const;
export type DirectoryKind = (typeof DIRECTORIES)[number];

/** The first proof. `setup`: the setup code; `demo`: the demo's button. */
export const SIGN_IN_METHODS = ["password", "passkey", "break_glass", "setup", "demo", ...DIRECTORIES] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** The second proof. `new`: the factor was set up during the sign-in; `directory`: the directory asked for one. */
export const SIGN_IN_FACTORS = ["code", "recovery_code", "passkey", "new", "directory"] as const;
export type SignInFactor = (typeof SIGN_IN_FACTORS)[number];
