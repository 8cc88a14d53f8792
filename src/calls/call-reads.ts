// One call as the API shows it. Integrators poll waiting calls, so these are cached until the call or an agent changes.
// Transcripts and expiring links are never cached.
import { agentNameOf } from "../agents/store.ts";
import type { Executor } from "../db/tables.ts";
import { RowMemory } from "../db/row-memory.ts";
import type { MediaLinks } from "../media/links.ts";
import type { CallView } from "./model.ts";
import { CallLoader } from "./call-loader.ts";
import { resultOf } from "./call/store.ts";
import { callView } from "./view.ts";

interface CallRead {
  organisationId: string;
  hasGoneOut: boolean;
  view: CallView;
}

/** A few megabytes; 20 if every call has the maximum of additional_info. */
const MOST_REMEMBERED = 1_000;

export function createCallReads({ reader, links }: { reader: Executor; links: MediaLinks }) {
  const calls = new CallLoader(reader);
  const waiting = new RowMemory<CallRead>("calls", ["agents"], MOST_REMEMBERED);

  async function read(id: string): Promise<CallRead | null> {
    const call = await calls.load(id);
    if (!call) return null;
    const { organisation_id: organisationId } = call;
    const agentName = await agentNameOf(reader, organisationId, call.agent_id);
    const hasGoneOut = call.triggered_at !== null;
    const result = hasGoneOut ? await resultOf(reader, id) : undefined;
    const view = Object.freeze(callView(call, agentName, result, links));
    return { organisationId, hasGoneOut, view };
  }

  /** Returns null for another organisation's call, as for an unknown one. The view is shared, so it is frozen. */
  return async (organisationId: string, id: string): Promise<CallView | null> => {
    const found = await waiting.of(
      reader,
      id,
      () => read(id),
      ({ hasGoneOut }) => !hasGoneOut,
    );
    return found?.organisationId === organisationId ? found.view : null;
  };
}
