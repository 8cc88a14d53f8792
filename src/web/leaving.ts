// When a session ends, every tab of the browser drops what it shows. Leaving is loading the page anew: nothing of a patient
// stays in the page, in its memory or in the address.
import { useEffect } from "preact/hooks";
import { api, call } from "./client.ts";

type News = "signed-in" | "signed-out";

const tabs = new BroadcastChannel("ringward-session");
/** For sessions that end by age, or that were ended elsewhere. Asking is not use: it does not prolong the session. */
const CHECK_EVERY_MS = 60_000;

/** After signing in or out in this tab: the others follow. */
export function tellOtherTabs(news: News): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  tabs.postMessage(news);
}

/** The address keeps the page, but not what was searched for there. */
export function leave(path = location.pathname): void {
  document.documentElement.hidden = true;
  location.replace(path);
}

/** For the page that shows what only somebody signed in may see, or the door before it. */
export function useSessionEnd(isSomebodyIn: boolean): void {
  useEffect(() => {
    const hear = ({ data }: MessageEvent<News>) => {
      // Somebody else may have signed in: what is shown is not theirs.
      if (isSomebodyIn || data === "signed-in") leave();
    };
    tabs.addEventListener("message", hear);
    return () => tabs.removeEventListener("message", hear);
  }, [isSomebodyIn]);

  useEffect(() => {
    if (!isSomebodyIn) return;
    const refused = () => {
      tellOtherTabs("signed-out");
      leave();
    };
    const check = () => {
      call(api.welcome.get()).then(
        ({ signed_in }) => !signed_in && refused(),
        // Out of reach for a moment: whether the session has ended is not known.
        () => {},
      );
    };
    const seen = () => {
      if (!document.hidden) check();
    };
    const timer = setInterval(check, CHECK_EVERY_MS);
    window.addEventListener("ringward:signed-out", refused);
    window.addEventListener("ringward:stream-refused", check);
    document.addEventListener("visibilitychange", seen);
    return () => {
      clearInterval(timer);
      window.removeEventListener("ringward:signed-out", refused);
      window.removeEventListener("ringward:stream-refused", check);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [isSomebodyIn]);
}

/** A page that the browser keeps for its Back button is kept empty, and loads anew when it comes back. */
export function keepNothingForBack(): void {
  window.addEventListener("pagehide", ({ persisted }) => {
    if (persisted) document.documentElement.hidden = true;
  });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}
