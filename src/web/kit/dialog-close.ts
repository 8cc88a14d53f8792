// What is inside a dialog knows how to leave it.
import { createContext } from "preact";

export const DialogClose = createContext<(() => void) | undefined>(undefined);
