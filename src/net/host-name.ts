// What a DNS host name may look like (RFC 1123, with the underscore that internal names often carry), and which hosts
// are this machine.
import { isOfKind } from "./addresses.ts";

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** RFC 1035, section 2.3.4, without the final dot. */
const LONGEST_NAME = 253;

export function isHostName(text: string): boolean {
  return text.length <= LONGEST_NAME && text.split(".").every((label) => LABEL.test(label));
}

/** RFC 6761, section 6.3: names that mean this machine wherever they are resolved. In lower case. */
export function isLocalhostName(name: string): boolean {
  return /^(.+\.)?localhost$/.test(name);
}

/** Whether a host, as a URL or a setting names it, is this machine and nothing else. */
export function isLoopbackHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  return isLocalhostName(name) || isOfKind(["loopback"], name);
}
