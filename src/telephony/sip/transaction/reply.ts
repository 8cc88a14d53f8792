// Builds the response to a request (RFC 3261, section 8.2.6).
import { HeaderList } from "../message/header-list.ts";
import { createResponse, NO_BODY, type SipRequest, type SipResponse } from "../message/message.ts";

export interface ReplyParts {
  /** Added to To if the request has no tag. */
  toTag?: string;
  headers?: Readonly<Record<string, string>>;
  body?: Buffer;
}

const REASONS: Readonly<Record<number, string>> = {
  100: "Trying",
  180: "Ringing",
  200: "OK",
  400: "Bad Request",
  404: "Not Found",
  405: "Method Not Allowed",
  415: "Unsupported Media Type",
  420: "Bad Extension",
  422: "Session Interval Too Small",
  480: "Temporarily Unavailable",
  482: "Loop Detected",
  481: "Call/Transaction Does Not Exist",
  486: "Busy Here",
  487: "Request Terminated",
  488: "Not Acceptable Here",
  489: "Bad Event",
  491: "Request Pending",
  500: "Server Internal Error",
  503: "Service Unavailable",
  603: "Decline",
};

/** RFC 3261, section 20.43: text for readers of the other side's log. */
export function warningOf(reason: string | undefined): Record<string, string> {
  if (reason === undefined) return {};
  return { warning: `399 ringward "${reason.replaceAll(/[^\x20-\x7e]|["\\]/g, "")}"` };
}

const COPIED = ["from", "to", "call-id", "cseq"] as const;

export function replyTo(request: SipRequest, status: number, parts: ReplyParts = {}): SipResponse {
  const headers = new HeaderList();
  for (const via of request.headers.all("via")) headers.append("via", via);
  // Defines the route set of a dialog, so every response that may create one carries it.
  for (const route of request.headers.all("record-route")) headers.append("record-route", route);
  for (const name of COPIED) headers.append(name, request.headers.get(name) ?? "");
  if (parts.toTag !== undefined && status > 100 && request.to.parameters["tag"] === undefined) {
    headers.set("to", `${request.headers.get("to") ?? ""};tag=${parts.toTag}`);
  }
  for (const [name, value] of Object.entries(parts.headers ?? {})) headers.append(name, value);
  return createResponse(status, REASONS[status] ?? "Answer", headers, parts.body ?? NO_BODY);
}
