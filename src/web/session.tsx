// Who is signed in, for every page below.
import { createContext, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { isEnough, type Role } from "./pages.ts";

export interface SignedIn {
  person: {
    person_id: string;
    email: string;
    name: string;
    role: Role;
    language: string | null;
  };
  organisation: { organisation_id: string; name: string; plan: string; time_zone: string; idle_lock_minutes: number };
  /** Calls are simulated here: nobody's telephone rings. */
  simulated: boolean;
  /** The demo hospital, with a past and a receiver of its own. */
  demo: boolean;
  reload: () => void;
}

const SessionContext = createContext<SignedIn | null>(null);

export function SessionProvider({ value, children }: { value: SignedIn; children: ComponentChildren }) {
  return <SessionContext.Provider value={value}>{children}</SessionContext.Provider>;
}

export function useSession(): SignedIn {
  const session = useContext(SessionContext);
  if (!session) throw new Error("This page needs somebody signed in.");
  return session;
}

/** For hiding what would be refused; the server decides. */
export function useMay(required: Role): boolean {
  return isEnough(useSession().person.role, required);
}
