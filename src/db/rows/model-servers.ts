// Rows of model servers, and of what agents choose among them.

export type ModelServerRole = "language" | "recognition" | "voice";

export interface ModelServerRow {
  id: string;
  organisation_id: string;
  name: string;
  role: ModelServerRole;
  base_url: string;
  sealed_key: string | null;
  model: string;
  voice: string;
  /** Space-separated; empty: every language. */
  languages: string;
  ca_pem: string | null;
  first_ms: number;
  total_ms: number;
  /** 0 or 1. */
  is_default: number;
  created_at: number;
  updated_at: number;
}

export interface AgentModelServerRow {
  agent_id: string;
  role: ModelServerRole;
  /** A model server's id, `settings:NAME` of one in the configuration, or `builtin`. */
  server_id: string;
}
