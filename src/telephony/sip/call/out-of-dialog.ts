// Out-of-dialog requests of a trunk: admission of INVITE, and short responses to everything else.
import { ALLOWED_METHODS, SUPPORTED } from "./call-context.ts";
import { codecOrderFor } from "./codec-order.ts";
import { uriInside } from "../message/header-fields.ts";
import { unsupportedOptions } from "./in-dialog.ts";
import type { SipRequest } from "../message/message.ts";
import { SDP_TYPE, sdpOf } from "./offer-answer.ts";
import { EncryptionRefusal, SipParseError } from "../message/parse-error.ts";
import { replyTo } from "../transaction/reply.ts";
import { parseDescription } from "../message/sdp.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import { LEAST_SESSION_SECONDS, sessionIntervalOf } from "./session-timer.ts";
import type { Trunk } from "../trunk/trunk-port.ts";
import { userOf } from "../message/uri.ts";
import type { TrunkSettings } from "../../../trunks/trunk-settings.ts";

const BUSY_HERE = 486;

interface Circumstances {
  /** The same Call-ID arrived by another path: a merged request (RFC 3261, section 8.2.2.2). */
  isKnown: boolean;
  isStopping: boolean;
  trunk: Trunk;
  toTag: string;
  /** Called if it is rejected because every line is in use. */
  busy: () => void;
}

/** Rejects requests that cannot become a call; true if it may ring. */
export function admitInbound(transaction: ServerTransaction, circumstances: Circumstances): boolean {
  const { request } = transaction;
  const { isKnown, isStopping, trunk, toTag } = circumstances;
  const refuse = (status: number, headers: Record<string, string> = {}) => {
    if (status === BUSY_HERE) circumstances.busy();
    transaction.respond(replyTo(request, status, { toTag, headers }));
    return false;
  };
  const formal = formalRefusal(request, isKnown);
  if (formal) return refuse(formal.status, formal.headers);
  const { activeCalls, lines } = trunk.state();
  if (isStopping) return refuse(503);
  if (activeCalls >= lines) return refuse(486);
  return isSpeakable(request, trunk.settings) || refuse(488);
}

/** Reasons to reject any INVITE outside a dialog, whatever its purpose. */
export function formalRefusal(
  request: SipRequest,
  isKnown: boolean,
): { status: number; headers: Record<string, string> } | null {
  if (isKnown) return { status: 482, headers: {} };
  const unsupported = unsupportedOptions(request);
  if (unsupported !== "") return { status: 420, headers: { unsupported } };
  const interval = sessionIntervalOf(request.headers);
  if (!interval || interval.seconds >= LEAST_SESSION_SECONDS) return null;
  return { status: 422, headers: { "min-se": String(LEAST_SESSION_SECONDS) } };
}

/**
 * An offer that fails only on encryption is admitted, and rejected later, so that the call's record can state the
 * reason.
 */
function isSpeakable(request: SipRequest, { srtp, codecs }: TrunkSettings): boolean {
  const sdp = sdpOf(request);
  if (sdp === null) return request.body.length === 0;
  try {
    parseDescription(sdp, { order: codecOrderFor(codecs, ""), isAnswer: false, srtp });
    return true;
  } catch (error) {
    if (error instanceof SipParseError) return error instanceof EncryptionRefusal;
    throw error;
  }
}

export function answerOutOfDialog(transaction: ServerTransaction, toTag: string): void {
  const { request } = transaction;
  const allow = { allow: ALLOWED_METHODS };
  switch (request.method) {
    case "OPTIONS":
      transaction.respond(
        replyTo(request, 200, { toTag, headers: { ...allow, accept: SDP_TYPE, supported: SUPPORTED } }),
      );
      return;
    case "BYE":
    case "NOTIFY":
    case "INFO":
    case "UPDATE":
      transaction.respond(replyTo(request, 481, { toTag }));
      return;
    default:
      transaction.respond(replyTo(request, 405, { toTag, headers: allow }));
  }
}

/** The dialled number. A registered account is called by its name, and the number may be in To. */
export function dialledAs(request: SipRequest, ourUser: string): { to: string; isToAccount: boolean } {
  const user = userOf(request.uri);
  const isToAccount = user === null || user === ourUser;
  return { to: isToAccount ? (userOf(request.to.uri) ?? user ?? "") : user, isToAccount };
}

/** The identity asserted by the trunk (RFC 3325) takes precedence over From. */
export function numberOfCaller(request: SipRequest): string {
  return uriInside(request.headers.get("p-asserted-identity"))?.user ?? userOf(request.from.uri) ?? "";
}
