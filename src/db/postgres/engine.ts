// PostgreSQL, for who outgrows one machine or runs it already. Its driver is loaded only where it is used.
import type { Engine } from "../port.ts";

const parts = () => import("./open.ts");

export const postgres: Engine = {
  open: async (at, options) => (await parts()).openPostgres(at, options),
  look: async (at) => (await parts()).lookAtPostgres(at),
  isServed: async (at) => (await parts()).isPostgresServed(at),
};
