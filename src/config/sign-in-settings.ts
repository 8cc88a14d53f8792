// Settings of the hospital's own directories: an OpenID Connect provider, and LDAP or Active Directory.
import { Type, type Static } from "@sinclair/typebox";
import { readFileSync } from "node:fs";
import { oneOf } from "../core/schema.ts";
import { isLoopbackHost } from "../net/host-name.ts";
import { tablesOf, type Table } from "./tables.ts";

const UUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";
const closed = { additionalProperties: false };
const name = Type.String({ pattern: "^[^\\u0000-\\u001f\\u007f]{0,60}$", allowed: "a name of at most 60 characters" });
const url = (scheme: string, allowed: string) => Type.String({ pattern: `^$|^${scheme}://[^?#@\\s]+$`, allowed });
const attribute = Type.String({ pattern: "^[A-Za-z][A-Za-z0-9.;-]{0,63}$", allowed: "the name of an attribute" });
const minutes = (maximum: number) => Type.Integer({ minimum: 1, maximum });

/** What the members of a group may do here. */
const GroupRole = Type.Object(
  {
    group: Type.String({ minLength: 1, maxLength: 500 }),
    role: oneOf(["owner", "staff", "viewer", "auditor"]),
    /** For staff and viewers: ids of the branches that they are bound to. */
    branches: Type.Optional(
      Type.Array(Type.String({ pattern: UUID, allowed: "the id of a branch" }), { maxItems: 50 }),
    ),
  },
  closed,
);
export type GroupRole = Static<typeof GroupRole>;

const shared = {
  name,
  organisation: Type.String({ maxLength: 200 }),
  groups: Type.Array(GroupRole, { maxItems: 200 }),
  takes_over: Type.Boolean(),
  trust_second_factor: Type.Boolean(),
  recheck_minutes: minutes(24 * 60),
  unreachable_minutes: minutes(7 * 24 * 60),
  timeout_seconds: Type.Integer({ minimum: 1, maximum: 60 }),
  ca_file: Type.String(),
};

export const SignInSettings = Type.Object(
  {
    oidc: Type.Object(
      {
        ...shared,
        issuer: url("https?", "the provider's address, or empty"),
        hosts: Type.Array(Type.String({ pattern: "^[A-Za-z0-9.:\\[\\]-]{1,260}$", allowed: "a host name" }), {
          maxItems: 20,
        }),
        client_id: Type.String({ maxLength: 500 }),
        client_secret: Type.String({ maxLength: 1_000 }),
        client_secret_file: Type.String(),
        scopes: Type.Array(Type.String({ pattern: "^[!#-\\[\\]-~]{1,200}$", allowed: "a scope" }), { maxItems: 20 }),
        groups_claim: Type.String({ minLength: 1, maxLength: 200 }),
        email_claim: Type.String({ minLength: 1, maxLength: 200 }),
        second_factor_acr: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 20 }),
      },
      closed,
    ),
    ldap: Type.Object(
      {
        ...shared,
        urls: Type.Array(url("ldaps?", 'an address such as "ldaps://dc1.hospital.example"'), { maxItems: 10 }),
        start_tls: Type.Boolean(),
        bind_dn: Type.String({ maxLength: 1_000 }),
        bind_password: Type.String({ maxLength: 1_000 }),
        bind_password_file: Type.String(),
        user_base: Type.String({ maxLength: 1_000 }),
        user_filter: Type.String({ pattern: "^\\(.{1,2000}\\)$", allowed: "an LDAP filter in brackets" }),
        login_attributes: Type.Array(attribute, { minItems: 1, maxItems: 10 }),
        group_base: Type.String({ maxLength: 1_000 }),
        nested_groups: Type.Boolean(),
        connections: Type.Integer({ minimum: 1, maximum: 100 }),
      },
      closed,
    ),
  },
  closed,
);
export type SignInSettings = Static<typeof SignInSettings>;
export type OidcSettings = SignInSettings["oidc"];
export type LdapSettings = SignInSettings["ldap"];

