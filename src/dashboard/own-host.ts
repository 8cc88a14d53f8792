// Protection against DNS rebinding: checks the Host header of a request. A page of another site can point its own name
// at this appliance. It then looks like the dashboard in every respect except the Host header.
import { isLoopbackHost } from "../net/host-name.ts";

/** `urls` are the configured public addresses. */
export function isOwnHost(host: string, urls: readonly string[]): boolean {
  const name = hostName(`http://${host}`);
  return name !== null && (isLoopbackHost(name) || urls.some((url) => hostName(url) === name));
}

function hostName(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") : null;
}
