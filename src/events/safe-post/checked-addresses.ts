// A receiver's addresses, each one checked. One look-up per attempt; what is connected to is what was checked.
import type { IpBytes } from "../../net/addresses.ts";
import type { Deadline } from "../../net/deadline.ts";
import { lookUp, type Resolve } from "../../net/dns.ts";
import { NetFailure } from "../../net/failure.ts";
import type { HttpUrl } from "../../net/http-url.ts";
import { refusal, type AllowList } from "./allow-list.ts";

/** One refused address refuses the host: a name that points inside as well as outside is not trusted with a choice. */
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
