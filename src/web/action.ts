// One action of a person: busy while it runs, and what went wrong, as a whole and field by field.
import { useState } from "preact/hooks";
import { ApiError, messageOf } from "./client.ts";

export interface Action {
  busy: boolean;
  error: string | null;
  fields: Record<string, string>;
  /** Answers whether it went well; a second click while it runs does nothing. */
  run: (act: () => Promise<void>) => Promise<boolean>;
  clear: () => void;
}

export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [fields, setFields] = useState<Record<string, string>>({});
  const clear = () => {
    setError(null);
    setFields({});
  };
  const run = async (act: () => Promise<void>) => {
    if (busy) return false;
    setBusy(true);
    clear();
    try {
      await act();
      return true;
    } catch (fault) {
      setError(messageOf(fault));
      if (fault instanceof ApiError) setFields(fault.fault.fields);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, fields, run, clear };
}
