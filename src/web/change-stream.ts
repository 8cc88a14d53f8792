// One change stream for all tabs of a browser. One visible tab holds the stream and forwards changes to the others,
// because a browser opens at most six connections per host, and a seventh tab would wait forever. Hidden tabs do not
// take part.

import { askIfThere, isReached, noteLife, watchReach, watchSilence } from "./reach.ts";

const KINDS = ["call", "appointment", "campaign", "window", "worklist", "waiting", "account"] as const;
export type ChangeKind = (typeof KINDS)[number];
export type Listener = (id: string) => void;

/** Id that means: anything of this kind may have changed. */
export const MISSED = "";

const listeners: Record<ChangeKind, Set<Listener>> = {
  call: new Set(),
  appointment: new Set(),
  campaign: new Set(),
  window: new Set(),
  worklist: new Set(),
  waiting: new Set(),
  account: new Set(),
};

type News = { kind: ChangeKind; id: string } | "missed" | "resigned" | "beat";

const tabs = new BroadcastChannel("ringward-changes");
/**
 * Lease of the stream: holder and expiry, in localStorage, which all tabs share. Web Locks need HTTPS, which not every
 * ward has.
 */
const LEASE = "ringward-changes-holder";
const LEASE_MS = 6_000;
const LOOK_EVERY_MS = 2_000;
/** The appliance rejects streams above its limits. The page then retries after this time, and reloads its data. */
const COME_BACK_MS = 60_000;
/** A stream without a beat for this long is dead, even if the appliance answers requests. */
const DEAD_STREAM_MS = 15_000;

const me = `${Date.now()}-${Math.random()}`;
let stream: EventSource | null = null;
let looking: ReturnType<typeof setInterval> | undefined;
let beatAt = 0;
let stopWatching = () => {};
let refusedUntil = 0;
/** Changes may have been missed between two holders of the stream. */
let mayHaveMissed = false;

export function listen(kind: ChangeKind, listener: Listener): () => void {
  listeners[kind].add(listener);
  takePart();
  return () => void listeners[kind].delete(listener);
}

function takePart(): void {
  if (document.hidden || looking !== undefined || !isListening()) return;
  looking = setInterval(look, LOOK_EVERY_MS);
  stopWatching = watchSilence();
  look();
}

/** Opens the stream if no other visible tab holds the lease, and closes it if another tab does. */
function look(): void {
  if (!isListening() || !isReached()) return;
  const lease = leaseNow();
  if (lease !== null && lease.holder !== me) {
    mayHaveMissed = true;
    close();
    return;
  }
  if (Date.now() < refusedUntil) return;
  localStorage.setItem(LEASE, JSON.stringify({ holder: me, until: Date.now() + LEASE_MS }));
  if (stream && Date.now() - beatAt < DEAD_STREAM_MS) return;
  if (stream) mayHaveMissed = true;
  close();
  open();
  if (!mayHaveMissed) return;
  mayHaveMissed = false;
  hear("missed");
  tell("missed");
}

function open(): void {
  const opened = (stream = new EventSource("/dashboard/api/changes"));
  const beat = () => {
    beatAt = Date.now();
    noteLife();
  };
  beat();
  opened.addEventListener("beat", () => {
    beat();
    tell("beat");
  });
  opened.addEventListener("error", () => {
    // The stream ends with the appliance, but also with the session and its bounds.
    if (stream === opened) void askIfThere();
    // EventSource stops reconnecting only after an error response.
    if (opened.readyState !== EventSource.CLOSED || stream !== opened) return;
    stream = null;
    refusedUntil = Date.now() + COME_BACK_MS;
    mayHaveMissed = true;
    resign();
    window.dispatchEvent(new Event("ringward:stream-refused"));
  });
  for (const kind of KINDS) {
    opened.addEventListener(kind, (event) => {
      beat();
      const { id } = JSON.parse((event as MessageEvent<string>).data) as { id: string };
      hear({ kind, id });
      tell({ kind, id });
    });
  }
}

function close(): void {
  stream?.close();
  stream = null;
}

function resign(): void {
  close();
  if (leaseNow()?.holder !== me) return;
  localStorage.removeItem(LEASE);
  tell("resigned");
}

function rest(): void {
  clearInterval(looking);
  looking = undefined;
  stopWatching();
  resign();
}

function leaseNow(): { holder: string; until: number } | null {
  const text = localStorage.getItem(LEASE);
  if (text === null) return null;
  const lease = JSON.parse(text) as { holder: string; until: number };
  return lease.until > Date.now() ? lease : null;
}

function isListening(): boolean {
  return KINDS.some((kind) => listeners[kind].size > 0);
}

function tell(news: News): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  tabs.postMessage(news);
}

function hear(news: News): void {
  if (news === "beat") {
    noteLife();
    return;
  }
  if (news === "resigned") {
    mayHaveMissed = true;
    if (!document.hidden) look();
    return;
  }
  const told = news === "missed" ? KINDS.map((kind) => ({ kind, id: MISSED })) : [news];
  for (const { kind, id } of told) for (const listener of listeners[kind]) listener(id);
}

/** A lost stream is closed, because it may be silent forever. It is reopened as soon as the appliance answers. */
function followReach(isThere: boolean): void {
  if (isThere) {
    refusedUntil = 0;
    if (looking !== undefined) look();
    return;
  }
  mayHaveMissed = true;
  close();
}

export function followTabs(): void {
  watchReach(followReach);
  tabs.addEventListener("message", ({ data }: MessageEvent<News>) => {
    if (!document.hidden) hear(data);
  });
  // A hidden tab gives up the stream, and reloads its data when it becomes visible.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      rest();
      return;
    }
    takePart();
    if (isListening()) hear("missed");
  });
  window.addEventListener("pagehide", rest);
}

/** Reloads the data of a page that got no changes for a while. */
export function catchUp(): void {
  if (isListening()) hear("missed");
}
