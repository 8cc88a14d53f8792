// Which addresses may be reached, and what the configuration opens beside them: by host name, address or range.
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

/** What holds for one use of addresses. Kinds that stand in neither list are never reached. */
export interface AddressRules {
  open: readonly AddressKind[];
  /** Only where the configuration names them. */
  openable: readonly AddressKind[];
  /** Said of an entry that opens nothing. */
  advice: string;
}

export interface AllowList {
  rules: AddressRules;
  hosts: ReadonlySet<string>;
  ranges: readonly IpRange[];
}

/** The kind of place that refuses this address for this host; null where it may be reached. */
export function refusedKind({ rules, hosts, ranges }: AllowList, host: string, address: IpBytes): AddressKind | null {
  const kind = kindOf(address);
  if (rules.open.includes(kind)) return null;
  const isOpened = hosts.has(host) || ranges.some((range) => contains(range, address));
  return rules.openable.includes(kind) && isOpened ? null : kind;
}

/** Throws an Error that names the entry and what to write instead. */
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
  // An international name is compared in the form DNS knows, which is also what URLs are normalised to.
  if (isHostName(asUrl) && !/[@:?#\\%]/.test(host)) return asUrl;
  throw new Error(`"${text}" is no host name, address or CIDR. Name one exactly: no scheme, port, path or wildcard.`);
}
