// Layout of every page: navigation, the signed-in person, and the page itself.
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";
import { api, call } from "../client.ts";
import { useChanges, useLoaded } from "../data.ts";
import { formatNumber } from "../format.ts";
import { leave, tellOtherTabs } from "../leaving.ts";
import { pathOf, isEnough, MENU } from "../pages.ts";
import { roleNames } from "../pages/settings/role-words.ts";
import { useSession } from "../session.tsx";
import { mayLose } from "../unsaved.ts";
import { common, navigation, spokenLanguages } from "../words.ts";
import { keepLanguage } from "../language.ts";
import { Icon, Mark } from "../kit/icons.tsx";
import { Button } from "../kit/parts.tsx";
import { MakingSign, OfflineSign, SimulatedSign } from "./standing-signs.tsx";
import { sayProblem } from "../said.ts";
import { Toasts } from "../kit/toasts.tsx";

export function Layout({ children }: { children: ComponentChildren }) {
  const { path } = useLocation();
  const { person, organisation } = useSession();
  const menu = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the menu is a row that scrolls sideways.
    menu.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [path]);
  const signOut = async () => {
    if (!mayLose()) return;
    try {
      await call(api.logout.post());
      keepLanguage(null, spokenLanguages);
      tellOtherTabs("signed-out");
      leave("/dashboard");
    } catch (error) {
      sayProblem(error);
    }
  };
  // Without a path, the start page of the person's role is shown.
  const here = /^\/dashboard\/?$/.test(path) ? pathOf(person.role === "owner" ? "overview" : "today") : path;
  return (
    <div class="frame">
      <a class="skip" href="#content">
        {navigation.skip}
      </a>
      <header class="side">
        <div class="brand">
          <Mark />
          <strong>{common.appName}</strong>
          <span>{organisation.name}</span>
        </div>
        <nav ref={menu} aria-label={navigation.menu}>
          {MENU.filter(({ role }) => isEnough(person.role, role)).map(({ path: page, icon }) => (
            <a key={page} href={page} aria-current={here.startsWith(page) ? "page" : undefined}>
              <Icon name={icon} />
              <span>{navigation[icon]}</span>
              {icon === "today" && <OpenItems />}
            </a>
          ))}
        </nav>
        <div class="who">
          <span>
            {person.name} <small>({roleNames[person.role]})</small>
          </span>
          <Button kind="quiet" onClick={signOut} label={navigation.signOut} />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <OfflineSign />
        <SimulatedSign />
        <MakingSign />
        {children}
      </main>
      <Toasts />
    </div>
  );
}

/** Number of open items of the worklist. */
function OpenItems() {
  const count = useLoaded(() => call(api.worklist.count.get()), []);
  useChanges("worklist", count.reload);
  const open = count.data?.open ?? 0;
  if (open === 0) return null;
  return (
    <>
      <span class="nav-count" aria-hidden="true">
        {formatNumber(open)}
      </span>
      <span class="visually-hidden"> {navigation.openItems(formatNumber(open))}</span>
    </>
  );
}
