// Settings of a test hospital.
import type { Receiver } from "../../test/support/receiver.ts";
import type { Owner } from "./owner.ts";

export interface HospitalPlan {
  url: string;
  receiver: Receiver;
  owner: Owner;
  name: string;
  marker: string;
  /** Null creates a key. */
  key: string | null;
  /** Whether calls are shared by public links; otherwise their links are signed. */
  isSharing: boolean;
  /** Whether the inbound webhook requires signatures. */
  signs: boolean;
}

export interface Making {
  post: (path: string, body: unknown) => Promise<Record<string, string>>;
  agentId: string;
  branchId: string;
  marker: string;
}
