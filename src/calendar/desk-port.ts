// The desk: what an agent can do with the calendar while it is on a call.

/** A slot the agent may offer. It is reserved for the caller for 90 seconds. */
export interface SlotOffer {
  /** A, B, C: the conversation chooses by label and never handles ids or invents dates. */
  label: string;
  /** Branch-local: YYYY-MM-DD and HH:MM. */
  date: string;
  startTime: string;
  endTime: string;
}

/** The appointment the call is about. */
export interface KnownAppointment {
  /** Branch-local: YYYY-MM-DD and HH:MM. */
  date: string;
  startTime: string;
  /** Changes that only the hospital's own system can make: the agent passes them on. */
  passedOn?: readonly ("cancel" | "move")[];
}

/** The callee's preferred time; unknown parts are null. Days are YYYY-MM-DD, times HH:MM. */
export interface TimeWish {
  date: string | null;
  /** Last day of a range. */
  dateEnd: string | null;
  time: string | null;
  /** At this time or later. */
  isAfter?: true;
  partOfDay: "morning" | "afternoon" | "evening" | null;
}

/** Calendar operations available to the agent during the call. */
export interface BookingDesk {
  /** The call has a branch to book for. */
  readonly canBook: boolean;
  /** A contact without a suitable time can join the waiting list. */
  readonly canWait?: boolean;
  /** The call offers one slot reserved for a contact on the waiting list, and no other. */
  readonly hasPlace?: boolean;
  /** The appointment the call is about, or null. */
  appointment(): Promise<KnownAppointment | null>;
  /** Confirms attendance. False if the appointment no longer exists. */
  confirm(): Promise<boolean>;
  /** Cancels the appointment, or passes that on. False if it no longer exists. */
  cancel(): Promise<boolean>;
  /** Stores a change request when the contact chose no new time, with the time that they asked for. */
  requestChange(wish?: TimeWish | null): Promise<boolean>;
  /** Reserves the next open slots, at most `most`, nearest to the wish first. Releases earlier reservations. */
  offer(most: number, wish?: TimeWish | null): Promise<SlotOffer[]>;
  /**
   * Moves the appointment, or books a new one if there is none. Null if the slot is taken. `name`: of a caller who was
   * unknown.
   */
  book(label: string, name?: string | null): Promise<SlotOffer | null>;
  /** Adds the contact to the waiting list immediately. Idempotent. False if impossible. */
  wait?(wish: TimeWish | null, name?: string | null): Promise<boolean>;
  /** The contact declines the waiting-list place and stays on the list or leaves it. */
  decline?(stays: boolean): Promise<boolean>;
  /** Undoes the last change of this call. Idempotent. */
  undo?(): Promise<Undone>;
}

/** If the undo failed, the appointment is marked for a change. */
export interface Undone {
  isDone: boolean;
  /** The contact's current appointment. */
  appointment: KnownAppointment | null;
}

/** Abilities of a desk, sent to an agent on another thread in advance. */
export type DeskAbilities = Pick<BookingDesk, "canBook" | "canWait" | "hasPlace">;
