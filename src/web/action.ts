// State of one user action: busy while it runs, then a success message or the error, in total and per field.
import { useState } from "preact/hooks";
import { ApiError, messageOf } from "./client.ts";
import { sayDone } from "./said.ts";

export interface Action {
  busy: boolean;
  error: string | null;
  /** Errors of single fields, by the API's name of the field. */
  fields: Record<string, string>;
  /** Resolves to whether the action succeeded, and shows `done` if so. A second click while it runs is ignored. */
  run: (act: () => Promise<unknown>, done?: string) => Promise<boolean>;
  /** Shows an error found before anything was sent. */
  say: (error: string) => void;
  clear: () => void;
}

/** `shown`: fields that display their own error. Any other error appears above the form. */
export function useAction(shown: readonly string[] = []): Action {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [fields, setFields] = useState<Record<string, string>>({});
  const clear = () => {
    setError(null);
    setFields({});
  };
  const run = async (act: () => Promise<unknown>, done?: string) => {
    if (busy) return false;
    setBusy(true);
    clear();
    try {
      await act();
      if (done !== undefined) sayDone(done);
      return true;
    } catch (fault) {
      const wrong = fault instanceof ApiError ? fault.fault.fields : {};
      const names = Object.keys(wrong);
      const isShown = names.length > 0 && names.every((name) => shown.includes(name));
      setFields(wrong);
      setError(isShown ? null : messageOf(fault));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const say = (problem: string) => {
    setFields({});
    setError(problem);
  };
  return { busy, error, fields, run, say, clear };
}
