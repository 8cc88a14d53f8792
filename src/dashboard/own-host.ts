// Whether a request was meant for this appliance by the name it was sent to. A page of another site can make its own
// name point here (DNS rebinding) and then passes for the dashboard in every other respect; the Host header still
// tells.
import { isLoopbackHost } from "../net/host-name.ts";

/** `urls` are those under which the configuration says that it is reached. */
export function isOwnHost(host: string, urls: readonly string[]): boolean {
  const name = hostName(`http://${host}`);
  return name !== null && (isLoopbackHost(name) || urls.some((url) => hostName(url) === name));
}

function hostName(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") : null;
}
