// Allow-list of addresses, and what the configuration adds to it: by host name, address or range.
import {
  contains,
  formatIp,
  kindOf,
  networkOf,
  overlap,
  parseIp,
  parseRange,
  rangesOf,
  type AddressKind,
  type IpBytes,
  type IpRange,
} from "./addresses.ts";
import { isHostName } from "./host-name.ts";

/** Rules for one use of addresses. Kinds in neither list are never reachable. */
export interface AddressRules {
  open: readonly AddressKind[];
  /** Reachable only if the configuration names them. */
  openable: readonly AddressKind[];
  /** Advice for an entry that allows nothing. */
  advice: string;
}

export interface AllowList {
  rules: AddressRules;
  hosts: ReadonlySet<string>;
  ranges: readonly IpRange[];
}

/** The kind for which this address is refused for this host; null if it is allowed. */
export function refusedKind({ rules, hosts, ranges }: AllowList, host: string, address: IpBytes): AddressKind | null {
  const kind = kindOf(address);
  if (rules.open.includes(kind)) return null;
  const isOpened = hosts.has(host) || ranges.some((range) => contains(range, address));
  return rules.openable.includes(kind) && isOpened ? null : kind;
}

/** Throws an Error that names the entry and the correct notation. */
export function parseAllowList(rules: AddressRules, entries: readonly string[]): AllowList {
  const hosts = new Set<string>();
  const ranges: IpRange[] = [];
  for (const entry of entries) {
    const text = entry.trim();
    const address = parseIp(text);
    if (address) ranges.push(openable(rules, text, { network: address, prefixBits: address.length * 8 }));
    else if (text.includes("/")) ranges.push(openable(rules, text, cidrOf(text)));
    else hosts.add(hostOf(text));
  }
  return { rules, hosts, ranges };
}

function cidrOf(text: string): IpRange {
  const range = parseRange(text);
  if (!range) throw new Error(`"${text}" is no address range. Write a CIDR such as 10.20.0.0/16 or fd12:3456::/32.`);
  const network = networkOf(range);
  if (!network.every((byte, i) => byte === range.network[i])) {
    throw new Error(
      `"${text}" has bits set behind its prefix. Write ${formatIp(network)}/${range.prefixBits}, or one address without "/".`,
    );
  }
  return range;
}

function openable(rules: AddressRules, text: string, range: IpRange): IpRange {
  const isSingle = range.prefixBits === range.network.length * 8;
  const opensSomething = isSingle
    ? rules.openable.includes(kindOf(range.network))
    : rules.openable.some((kind) => rangesOf(kind).some((candidate) => overlap(candidate, range)));
  if (opensSomething) return range;
  throw new Error(`"${text}" opens nothing. ${rules.advice}`);
}

function hostOf(text: string): string {
  const host = text.toLowerCase().replace(/\.$/, "");
  const asUrl = URL.canParse(`https://${host}/`) ? new URL(`https://${host}/`).hostname : "";
  if (asUrl !== "" && parseIp(asUrl)) throw new Error(`"${text}" is an odd spelling of an address. Write ${asUrl}.`);
  // An internationalised name is compared in its ASCII form, to which URLs are normalised, too.
  if (isHostName(asUrl) && !/[@:?#\\%]/.test(host)) return asUrl;
  throw new Error(`"${text}" is no host name, address or CIDR. Name one exactly: no scheme, port, path or wildcard.`);
}
