// Sending a form: busy while it is on its way, faults at their fields, anything else above the form.
import { useState } from "preact/hooks";
import { ApiError, messageOf } from "../../client.ts";

export interface Submission {
  busy: boolean;
  /** What is wrong with single fields, by the API's name of the field. */
  fields: Record<string, string>;
  problem: string | null;
  /** Null when it worked; otherwise the fault. */
  send: (work: () => Promise<unknown>) => Promise<unknown>;
  say: (problem: string) => void;
}

/** `shown` are the fields that the form has; a fault of another field is told above it. */
export function useSubmit(shown: readonly string[] = []): Submission {
  const [state, setState] = useState<Omit<Submission, "send" | "say">>({ busy: false, fields: {}, problem: null });
  return {
    ...state,
    say: (problem) => setState({ busy: false, fields: {}, problem }),
    async send(work) {
      setState({ busy: true, fields: {}, problem: null });
      try {
        await work();
        setState({ busy: false, fields: {}, problem: null });
        return null;
      } catch (error) {
        const fields = error instanceof ApiError ? error.fault.fields : {};
        const isShown = Object.keys(fields).length > 0 && Object.keys(fields).every((field) => shown.includes(field));
        setState({ busy: false, fields, problem: isShown ? null : messageOf(error) });
        return error ?? new Error(messageOf(error));
      }
    },
  };
}

export function isSlotFull(fault: unknown): fault is ApiError {
  return fault instanceof ApiError && fault.fault.code === "SLOT_FULL";
}
