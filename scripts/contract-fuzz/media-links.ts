// Links to recordings and transcripts, as a receiver of events learns them: signed ones, or shared ones with a token.
import { until } from "../../test/support/until.ts";
import type { HospitalPlan, Making } from "./hospital-plan.ts";
import { askJson } from "./owner.ts";
import { withKey, type Grant } from "./world.ts";

interface EventLinks {
  call_id: string;
  call_recording: string | null;
  call_transcript: string | null;
  share_token: string | null;
}

export type Grants = readonly (readonly [operation: string, grants: readonly Grant[]])[];

/** How their numbers end: three are talked through, one fails and has no files. */
const TALKED = ["0100", "0100", "0100"];
const FAILED = "0004";

export async function linksOfCalls(plan: HospitalPlan, making: Making, key: string): Promise<Grants> {
  const events = await eventsOf(plan, making);
  const talked = events.filter(({ call_recording }) => call_recording !== null);
  // Made for the first who asks; several at once would be put off.
  for (const { call_recording } of talked) {
    const { pathname, search } = new URL(call_recording ?? "");
    await (await fetch(plan.url + pathname + search)).arrayBuffer();
  }
  const recordings = talked.map(({ call_recording }) => grantIn(call_recording));
  const transcripts = talked.map(({ call_transcript }) => grantIn(call_transcript));
  if (!plan.isSharing) {
    // Its links stay good, and lead to nothing any more.
    const erased = talked.at(-1)?.call_id ?? "";
    await askJson(`${plan.url}/v1/calls/${erased}`, "DELETE", withKey(key));
    return [
      ["getRecording", recordings],
      ["getTranscript", transcripts],
    ];
  }
  const bare = events
    .filter(({ call_recording }) => call_recording === null)
    .map(({ call_id, share_token }): Grant => ({ path: { call_id }, query: { token: share_token ?? "" } }));
  return [
    ["getSharedRecording", [...recordings, ...bare]],
    ["getSharedTranscript", [...transcripts, ...bare]],
    ["getSharedCall", [...transcripts, ...bare]],
  ];
}

/** What the receiver was told of calls that are over. */
async function eventsOf({ owner, receiver }: HospitalPlan, { post, agentId, marker }: Making): Promise<EventLinks[]> {
  const { endpoint_id: endpointId } = await owner.ask<{ endpoint_id: string }>("POST", "endpoints", {
    url: receiver.url,
    event_types: ["call.completed", "call.failed"],
  });
  const calls = await Promise.all(
    [...TALKED, FAILED].map((ending, at) =>
      post("/v1/calls", { agent_id: agentId, user_number: `+155530${at}${ending}`, user_name: marker }),
    ),
  );
  const ids = calls.map(({ call_id }) => call_id ?? "");
  const told = () =>
    receiver.received
      .map(({ json }) => json.data as unknown as EventLinks)
      .filter(({ call_id }) => ids.includes(call_id))
      .toSorted((a, b) => ids.indexOf(a.call_id) - ids.indexOf(b.call_id));
  await until(() => told().length >= ids.length, { what: () => "the events of finished calls did not arrive" });
  await owner.ask("DELETE", `endpoints/${endpointId}`);
  return told();
}

function grantIn(link: string | null): Grant {
  const { pathname, searchParams } = new URL(link ?? "");
  return { path: { call_id: pathname.split("/").at(-2) ?? "" }, query: Object.fromEntries(searchParams) };
}

/** One call's secret at another call's address, one that is altered, and none. */
export function badLinks(grants: Grants): [operation: string, bad: (Grant & { label: string })[]][] {
  return grants.map(([operation, [one, other]]) => {
    if (!one || !other) throw new Error("Two finished calls are needed.");
    const altered = Object.fromEntries(Object.entries(one.query).map(([name, value]) => [name, `${value}0`]));
    return [
      operation,
      [
        { label: "another call's link", path: one.path, query: other.query },
        { label: "an altered link", path: one.path, query: altered },
        { label: "a link without its secret", path: one.path, query: { token: "", signature: "" } },
      ],
    ];
  });
}
