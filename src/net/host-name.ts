// Syntax of DNS host names (RFC 1123, with the underscore that internal names often have), and detection of local
// hosts.
import { isOfKind } from "./addresses.ts";

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** RFC 1035, section 2.3.4, without the final dot. */
const LONGEST_NAME = 253;

export function isHostName(text: string): boolean {
  return text.length <= LONGEST_NAME && text.split(".").every((label) => LABEL.test(label));
}

/** RFC 6761, section 6.3: names that always mean this machine. Lower-case. */
export function isLocalhostName(name: string): boolean {
  return /^(.+\.)?localhost$/.test(name);
}

/** Whether a host in a URL or a setting is this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  return isLocalhostName(name) || isOfKind(["loopback"], name);
}
