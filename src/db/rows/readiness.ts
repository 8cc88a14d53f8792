// Rows by which the appliance knows that it may serve; see db/write-probe.ts and db/key-check.ts.

export interface WriteProbeRow {
  id: string;
  at: number;
}

export interface KeyCheckRow {
  name: string;
  sealed: string;
}
