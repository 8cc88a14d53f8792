// Tries a host beside the current one: opens a flow, probes the host, and hands over the flow if the host responds.
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
  /** Checks over this flow whether the host responds. */
  probe: (flow: Flow, done: (isThere: boolean) => void) => void;
}

/** 5 s for the connection, and 5 s for the response. */
const PATIENCE_MS = 12_000;

/** `done` is called once: with the flow, or null if the host does not respond. */
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
