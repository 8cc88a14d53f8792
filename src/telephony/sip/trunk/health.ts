// Health check of a trunk: OPTIONS for availability and round-trip time (RFC 3261, section 11).
import type { Clock } from "../../../core/clock.ts";
import { HeaderList } from "../message/header-list.ts";
import { NO_BODY, type RequestDraft, type SipResponse } from "../message/message.ts";
import type { ClientHandlers } from "../transaction/client-transaction.ts";
import { sendSigned, type SignedRequestOptions } from "./signed-request.ts";

export interface HealthCheck {
  /** Checks now instead of on schedule, after another sign of trouble. */
  askNow(): void;
  stop(): void;
}

interface QuestionOptions {
  clock: Clock;
  randomText: () => string;
  /** `sip:trunk.example`. */
  target: string;
  /** `<sip:ringward@our.domain>`. */
  account: string;
  contact: () => string;
}

export interface HealthOptions extends QuestionOptions {
  send: (draft: RequestDraft, nextCSeq: () => number, handlers: ClientHandlers) => boolean;
  alive: (roundTripMs: number, status: number) => void;
  /** `isCertain` if the connection itself failed; a missing response may be a lost packet. */
  silent: (detail: string, isCertain: boolean) => void;
  /** 25 s is less than half of the 60 s after which common NATs drop a UDP mapping, with room for a lost packet. */
  everyMs: number;
}

const EVERY_WHILE_SILENT_MS = 5_000;
const PATIENCE_MS = 5_000;

export function watchHealth(options: HealthOptions): HealthCheck {
  const { clock } = options;
  let cancelNext = () => {};
  let cancelPatience = () => {};
  let isStopped = false;
  /** Responses to an older request are ignored: their round-trip time would be wrong. */
  let round = 0;

  function next(ms: number): void {
    cancelPatience();
    cancelNext();
    if (!isStopped) cancelNext = clock.after(ms, ask);
  }

  function silent(asked: number, detail: string, isCertain: boolean): void {
    if (asked !== round || isStopped) return;
    round += 1;
    next(EVERY_WHILE_SILENT_MS);
    options.silent(detail, isCertain);
  }

  function answered(asked: number, sentAtMs: number, response: SipResponse): void {
    if (asked !== round || isStopped) return;
    round += 1;
    if (!isAtHome(response)) {
      next(EVERY_WHILE_SILENT_MS);
      options.silent(`it answers OPTIONS with ${response.status}`, true);
      return;
    }
    next(options.everyMs);
    options.alive(clock.now() - sentAtMs, response.status);
  }

  function ask(): void {
    cancelNext();
    cancelPatience();
    const asked = ++round;
    const sentAtMs = clock.now();
    let cseq = 1;
    const draft = question(options, cseq);
    // Either a response or the timeout schedules the next round.
    cancelPatience = clock.after(PATIENCE_MS, () => silent(asked, "it does not answer OPTIONS", false));
    const isSent = options.send(draft, () => ++cseq, {
      final: (response) => answered(asked, sentAtMs, response),
      failed: (reason, detail) => silent(asked, detail, reason === "transport"),
    });
    if (!isSent) silent(asked, "its address is not known", true);
  }

  ask();
  return {
    askNow() {
      if (!isStopped) ask();
    },
    stop() {
      isStopped = true;
      cancelNext();
      cancelPatience();
    },
  };
}

/** Sends one OPTIONS over this flow. */
export function askWhetherThere(
  options: QuestionOptions &
    Pick<SignedRequestOptions, "transactions" | "credentials" | "flow"> & { patienceMs?: number },
  done: (isThere: boolean) => void,
): void {
  let cseq = 1;
  const cancelPatience = options.clock.after(options.patienceMs ?? PATIENCE_MS, () => done(false));
  const over = (isThere: boolean) => {
    cancelPatience();
    done(isThere);
  };
  const handlers = { final: (response: SipResponse) => over(isAtHome(response)), failed: () => over(false) };
  sendSigned({ ...options, draft: question(options, cseq), nextCSeq: () => ++cseq, handlers });
}

/** 408 and 503 come from a proxy without a reachable server. Any other response shows that the trunk is available. */
function isAtHome({ status }: SipResponse): boolean {
  return status !== 408 && status !== 503;
}

function question({ randomText, account, target, contact }: QuestionOptions, cseq: number): RequestDraft {
  const headers = HeaderList.of({
    "max-forwards": "70",
    from: `${account};tag=${randomText()}`,
    to: `<${target}>`,
    "call-id": randomText(),
    cseq: `${cseq} OPTIONS`,
    contact: contact(),
    accept: "application/sdp",
  });
  return { method: "OPTIONS", uri: target, headers, body: NO_BODY };
}
