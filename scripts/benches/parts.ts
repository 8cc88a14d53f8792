// The parts of ./scripts/bench, in order of execution. A part is loaded on demand.
import type { Bench } from "./bench.ts";

export const PARTS: Readonly<Record<string, () => Promise<Bench>>> = {
  deliver: async () => (await import("./deliver.ts")).deliver,
  create: async () => (await import("./create.ts")).create,
  compare: async () => (await import("./compare.ts")).compare,
  encryption: async () => (await import("./encryption.ts")).encryption,
  read: async () => (await import("./read.ts")).read,
  scrape: async () => (await import("./scrape.ts")).scrape,
  schedule: async () => (await import("./schedule.ts")).schedule,
  postgres: async () => (await import("./postgres.ts")).postgres,
  engines: async () => (await import("./engines.ts")).engines,
  move: async () => (await import("./move.ts")).move,
  start: async () => (await import("./start.ts")).start,
  memory: async () => (await import("./memory.ts")).memory,
  erase: async () => (await import("./erase.ts")).erase,
  availability: async () => (await import("./availability.ts")).availability,
  calls: async () => (await import("./calls.ts")).calls,
  pages: async () => (await import("./pages.ts")).pages,
  overview: async () => (await import("./overview.ts")).overview,
  "slow-line": async () => (await import("./slow-line.ts")).slowLine,
  searches: async () => (await import("./searches.ts")).searches,
  streams: async () => (await import("./streams.ts")).streams,
  strangers: async () => (await import("./strangers.ts")).strangers,
  media: async () => (await import("./media.ts")).media,
  sip: async () => (await import("./sip.ts")).sip,
  telephone: async () => (await import("./telephone.ts")).telephone,
  talk: async () => (await import("./talk.ts")).talk,
  "model-turns": async () => (await import("./model-turns.ts")).modelTurns,
  loss: async () => (await import("./loss.ts")).loss,
  outages: async () => (await import("./outages.ts")).outages,
  understanding: async () => (await import("./understanding.ts")).understanding,
};

/** Needs options, so it runs only if it is named. */
export const ONLY_IF_NAMED: readonly string[] = ["compare"];

/** Excluded from the short form unless named, which would take longer than two minutes with them. */
export const LEFT_OUT_OF_QUICK: readonly string[] = [
  "postgres",
  "overview",
  "slow-line",
  "engines",
  "move",
  "sip",
  "telephone",
  "loss",
  "outages",
  "scrape",
  "streams",
  "strangers",
];
