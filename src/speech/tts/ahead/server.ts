// The Hindi voice's end of a client's port.
import { messageOf } from "../../../core/errors.ts";
import type { AheadRequest, FromHindiVoice, ToHindiVoice } from "./protocol.ts";
import type { Renderer } from "./renderer.ts";

export function serveHindi(port: MessagePort, renderer: Renderer): void {
  const answer = (message: FromHindiVoice, transfer: Transferable[] = []) => port.postMessage(message, transfer);
  const underWay = new Map<number, { text: string; voice: string; unwanted: AbortController }>();

  async function serve(request: Extract<ToHindiVoice, { id: number }>): Promise<void> {
    const { id, text, voice } = request;
    const unwanted = new AbortController();
    underWay.set(id, { text, voice, unwanted });
    try {
      const samples = await renderer.render(text, voice, urgencyOf(request), unwanted.signal);
      if ("ahead" in request) answer({ id, isMade: true });
      else {
        const own = samples.slice();
        answer({ id, samples: own }, [own.buffer]);
      }
    } catch (error) {
      answer({ id, error: messageOf(error) });
    } finally {
      underWay.delete(id);
    }
  }

  port.addEventListener("message", ({ data }: MessageEvent<ToHindiVoice>) => {
    if ("cancel" in data) underWay.get(data.cancel)?.unwanted.abort();
    else if ("hurry" in data) {
      const asked = underWay.get(data.hurry);
      if (asked) renderer.hurry(asked.text, asked.voice);
    } else void serve(data);
  });
  port.start();
}

/** What a call asks for is for what it says next, until it hurries. */
const urgencyOf = (request: object): AheadRequest["ahead"] | "next" =>
  "ahead" in request ? (request as AheadRequest).ahead : "next";
