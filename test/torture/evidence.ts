// Input of the checks: the client's log, the database, and the logs of receiver and carrier.
import type { ClientLog } from "./client-log.ts";

export interface StoredCall {
  id: string;
  number: string;
  state: string;
  isTriggered: boolean;
  /** It waits because it could not be dialled, through no fault of the person called. */
  isPutBack: boolean;
  /** How many events it has told. */
  sequence: number;
  credits: number | null;
}

export interface StoredAppointment {
  id: string;
  name: string | null;
  slot: string;
  isCancelled: boolean;
}

/** One window on one date. */
export interface StoredPlace {
  slot: string;
  filled: number;
  most: number;
}

export interface StoredEvent {
  id: string;
  type: string;
  callId: string | null;
  sequence: number | null;
  appointmentId: string | null;
}

export interface StoredDelivery {
  eventId: string;
  endpointId: string;
  state: string;
}

export interface Ledger {
  organisationId: string;
  balance: number;
  entries: { amount: number; callId: string | null }[];
}

export interface Stored {
  calls: StoredCall[];
  appointments: StoredAppointment[];
  places: StoredPlace[];
  events: StoredEvent[];
  deliveries: StoredDelivery[];
  endpointIds: string[];
  ledgers: Ledger[];
  /** Empty where the file is sound. */
  faults: string[];
}

/** One whole request at the receiver, in the order in which they came. */
export interface Arrival {
  eventId: string;
  callId: string | null;
  sequence: number | null;
  /** The status it said; 0 where it said none. */
  said: number;
}

/** One INVITE, repetitions left out. */
export interface Dialled {
  number: string;
  sipCallId: string;
}

export interface Evidence {
  client: ClientLog;
  stored: Stored;
  arrivals: Arrival[];
  dialled: Dialled[];
  /** Whether everything had time to go out: then nothing may be waiting. */
  isDrained: boolean;
}
