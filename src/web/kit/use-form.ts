// State of a form: its values, the request that submits them, and errors of single fields.
import { useState } from "preact/hooks";
import { useAction, type Action } from "../action.ts";

type NamesOf<Values, Type> = { [Name in keyof Values]: Values[Name] extends Type ? Name : never }[keyof Values] &
  string;

export interface FormState<Values extends object> extends Action {
  values: Values;
  set: (change: Partial<Values>) => void;
  /** Props of the field for the value of this name, which is also the API's name of the field. */
  at: (name: NamesOf<Values, string>) => {
    value: string;
    onValue: (value: string) => void;
    error: string | undefined;
  };
  /** Props of the checkbox for the value of this name. */
  box: (name: NamesOf<Values, boolean>) => { checked: boolean; onChecked: (isChecked: boolean) => void };
  /** Back to the values at the start. */
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
  return {
    ...action,
    values,
    set,
    at: (name) => ({
      value: values[name] as string,
      onValue: (value) => set({ [name]: value } as Partial<Values>),
      error: action.fields[name],
    }),
    box: (name) => ({
      checked: values[name] as boolean,
      onChecked: (isChecked) => set({ [name]: isChecked } as Partial<Values>),
    }),
    reset: () => setValues(first),
  };
}
