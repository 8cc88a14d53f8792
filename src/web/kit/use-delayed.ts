// Debounces a typed value.
import { useEffect, useState } from "preact/hooks";

const PAUSE_MS = 250;

export function useDelayed(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
