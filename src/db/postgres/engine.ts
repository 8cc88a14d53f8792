// PostgreSQL engine, for deployments beyond one machine or with an existing PostgreSQL. The driver is loaded on first
// use.
import type { Engine } from "../port.ts";

const parts = () => import("./open.ts");

export const postgres: Engine = {
  open: async (at, options) => (await parts()).openPostgres(at, options),
  look: async (at) => (await parts()).lookAtPostgres(at),
  isServed: async (at) => (await parts()).isPostgresServed(at),
};
