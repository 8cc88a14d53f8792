// What the configuration opens: private, loopback and unique-local receivers, by host name, address or range. Nothing
// opens link-local, metadata, multicast or reserved addresses.
import {
  contains,
  formatIp,
  kindOf,
  networkOf,
  overlap,
  parseIp,
  parseRange,
  type AddressKind,
  type IpBytes,
  type IpRange,
} from "./address.ts";
import { isHostName } from "./host-name.ts";

export interface AllowList {
  hosts: ReadonlySet<string>;
  ranges: readonly IpRange[];
}

const OPENABLE_KINDS: readonly AddressKind[] = ["private", "loopback", "unique-local"];
const OPENABLE_RANGES = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "::1/128", "fc00::/7"].flatMap(
  (text) => parseRange(text) ?? [],
);

/** Why nothing may be sent to this address for this host; null where it may. */
export function refusal(allow: AllowList, host: string, address: IpBytes): string | null {
  const kind = kindOf(address);
  if (kind === "public") return null;
  const isOpened = allow.hosts.has(host) || allow.ranges.some((range) => contains(range, address));
  if (OPENABLE_KINDS.includes(kind) && isOpened) return null;
  return `${formatIp(address)} is not public (${kind})`;
}

/** Throws an Error that names the entry and what to write instead. */
export function parseAllowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>();
  const ranges: IpRange[] = [];
  for (const entry of entries) {
    const text = entry.trim();
    const address = parseIp(text);
    if (address) ranges.push(openable(text, { network: address, prefixBits: address.length * 8 }));
    else if (text.includes("/")) ranges.push(openable(text, cidrOf(text)));
    else hosts.add(hostOf(text));
  }
  return { hosts, ranges };
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

function openable(text: string, range: IpRange): IpRange {
  const isSingle = range.prefixBits === range.network.length * 8;
  const opensSomething = isSingle
    ? OPENABLE_KINDS.includes(kindOf(range.network))
    : OPENABLE_RANGES.some((candidate) => overlap(candidate, range));
  if (opensSomething) return range;
  throw new Error(
    `"${text}" opens nothing. Only private, loopback and unique-local addresses can be opened; public ones are open anyway, all others never.`,
  );
}

function hostOf(text: string): string {
  const host = text.toLowerCase().replace(/\.$/, "");
  const asUrl = URL.canParse(`https://${host}/`) ? new URL(`https://${host}/`).hostname : "";
  if (asUrl !== "" && parseIp(asUrl)) throw new Error(`"${text}" is an odd spelling of an address. Write ${asUrl}.`);
  // An international name is compared in the form DNS knows, which is also what URLs are normalised to.
  if (isHostName(asUrl) && !/[@:?#\\%]/.test(host)) return asUrl;
  throw new Error(`"${text}" is no host name, address or CIDR. Name one exactly: no scheme, port, path or wildcard.`);
}
