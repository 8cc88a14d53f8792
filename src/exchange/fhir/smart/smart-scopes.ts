// SMART scopes of backend services, and the scopes of ours that they stand for.
import type { Scope } from "../../../payloads/scopes.ts";

type Access = "rs" | "cud";

/** By resource type. A type without `cud` is read only. `further`: scopes of some of its writes. */
interface Scoped {
  type: string;
  scope: Scope;
  writeScope?: Scope;
  furtherScopes?: readonly Scope[];
}

export const scopesOf = (kinds: readonly Scoped[]): ScopeTable =>
  Object.fromEntries(
    kinds.map(({ type, scope, writeScope, furtherScopes: further = [] }) => [
      type,
      { rs: [scope], ...(writeScope && { cud: [writeScope], further }) },
    ]),
  );

export type ScopeTable = Readonly<
  Record<string, { rs: readonly Scope[]; cud?: readonly Scope[]; further?: readonly Scope[] }>
>;

export interface GrantedScopes {
  /** As SMART names them. */
  smart: string[];
  ours: Scope[];
}

const FORM = /^system\/(?<type>\*|[A-Za-z]{1,64})\.(?<access>read|write|\*|c?r?u?d?s?)$/;
const LONGEST = 2_000;

/** What of the asked scopes the client may have. Unknown scopes are left out, as OAuth allows. */
export function grantedScopes(asked: string, held: readonly string[], table: ScopeTable): GrantedScopes {
  const smart = new Set<string>();
  const ours = new Set<Scope>();
  const words = asked.length > LONGEST ? [] : asked.split(/\s+/);
  for (const word of words) {
    const { type = "", access = "" } = FORM.exec(word)?.groups ?? {};
    for (const name of type === "*" ? Object.keys(table) : [type]) {
      for (const part of partsOf(access)) {
        const needed = Object.hasOwn(table, name) ? table[name]?.[part] : undefined;
        if (!needed?.every((scope) => held.includes(scope))) continue;
        smart.add(`system/${name}.${part}`);
        for (const scope of needed) ours.add(scope);
        // Granted only to clients that have them.
        const further = part === "cud" ? (table[name]?.further ?? []) : [];
        for (const scope of further) if (held.includes(scope)) ours.add(scope);
      }
    }
  }
  return { smart: [...smart], ours: [...ours] };
}

export const supportedScopes = (table: ScopeTable): string[] =>
  Object.entries(table).flatMap(([type, { cud }]) => [`system/${type}.rs`, ...(cud ? [`system/${type}.cud`] : [])]);

/** One letter of a part grants all of it: our scopes know no finer difference. */
function partsOf(access: string): Access[] {
  if (access === "*") return ["rs", "cud"];
  if (access === "read" || access === "write") return [access === "read" ? "rs" : "cud"];
  return [...(/[rs]/.test(access) ? (["rs"] as const) : []), ...(/[cud]/.test(access) ? (["cud"] as const) : [])];
}
