// A form on its way: busy while it is sent, then a word that it is done, or what is wrong with it.
import { useState } from "preact/hooks";
import { ApiError, messageOf } from "../../client.ts";
import { sayDone } from "../../components/toasts.tsx";

export function useSubmit() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [fields, setFields] = useState<Record<string, string>>({});

  /** Answers whether it worked. What to say then is `done`, or what `send` answers. */
  const submit = async (
    ...[send, done]: [() => Promise<unknown>, string] | [() => Promise<string>]
  ): Promise<boolean> => {
    setBusy(true);
    setError(null);
    setFields({});
    try {
      const answer = await send();
      sayDone(done ?? String(answer));
      return true;
    } catch (fault) {
      setError(messageOf(fault));
      setFields(fault instanceof ApiError ? fault.fault.fields : {});
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, fields, submit };
}
