// The one dialog of the calendar page: which task is open decides what it holds.
import { useEffect, useRef } from "preact/hooks";
import { Dialog } from "../../kit/dialog.tsx";
import { AppointmentDetail, ContactForm, StatusQuestion } from "./appointment-dialogs.tsx";
import { NewAppointment, Reschedule } from "./booking-dialogs.tsx";
import type { Task } from "./calendar-context.ts";
import { CloseDays } from "./close-days.tsx";
import { CopyPlan } from "./copy-plan.tsx";
import { DateForm } from "./date-form.tsx";
import { DirectoryDialog } from "./directory-dialog.tsx";
import { RemindDialog } from "./reminders/remind-dialog.tsx";
import { words as reminderWords } from "./reminders/words.ts";
import { ImportHolidays } from "./import-holidays.tsx";
import { WindowForm } from "./window-form.tsx";
import { WindowsForm } from "./windows-form.tsx";
import { statusTasks, holidayWords, planWords, words } from "./words.ts";

export function TaskDialog({ task, onClose }: { task: Task | null; onClose: () => void }) {
  const content = useRef<HTMLDivElement>(null);
  const kind = task?.kind;
  useEffect(() => {
    // After the dialog has opened, which puts the focus on its close button.
    const find = (selector: string) => content.current?.querySelector<HTMLElement>(selector);
    (find("[data-first]") ?? find("input:not(:disabled), select:not(:disabled), a, button"))?.focus();
  }, [kind]);
  return (
    <Dialog title={task ? titleOf(task) : ""} open={task !== null} onClose={onClose}>
      <div ref={content}>{task && contentOf(task, onClose)}</div>
    </Dialog>
  );
}

function titleOf(task: Task): string {
  switch (task.kind) {
    case "new-appointment":
      return words.newAppointment;
    case "appointment":
      return words.detail;
    case "contact":
      return words.editContact;
    case "reschedule":
      return words.reschedule;
    case "status":
      return statusTasks[task.status].title;
    case "remind":
      return reminderWords.remindTitle;
    case "new-window":
      return words.newWindow;
    case "window":
      return words.changeWindow;
    case "date":
      return words.changeDate;
    case "new-windows":
      return planWords.severalDays;
    case "copy-plan":
      return planWords.copyPlan;
    case "import-holidays":
      return planWords.importHolidays;
    case "close-days":
      return task.disablesWindow ? words.disable : holidayWords.closeDays;
    case "directory":
      return words.names;
  }
}

function contentOf(task: Task, onClose: () => void) {
  switch (task.kind) {
    case "new-appointment":
      return <NewAppointment slot={task.slot} from={task.from} />;
    case "appointment":
      return <AppointmentDetail appointment={task.appointment} />;
    case "contact":
      return <ContactForm appointment={task.appointment} />;
    case "reschedule":
      return <Reschedule appointment={task.appointment} />;
    case "status":
      return <StatusQuestion appointment={task.appointment} status={task.status} onKeep={onClose} />;
    case "remind":
      return <RemindDialog appointments={task.appointments} day={task.day} />;
    case "new-window":
      return <WindowForm window={null} day={task.day} />;
    case "window":
      return <WindowForm window={task.window} day={task.window.day} />;
    case "date":
      return <DateForm slot={task.slot} window={task.window} />;
    case "new-windows":
      return <WindowsForm day={task.day} />;
    case "copy-plan":
      return <CopyPlan />;
    case "import-holidays":
      return <ImportHolidays />;
    case "close-days":
      return <CloseDays {...task} />;
    case "directory":
      return <DirectoryDialog />;
  }
}
