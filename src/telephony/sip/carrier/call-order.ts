// What the worker is told of a call: what can cross the border, and only what its agent needs.
import type { PromptKind } from "../../../db/tables.ts";
import type { DialRequest } from "../../port.ts";
import type { CallOrder } from "../protocol.ts";
import type { LiveCall } from "./live-calls.ts";

export function orderOf(
  request: DialRequest,
  { trunkId, direction }: Pick<LiveCall, "trunkId" | "direction">,
  deliveredKeys: ReadonlySet<string>,
  language: string,
): CallOrder {
  const { callId, from, to, agent, contactName, desk, recordingFile, captureFile } = request;
  const prompts: Partial<Record<PromptKind, string>> = {};
  for (const { kind, key } of agent.prompts) if (deliveredKeys.has(key)) prompts[kind] = key;
  return {
    callId,
    trunkId,
    from,
    to,
    recordingFile,
    captureFile,
    brief: {
      agentName: agent.name,
      language,
      greeting: agent.greeting,
      contactName,
      transferTo: agent.transferTo,
      direction,
    },
    prompts,
    hasDesk: desk !== null,
    canBook: desk?.canBook ?? false,
  };
}
