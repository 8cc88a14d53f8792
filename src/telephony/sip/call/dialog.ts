// SIP dialog (RFC 3261, section 12): both parties, route set and sequence numbers.
import { HeaderList } from "../message/header-list.ts";
import { parseNameAddress } from "../message/header-fields.ts";
import { NO_BODY, type RequestDraft, type SipRequest, type SipResponse } from "../message/message.ts";
import { SipParseError } from "../message/parse-error.ts";

export interface Dialog {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** Our URI as a header value without tag, and the peer's. */
  readonly localAddress: string;
  readonly remoteAddress: string;
  /** Remote target: the peer's Contact. A re-INVITE or its response may change it. */
  remoteTarget: string;
  readonly routeSet: readonly string[];
  localCSeq: number;
  /** Null until the peer has sent a request. */
  remoteCSeq: number | null;
  isConfirmed: boolean;
}

/** Dialog state stored outside this process, so that the next one can end the call at the trunk. */
export interface KeptDialog {
  trunkId: string;
  dialog: Dialog;
}

/** On the caller's side. The response must have a To tag. */
export function dialogOfCaller(invite: SipRequest, response: SipResponse): Dialog {
  return {
    callId: invite.callId,
    localTag: invite.from.parameters["tag"] ?? "",
    remoteTag: response.to.parameters["tag"] ?? "",
    localAddress: `<${invite.from.uri}>`,
    remoteAddress: `<${invite.to.uri}>`,
    remoteTarget: contactUri(response) ?? invite.uri,
    // Record-Route lists the proxies in request order; the caller's route set is the reverse.
    routeSet: response.headers.all("record-route").toReversed(),
    localCSeq: invite.cseq.number,
    remoteCSeq: null,
    isConfirmed: response.status >= 200,
  };
}

export function dialogOfCallee(invite: SipRequest, localTag: string): Dialog {
  return {
    callId: invite.callId,
    localTag,
    remoteTag: invite.from.parameters["tag"] ?? "",
    localAddress: `<${invite.to.uri}>`,
    remoteAddress: `<${invite.from.uri}>`,
    remoteTarget: contactUri(invite) ?? invite.from.uri,
    routeSet: invite.headers.all("record-route"),
    localCSeq: 0,
    remoteCSeq: invite.cseq.number,
    isConfirmed: false,
  };
}

/** Builds a request inside the dialog. ACK and CANCEL pass the CSeq of their INVITE; all others take the next one. */
export function dialogRequest(dialog: Dialog, method: string, cseq: number = ++dialog.localCSeq): RequestDraft {
  const headers = new HeaderList();
  const { uri, routes } = targetAndRoutes(dialog);
  headers.append("max-forwards", "70");
  for (const route of routes) headers.append("route", route);
  headers.append("from", `${dialog.localAddress};tag=${dialog.localTag}`);
  headers.append(
    "to",
    dialog.remoteTag === "" ? dialog.remoteAddress : `${dialog.remoteAddress};tag=${dialog.remoteTag}`,
  );
  headers.append("call-id", dialog.callId);
  headers.append("cseq", `${cseq} ${method}`);
  return { method, uri, headers, body: NO_BODY };
}

/** Whether a request of the peer belongs to the dialog and is in order (section 12.2.2). Records its CSeq. */
export function admit(dialog: Dialog, request: SipRequest): "admitted" | "foreign" | "out of order" {
  const isOurs = request.to.parameters["tag"] === dialog.localTag;
  if (!isOurs || (request.from.parameters["tag"] ?? "") !== dialog.remoteTag) return "foreign";
  if (dialog.remoteCSeq !== null && request.cseq.number < dialog.remoteCSeq) return "out of order";
  dialog.remoteCSeq = request.cseq.number;
  return "admitted";
}

/** Target refresh: a Contact in a re-INVITE, an UPDATE or a 2xx to ours changes the remote target (section 12.2). */
export function refreshTarget(dialog: Dialog, message: SipRequest | SipResponse): void {
  dialog.remoteTarget = contactUri(message) ?? dialog.remoteTarget;
}

/** Section 12.2.1.1. A first route without `lr` is a strict router of RFC 2543: it must be in the request line. */
function targetAndRoutes(dialog: Dialog): { uri: string; routes: readonly string[] } {
  const [first, ...others] = dialog.routeSet;
  if (first === undefined || /;\s*lr\b/i.test(first)) return { uri: dialog.remoteTarget, routes: dialog.routeSet };
  return { uri: parseNameAddress(first).uri, routes: [...others, `<${dialog.remoteTarget}>`] };
}

function contactUri(message: SipRequest | SipResponse): string | null {
  const [contact] = message.headers.all("contact");
  if (contact === undefined) return null;
  try {
    const { uri } = parseNameAddress(contact);
    return /^sips?:[^\s<>"]+$/i.test(uri) ? uri : null;
  } catch (error) {
    if (error instanceof SipParseError) return null;
    throw error;
  }
}
