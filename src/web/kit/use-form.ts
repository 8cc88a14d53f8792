// State of a form: its values, the request that submits them, and errors of single fields.
import { useState } from "preact/hooks";
import { useAction, type Action } from "../action.ts";
import { fieldsOf, type Fields } from "./fields-of.ts";

export interface FormState<Values> extends Action, Fields<Values> {
  values: Values;
  set: (change: Partial<Values>) => void;
  /** Restores the initial values. */
  reset: () => void;
}

/** `shown`: see useAction. */
export function useForm<Values extends object>(
  start: Values | (() => Values),
  shown: readonly string[] = [],
): FormState<Values> {
  const [first] = useState(start);
  const [values, setValues] = useState(first);
  const action = useAction(shown);
  const set = (change: Partial<Values>) => setValues((before) => ({ ...before, ...change }));
  return { ...action, ...fieldsOf(values, set, action.fields), values, set, reset: () => setValues(first) };
}
