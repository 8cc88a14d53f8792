// Context with which the content of a dialog closes it.
import { createContext } from "preact";

export const DialogClose = createContext<(() => void) | undefined>(undefined);
