// Findings of a request against a baseline server: throughput, tail latency and CPU cost.
import type { Finding } from "./bench.ts";
import { count, ms, perSecond } from "./figures.ts";
import type { SideLoad } from "./http-sides.ts";

const MOST_P99_MS = 25;

export function rateFinding(measure: string, here: SideLoad, bare: SideLoad, bareDoes: string, least: number): Finding {
  const ratio = here.perSecond / bare.perSecond;
  return {
    measure,
    here: perSecond(here.perSecond),
    against: `${perSecond(bare.perSecond)}: bare, ${bareDoes}`,
    ratio,
    goal: `≥ ${least}`,
    holds: ratio >= least,
  };
}

/** `what`: a create or a read. */
export function costFindings(what: string, here: SideLoad, bare: SideLoad): Finding[] {
  return [
    {
      measure: `p99 of ${what}`,
      here: ms(here.p99Ms),
      against: `${ms(bare.p99Ms)} of the bare one`,
      ratio: here.p99Ms / bare.p99Ms,
      goal: `≤ ${MOST_P99_MS} ms`,
      holds: here.p99Ms <= MOST_P99_MS,
    },
    {
      measure: `CPU of ${what}`,
      here: `${count(here.cpuUs)} µs`,
      against: `${count(bare.cpuUs)} µs of the bare one`,
      ratio: here.cpuUs / bare.cpuUs,
      goal: null,
      holds: null,
    },
    {
      measure: `CPU of the client (wrk) for ${what}`,
      here: `${count(here.clientCpuUs)} µs`,
      against: `${count(here.cpuUs)} µs of the server`,
      ratio: here.clientCpuUs / here.cpuUs,
      goal: "< 1",
      holds: here.clientCpuUs < here.cpuUs,
    },
  ];
}
