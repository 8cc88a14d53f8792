// Metrics of the SIP worker and its trunks for /metrics.
import type { Metrics } from "../../../core/metrics.ts";
import type { SipCarrier } from "./carrier.ts";

type State = ReturnType<SipCarrier["trunkStates"]>[number]["state"];

export function measureCarrier(metrics: Metrics, carrier: SipCarrier): void {
  const trunksThatAre = (state: State) => carrier.trunkStates().filter((trunk) => trunk.state === state);
  metrics.gauge("ringward_sip_worker_running", "1 while the SIP worker runs.", () =>
    carrier.status().worker === "running" ? 1 : 0,
  );
  metrics.countedElsewhere(
    "ringward_sip_worker_restarts_total",
    "Times that the SIP worker died and was started again.",
    () => carrier.status().restarts,
  );
  metrics.gauge(
    "ringward_sip_audio_lag_p99_ms",
    "How late audio leaves; past 20 no new call is taken.",
    () => carrier.status().lagP99Ms,
  );
  metrics.countedElsewhere(
    "ringward_sip_dropped_packets_total",
    "SIP packets from strangers, or that were no SIP.",
    () => {
      const { droppedStrangers, droppedMalformed } = carrier.status();
      return droppedStrangers + droppedMalformed;
    },
  );
  metrics.countedElsewhere(
    "ringward_sip_calls_refused_busy_total",
    "Calls of trunks that were answered with 486, since every line was in use.",
    () => carrier.status().refusedBusy,
  );
  metrics.gauge(
    "ringward_sip_trunks_down",
    "Trunks that do not answer or refuse our registration.",
    () => trunksThatAre("down").length,
  );
}
