// The INVITE of an outbound call: builds and sends it, and sends it again with changed headers or to another host. Each
// attempt has a higher number; responses to earlier attempts are late.
import { ALLOWED_METHODS, SUPPORTED, type CallContext } from "./call-context.ts";
import type { ClientHandlers } from "../transaction/client-transaction.ts";
import { cancelOf, lateInvite } from "./late-invite.ts";
import { HeaderList } from "../message/header-list.ts";
import type { RequestDraft, SipRequest } from "../message/message.ts";
import { SDP_TYPE, type OfferAnswer } from "./offer-answer.ts";
import { LEAST_SESSION_SECONDS, WANTED_SESSION_SECONDS } from "./session-timer.ts";
import { sendSigned, type SignedRequest } from "../trunk/signed-request.ts";
import type { Flow } from "../transport/flow.ts";
import type { InviteOrder } from "./user-agent-port.ts";

export interface InvitationOptions {
  context: CallContext;
  order: Pick<InviteOrder, "from" | "to">;
  media: OfferAnswer;
  handlers: Required<ClientHandlers>;
}

export class Invitation {
  readonly fromTag: string;
  readonly #options: InvitationOptions;
  /** CSeq of the current INVITE; a retry with credentials has its own. */
  #number = 0;
  #sent: { request: SignedRequest; flow: Flow; letGo: () => void } | null = null;
  #isCancelSent = false;
  #advice: string | null = null;

  constructor(options: InvitationOptions) {
    this.#options = options;
    this.fromTag = options.context.randomText();
  }

  /** The request sent last. */
  get request(): SipRequest | null {
    return this.#sent?.request.current.request ?? null;
  }

  get number(): number {
    return this.#number;
  }

  /** Advice for the reader if the trunk challenged the INVITE and rejected our credentials. */
  get advice(): string | null {
    return this.#advice;
  }

  send(flow: Flow, changed: Readonly<Record<string, string>> = {}): void {
    const { context } = this.#options;
    let handlers: ClientHandlers = this.#options.handlers;
    this.#number += 1;
    const request = sendSigned({
      transactions: context.transactions,
      credentials: context.trunk.credentials,
      flow,
      draft: this.#draft(changed),
      nextCSeq: () => ++this.#number,
      handlers: {
        provisional: (response) => handlers.provisional?.(response),
        final: (response) => handlers.final(response),
        failed: (reason, detail) => handlers.failed(reason, detail),
        unauthorised: (text) => (this.#advice = context.trunk.callUnauthorised(text)),
      },
    });
    const letGo = () => (handlers = lateInvite(context, request, flow));
    this.#sent = { request, flow, letGo };
  }

  /** Abandons its host: if that host accepts the call later, the call is ended there at once. */
  letGo(): void {
    this.#sent?.letGo();
  }

  /** Stops retransmitting the INVITE, so that it makes no further telephone ring. */
  fallSilent(): void {
    this.#sent?.request.current.fallSilent();
  }

  cancel(): void {
    const { request } = this;
    if (this.#isCancelSent || !request || !this.#sent) return;
    this.#isCancelSent = true;
    const nobody = { final() {}, failed() {} };
    const { transactions } = this.#options.context;
    transactions.request(cancelOf(request), this.#sent.flow, nobody, request.via.parameters["branch"]);
  }

  #draft(changed: Readonly<Record<string, string>>): RequestDraft {
    const { context, order, media } = this.#options;
    const { trunk } = context;
    const uri = trunk.uriOf(order.to);
    const caller = trunk.identityOf(order.from);
    const headers = HeaderList.of({
      "max-forwards": "70",
      from: `${caller.from};tag=${this.fromTag}`,
      to: `<${uri}>`,
      "call-id": context.sipCallId,
      cseq: `${this.#number} INVITE`,
      contact: trunk.contact(),
      ...caller.headers,
      allow: ALLOWED_METHODS,
      supported: SUPPORTED,
      "session-expires": String(WANTED_SESSION_SECONDS),
      "min-se": String(LEAST_SESSION_SECONDS),
      "user-agent": "Ringward",
      ...changed,
      "content-type": SDP_TYPE,
    });
    return { method: "INVITE", uri, headers, body: media.offer(true) };
  }
}
