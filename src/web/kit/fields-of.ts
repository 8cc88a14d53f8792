// Props that bind fields to the values they edit.

type NamesOf<Values, Type> = { [Name in keyof Values]: Values[Name] extends Type ? Name : never }[keyof Values] &
  string;

export interface Fields<Values> {
  /** Props of the field for this value. `errorName` is the API's name of the field: by default in snake case. */
  at: (
    name: NamesOf<Values, string>,
    errorName?: string,
  ) => { value: string; onValue: (value: string) => void; error: string | undefined };
  /** Props of the checkbox for this value. */
  box: (name: NamesOf<Values, boolean>) => { checked: boolean; onChecked: (isChecked: boolean) => void };
}

/** Fields for values stored elsewhere. */
export function fieldsOf<Values>(
  values: Values,
  set: (change: Partial<Values>) => void,
  errors: Readonly<Record<string, string>> = {},
): Fields<Values> {
  return {
    at: (name, errorName = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) => ({
      value: values[name] as string,
      onValue: (value) => set({ [name]: value } as Partial<Values>),
      error: errors[errorName],
    }),
    box: (name) => ({
      checked: values[name] as boolean,
      onChecked: (isChecked) => set({ [name]: isChecked } as Partial<Values>),
    }),
  };
}
