// The signed-in person, as context of every page.
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
    /** Signed in with the sealed emergency account. */
    is_emergency: boolean;
    /** Bound to branches: pages about the whole organisation are closed. */
    is_bound: boolean;
  };
  organisation: { organisation_id: string; name: string; plan: string; time_zone: string; idle_lock_minutes: number };
  /** Calls are simulated, and no telephone rings. */
  simulated: boolean;
  /** The demo hospital, with history and receiver. */
  demo: boolean;
  reload: () => void;
}

const SessionContext = createContext<SignedIn | null>(null);

export function SessionProvider({ value, children }: { value: SignedIn; children: ComponentChildren }) {
  return <SessionContext.Provider value={value}>{children}</SessionContext.Provider>;
}

export function useSession(): SignedIn {
  const session = useContext(SessionContext);
  if (!session) throw new Error("This page requires a signed-in user.");
  return session;
}

/** Hides actions that the server would reject. The server enforces permissions. */
export function useMay(required: "viewer" | "staff" | "owner"): boolean {
  return isEnough(useSession().person.role, required);
}
