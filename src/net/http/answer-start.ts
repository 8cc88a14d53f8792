// Reads only the start of a response: the rest is read up to a limit and dropped.
import type { Deadline } from "../deadline.ts";
import { NetFailure } from "../failure.ts";
import type { Connection } from "./connection.ts";
import type { ResponseHead } from "./response-head.ts";

/** Counted as received, including chunk sizes and trailers. */
const MOST_BODY_BYTES = 64 * 1024;
/** Enough for an excerpt of 1,000 characters. */
const KEPT_BODY_BYTES = 8 * 1024;
const NOTHING = Buffer.alloc(0);

export interface AnswerStart {
  status: number;
  bodyStart: Buffer;
  isEncoded: boolean;
  /** The response ended as framed, and the connection can be reused. */
  isReusable: boolean;
  retryAfter: string | null;
}

/** Destroys the connection unless it is reusable. Rejects with a NetFailure. */
export function exchangeForStart(connection: Connection, request: Buffer, deadline: Deadline): Promise<AnswerStart> {
  return new Promise((resolve, reject) => {
    let head: ResponseHead | null = null;
    const kept: Buffer[] = [];
    let keptByteCount = 0;

    const end = (isReusable: boolean) => {
      cancelDeadline();
      if (!head) return;
      const { status, isEncoded, retryAfter } = head;
      const bodyStart = kept.length === 0 ? NOTHING : Buffer.concat(kept);
      resolve({ status, bodyStart, isEncoded, retryAfter, isReusable });
    };
    const cancelDeadline = deadline.onPassed(() => {
      const what = connection.hasAnswered ? "The answer did not end in time." : "No answer came in time.";
      connection.destroy();
      reject(new NetFailure("timeout", what));
    });
    connection.begin(request, {
      head(found) {
        head = found;
      },
      data(bytes) {
        const part = bytes.subarray(0, KEPT_BODY_BYTES - keptByteCount);
        if (part.length === 0) return;
        // A copy, because the runtime reuses the buffer.
        kept.push(Buffer.from(part));
        keptByteCount += part.length;
      },
      read(bodyByteCount) {
        if (bodyByteCount <= MOST_BODY_BYTES) return;
        connection.destroy();
        end(false);
      },
      end,
      failed(failure) {
        cancelDeadline();
        reject(failure);
      },
    });
  });
}