/** Keys of files, checked at load with those of other sections. */
export const SIGN_IN_FILES = [
  "sign_in.oidc.client_secret_file",
  "sign_in.oidc.ca_file",
  "sign_in.ldap.bind_password_file",
  "sign_in.ldap.ca_file",
];

/** Secrets from files replace those in the settings. */
export function readSignInSecrets(settings: Table): string[] {
  return [secretOf(settings, "oidc", "client_secret"), secretOf(settings, "ldap", "bind_password")].flat();
}

function secretOf(settings: Table, part: string, key: string): string[] {
  const table = tableAt(tableAt(settings, "sign_in"), part);
  const file = table[`${key}_file`];
  const path = `sign_in.${part}.${key}`;
  if (typeof file !== "string" || file === "") return [];
  if (table[key] !== "") return [`${path} and ${path}_file: give one, not both.`];
  try {
    table[key] = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    return table[key] === "" ? [`${path}_file: ${file} is empty.`] : [];
  } catch {
    // Reported with the other files that cannot be read.
    return [];
  }
}

/** Checks beyond the schema, whose own faults come first. */
export function signInFaults(settings: Table): string[] {
  const { oidc, ldap } = settings["sign_in"] as SignInSettings;
  return [...oidcFaults(oidc, settings), ...ldapFaults(ldap)];
}

function oidcFaults(oidc: OidcSettings, settings: Table): string[] {
  if (oidc.issuer === "")
    return oidc.client_id === "" ? [] : ["sign_in.oidc.issuer: give the address of the provider."];
  const { protocol, hostname } = new URL(oidc.issuer);
  return [
    ...(protocol === "https:" || isLoopbackHost(hostname)
      ? []
      : ["sign_in.oidc.issuer: must be https; http is accepted only for a provider on this machine."]),
    ...(oidc.client_id === "" ? ["sign_in.oidc.client_id: give the client that the provider knows."] : []),
    ...(oidc.scopes.includes("openid") ? [] : ['sign_in.oidc.scopes: must hold "openid".']),
    ...(settings["base_url"] === "" && settings["dashboard_url"] === ""
      ? ["sign_in.oidc.issuer: also give base_url, to which the provider sends people back."]
      : []),
    ...groupFaults("oidc", oidc),
  ];
}

function ldapFaults(ldap: LdapSettings): string[] {
  if (ldap.urls.length === 0)
    return ldap.bind_dn === "" ? [] : ["sign_in.ldap.urls: give the address of the directory."];
  const isPlain = (address: string) => address.startsWith("ldap:");
  return [
    ...(ldap.urls.some(isPlain) && !ldap.start_tls
      ? ["sign_in.ldap.urls: ldap:// sends passwords in clear. Use ldaps://, or set start_tls."]
      : []),
    ...(ldap.start_tls && !ldap.urls.every(isPlain) ? ["sign_in.ldap.start_tls: it is for ldap:// alone."] : []),
    ...(["bind_dn", "bind_password", "user_base"] as const).flatMap((key) =>
      ldap[key] === "" ? [`sign_in.ldap.${key}: needed to look people up.`] : [],
    ),
    ...(ldap.nested_groups && ldap.group_base === ""
      ? ["sign_in.ldap.nested_groups: also give group_base, where the groups are searched."]
      : []),
    ...ldap.groups.flatMap(({ group }) =>
      group.includes("=") ? [] : [`sign_in.ldap.groups: ${group} must be a distinguished name, such as CN=Ward,DC=….`],
    ),
    ...groupFaults("ldap", ldap),
  ];
}

function groupFaults(part: string, { groups }: Pick<OidcSettings, "groups">): string[] {
  return groups.length > 0 ? [] : [`sign_in.${part}.groups: name at least one group; without one nobody may sign in.`];
}

function tableAt(table: Table, key: string): Table {
  const value = table[key];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? tablesOf(value) : {};
}
