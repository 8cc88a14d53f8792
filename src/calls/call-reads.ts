// One call as the API shows it. A call that waits is what integrators ask for again and again, so it is remembered until a call
// or an agent changes; what was said in one, and links that expire, are never kept.
import { agentById } from "../agents/store.ts";
import type { Executor } from "../db/tables.ts";
import { Memory } from "../db/memory.ts";
import type { MediaLinks } from "../media/links.ts";
import type { CallView } from "./model.ts";
import { CallLoader } from "./call-loader.ts";
import { resultOf } from "./store.ts";
import { callView } from "./view.ts";

interface CallRead {
  organisationId: string;
  hasGoneOut: boolean;
  view: CallView;
}

const MOST_REMEMBERED = 200;

export function createCallReads({ reader, links }: { reader: Executor; links: MediaLinks }) {
  const calls = new CallLoader(reader);
  const waiting = new Memory<CallRead | null>(["calls", "agents"], MOST_REMEMBERED);

  async function read(id: string): Promise<CallRead | null> {
    const call = await calls.load(id);
    if (!call) return null;
    const { organisation_id: organisationId } = call;
    const agent = await agentById(reader, organisationId, call.agent_id);
    const hasGoneOut = call.triggered_at !== null;
    const result = hasGoneOut ? await resultOf(reader, id) : undefined;
    const view = Object.freeze(callView(call, agent?.name ?? "", result, links));
    return { organisationId, hasGoneOut, view };
  }

  /** Another organisation's call is answered exactly like an unknown one. The view is shared, so it is frozen. */
  return async (organisationId: string, id: string): Promise<CallView | null> => {
    const found = await waiting.of(
      reader,
      id,
      () => read(id),
      (call) => call !== null && !call.hasGoneOut,
    );
    return found?.organisationId === organisationId ? found.view : null;
  };
}
