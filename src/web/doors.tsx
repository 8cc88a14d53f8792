// Sign-in and lock screens shown in place of a page. The page that was set aside returns if the same person is back.
import { bringBack, isAside, putAside } from "./aside.tsx";
import { api, call } from "./client.ts";
import { noteTouch } from "./idle.ts";
import { leave, tellOtherTabs, type Doors } from "./leaving.ts";
import { LockPage } from "./pages/lock.tsx";
import { SignInPage } from "./pages/sign-in.tsx";
import { forgetUnsaved } from "./unsaved.ts";

export function doorsOf(personId: string | null, name: string | null): Doors {
  const somebodyIsBack = () => {
    call(api.session.get()).then(
      ({ person }) => {
        noteTouch();
        if (person.person_id === personId) {
          bringBack();
          return;
        }
        // Another person: they must not see the page that was set aside.
        forgetUnsaved();
        leave();
      },
      () => {},
    );
  };
  const enter = () => {
    tellOtherTabs("signed-in");
    somebodyIsBack();
  };
  const open = () => {
    tellOtherTabs("unlocked");
    somebodyIsBack();
  };
  return {
    somebodyIsBack,
    askToSignIn() {
      bringBack();
      putAside(<SignInPage keepsPage onDone={enter} />);
    },
    lock() {
      if (!isAside()) putAside(<LockPage name={name} onOpen={open} />);
    },
  };
}
