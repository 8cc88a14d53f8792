// Faults of the appliance that people are told of.

/** Names of the faults, as in events and in the database. */
export const FAULT_NAMES = [
  "disk",
  "database",
  "database_slow",
  "scheduler",
  "line",
  "trunk",
  "endpoint",
  "backup",
  "clock",
  "model_server",
  "certificate",
] as const;
export type FaultName = (typeof FAULT_NAMES)[number];

/** Who is told: every organisation, the one concerned, or only the administrator of the appliance. */
export const AUDIENCES = ["all", "organisation", "operator"] as const;
export type Audience = (typeof AUDIENCES)[number];

export const SEVERITIES = ["warning", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];
