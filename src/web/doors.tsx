// What stands before the pages: whoever comes back to a page that was put aside finds it as it was, if it is theirs.
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
        // Somebody else: what is aside is not theirs.
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
