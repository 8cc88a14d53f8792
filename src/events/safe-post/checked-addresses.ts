// Resolves a receiver's host and checks each address. One lookup per attempt; the connection uses the checked
// addresses.
import type { IpBytes } from "../../net/addresses.ts";
import type { Deadline } from "../../net/deadline.ts";
import { lookUp, type Resolve } from "../../net/dns.ts";
import { NetFailure } from "../../net/failure.ts";
import type { HttpUrl } from "../../net/http-url.ts";
import { refusal, type AllowList } from "./allow-list.ts";

/** One blocked address blocks the host, because a name with both internal and external addresses is not trusted. */
export async function checkedAddresses(
  target: HttpUrl,
  allow: AllowList,
  resolve: Resolve,
  deadline: Deadline,
): Promise<IpBytes[]> {
  const addresses = target.literal ? [target.literal] : await lookUp(target.host, resolve, deadline);
  for (const address of addresses) {
    const reason = refusal(allow, target.host, address);
    if (reason !== null)
      throw new NetFailure(
        "blocked",
        `${target.host}: ${reason}; only the configured allow-list opens such receivers.`,
      );
  }
  return addresses;
}
