// Links to recordings and transcripts, learned from events like a receiver does: signed links, or shared links with a
// token.
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

/** Suffixes of their numbers: three calls are completed, one fails and has no files. */
const TALKED = ["0100", "0100", "0100"];
const FAILED = "0004";

export async function linksOfCalls(plan: HospitalPlan, making: Making, key: string): Promise<Grants> {
  const events = await eventsOf(plan, making);
  const talked = events.filter(({ call_recording }) => call_recording !== null);
  // The file is created on the first request; concurrent ones would be deferred.
  for (const { call_recording } of talked) {
    const { pathname, search } = new URL(call_recording ?? "");
    await (await fetch(plan.url + pathname + search)).arrayBuffer();
  }
  const recordings = talked.map(({ call_recording }) => grantIn(call_recording));
  const transcripts = talked.map(({ call_transcript }) => grantIn(call_transcript));
  if (!plan.isSharing) {
    // Its links stay valid, but their files are gone.
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

/** Events about finished calls, as received. */
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

/** The secret of one call in another call's URL, an altered secret, and none. */
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
