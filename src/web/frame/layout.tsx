// Layout of every page: navigation, the signed-in person, and the page itself.
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { api, call } from "../client.ts";
import { leave, tellOtherTabs } from "../leaving.ts";
import { firstPage, pathOf } from "../pages.ts";
import { roleNames } from "../pages/settings/role-words.ts";
import { useSession } from "../session.tsx";
import { mayLose } from "../unsaved.ts";
import { common, navigation, spokenLanguages } from "../words.ts";
import { keepLanguage } from "../language.ts";
import { Mark } from "../kit/icons.tsx";
import { Button } from "../kit/parts.tsx";
import { AccountNotices } from "./account-notices.tsx";
import { Menu } from "./menu.tsx";
import { MakingSign, OfflineSign, SimulatedChip } from "./standing-signs.tsx";
import { sayProblem } from "../said.ts";
import { Toasts } from "../kit/toasts.tsx";

export function Layout({ children }: { children: ComponentChildren }) {
  const { path } = useLocation();
  const { person, organisation } = useSession();
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
  const here = /^\/dashboard\/?$/.test(path) ? pathOf(firstPage(person)) : path;
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
        <SimulatedChip />
        <Menu here={here} />
        <div class="who">
          <span>
            {person.name} <small>({roleNames[person.role]})</small>
          </span>
          <Button kind="quiet" onClick={signOut} label={navigation.signOut} />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <OfflineSign />
        <AccountNotices />
        <MakingSign />
        {children}
      </main>
      <Toasts />
    </div>
  );
}
