// Client address of a request: the connection's peer, or the address reported by a proxy in front.
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import { createProxyNotice } from "./proxy-notice.ts";
import { infoOf } from "./request-info.ts";

export function createSourceOf(deps: { clock: Clock; logger: Logger; addressHeader: string }) {
  const notice = createProxyNotice(deps);
  return (request: Request): string => {
    notice.look(request);
    return sourceOf(request, deps.addressHeader);
  };
}

function sourceOf(request: Request, addressHeader: string): string {
  const told = addressHeader === "" ? null : request.headers.get(addressHeader);
  // A client can send the header too; the proxy appends the address it saw at the end.
  const last = told?.split(",").at(-1)?.trim();
  return last !== undefined && last !== "" ? last : infoOf(request).source();
}
