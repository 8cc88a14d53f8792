// Transaction layer: matches messages to transactions, and passes new requests to the user agent.
import { formatVia } from "../message/header-fields.ts";
import { startClientTransaction, type ClientHandlers, type ClientTransaction } from "./client-transaction.ts";
import {
  createRequest,
  type RequestDraft,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from "../message/message.ts";
import { startServerTransaction, type ServerTransaction } from "./server-transaction.ts";
import { clientKey, newBranch, serverKey, type TransactionContext } from "./transaction-parts.ts";
import type { Flow } from "../transport/flow.ts";

export interface Transactions {
  receive(message: SipMessage, flow: Flow): void;
  /** Adds a Via and sends. `branch` is given for CANCEL, which must have the branch of its INVITE. */
  request(draft: RequestDraft, flow: Flow, handlers: ClientHandlers, branch?: string): ClientTransaction;
  /** ACK to a 2xx: sent once per 2xx, outside any transaction. Returned for retransmission. */
  acknowledge(draft: RequestDraft, flow: Flow): SipRequest;
  /** The INVITE transaction of this CANCEL. */
  inviteOf(cancel: SipRequest): ServerTransaction | undefined;
  flowFailed(flow: Flow, reason: string): void;
  readonly openCount: number;
  /** Drops pending client transactions without a report. */
  dispose(): void;
}

export interface TransactionsOptions extends TransactionContext {
  randomText: () => string;
  /** Destination of responses by the Via of the request (RFC 3581). */
  replyFlow: (request: SipRequest, flow: Flow) => Flow;
  /** Whether a response on one flow may answer a request sent on the other. */
  isSamePeer: (sent: Flow, came: Flow) => boolean;
  onRequest: (transaction: ServerTransaction) => void;
  onAck: (request: SipRequest, flow: Flow) => void;
}

/** Only trunks get this far, and each has a few hundred at peak. */
const MOST_SERVER_TRANSACTIONS = 10_000;

export function createTransactions(options: TransactionsOptions): Transactions {
  const clients = new Map<string, ClientTransaction>();
  const servers = new Map<string, ServerTransaction>();

  function withVia(draft: RequestDraft, flow: Flow, branch: string): SipRequest {
    const { address, port } = flow.local();
    const headers = draft.headers.copy();
    // rport: the response returns to the source address of the request, through any NAT (RFC 3581).
    const parameters = { branch, rport: "" };
    headers.prepend("via", formatVia({ protocol: flow.transport.toUpperCase(), host: address, port, parameters }));
    return createRequest({ ...draft, headers });
  }

  function receiveResponse(response: SipResponse, flow: Flow): void {
    const branch = response.via.parameters["branch"] ?? "";
    const client = clients.get(clientKey(branch, response.cseq.method));
    if (client && options.isSamePeer(client.flow, flow)) client.receive(response);
  }

  function receiveRequest(arrived: SipRequest, flow: Flow): void {
    if (arrived.method === "ACK") {
      const refused = servers.get(serverKey(arrived, "INVITE"));
      if (refused) refused.acknowledged();
      else options.onAck(arrived, flow);
      return;
    }
    const key = serverKey(arrived);
    const known = servers.get(key);
    known?.repeated();
    if (known || servers.size >= MOST_SERVER_TRANSACTIONS) return;
    const request = withSource(arrived, flow);
    const replyFlow = options.replyFlow(request, flow);
    const transaction = startServerTransaction(options, request, replyFlow, () => servers.delete(key));
    servers.set(key, transaction);
    options.onRequest(transaction);
  }

  return {
    receive(message, flow) {
      if (message.kind === "response") receiveResponse(message, flow);
      else receiveRequest(message, flow);
    },
    request(draft, flow, handlers, branch = newBranch(options.randomText())) {
      const request = withVia(draft, flow, branch);
      const key = clientKey(branch, request.method);
      const transaction = startClientTransaction(options, request, flow, handlers, () => clients.delete(key));
      clients.set(key, transaction);
      return transaction;
    },
    acknowledge(draft, flow) {
      const ack = withVia(draft, flow, newBranch(options.randomText()));
      options.send(ack, flow);
      return ack;
    },
    inviteOf: (cancel) => servers.get(serverKey(cancel, "INVITE")),
    flowFailed(flow, reason) {
      // Listed first: a handler may start another.
      const waiting = [...clients.values()].filter((client) => client.flow === flow);
      for (const client of waiting) client.flowFailed(reason);
    },
    get openCount() {
      return clients.size;
    },
    dispose() {
      for (const transaction of [...clients.values(), ...servers.values()]) transaction.dispose();
    },
  };
}

/** RFC 3261, section 18.2.1, and RFC 3581: adds the real source address to the Via of a request. */
function withSource(request: SipRequest, { remote, transport }: Flow): SipRequest {
  const { via } = request;
  const wantsPort = via.parameters["rport"] !== undefined;
  if (via.host === remote.address && !wantsPort) return request;
  const parameters: Record<string, string> = { ...via.parameters, received: remote.address };
  if (wantsPort && transport === "udp") parameters["rport"] = String(remote.port);
  const headers = request.headers.copy();
  const [, ...others] = headers.all("via");
  headers.remove("via");
  for (const other of others.toReversed()) headers.prepend("via", other);
  headers.prepend("via", formatVia({ ...via, parameters }));
  return createRequest({ ...request, headers });
}
