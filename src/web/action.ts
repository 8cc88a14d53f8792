// One action of a person: busy while it runs, then a word that it is done, or what went wrong, as a whole and field by
// field.
import { useState } from "preact/hooks";
import { ApiError, messageOf } from "./client.ts";
import { sayDone } from "./said.ts";

export interface Action {
  busy: boolean;
  error: string | null;
  /** What is wrong with single fields, by the API's name of the field. */
  fields: Record<string, string>;
  /** Answers whether it went well, and says `done` then; a second click while it runs does nothing. */
  run: (act: () => Promise<unknown>, done?: string) => Promise<boolean>;
  /** What is wrong before anything was sent. */
  say: (error: string) => void;
  clear: () => void;
}

/**
 * `shown` are fields that tell what is wrong with them and need no word above the form; any other fault is told there.
 */
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
