// Tries a host beside the one that is used: opens a way to it, asks whether it is there, and hands the way over if so.
import type { Clock } from "../../../core/clock.ts";
import type { Host } from "./resolve.ts";
import type { Endpoint, Flow, OpenedFlow } from "../transport/flow.ts";
import type { TrunkSettings } from "../../../trunks/trunk-settings.ts";

export interface Trial {
  connected(flow: Flow): void;
  failed(flow: Flow): void;
  close(): void;
}

export interface TrialOptions {
  clock: Clock;
  settings: TrunkSettings;
  host: Host;
  openFlow: (settings: TrunkSettings, remote: Endpoint) => Promise<OpenedFlow>;
  /** Asks over this flow whether anybody is there. */
  probe: (flow: Flow, done: (isThere: boolean) => void) => void;
}

/** A connection has 5 s to be made, and the question 5 s to be answered. */
const PATIENCE_MS = 12_000;

/** `done` comes once: with the way to it, or null where nobody is there. */
export function openTrial(options: TrialOptions, done: (opened: OpenedFlow | null) => void): Trial {
  const { clock, settings, host } = options;
  let opened: OpenedFlow | null = null;
  let isOver = false;
  const cancelPatience = clock.after(PATIENCE_MS, () => over(false));

  function over(isThere: boolean): void {
    if (isOver) return;
    isOver = true;
    cancelPatience();
    if (!isThere) opened?.close();
    done(isThere ? opened : null);
  }

  function ask(flow: Flow): void {
    options.probe(flow, over);
  }

  async function open(): Promise<void> {
    const way = await options.openFlow(settings, host);
    if (isOver) {
      way.close();
      return;
    }
    opened = way;
    if (way.flow.transport === "udp") ask(way.flow);
  }

  open().catch(() => over(false));
  return {
    connected(flow) {
      if (flow === opened?.flow) ask(flow);
    },
    failed(flow) {
      if (flow === opened?.flow) over(false);
    },
    close: () => over(false),
  };
}
