// The dialog of the calendar page. The open task determines its content.
import type { ComponentChildren } from "preact";
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
    // Runs after the dialog has opened, which focuses its close button.
    const find = (selector: string) => content.current?.querySelector<HTMLElement>(selector);
    (find("[data-first]") ?? find("input:not(:disabled), select:not(:disabled), a, button"))?.focus();
  }, [kind]);
  const [title, shown] = task ? partsOf(task, onClose) : ["", null];
  return (
    <Dialog title={title} open={task !== null} onClose={onClose}>
      <div ref={content}>{shown}</div>
    </Dialog>
  );
}

function partsOf(task: Task, onClose: () => void): [title: string, content: ComponentChildren] {
  switch (task.kind) {
    case "new-appointment":
      return [words.newAppointment, <NewAppointment slot={task.slot} from={task.from} />];
    case "appointment":
      return [words.detail, <AppointmentDetail appointment={task.appointment} />];
    case "contact":
      return [words.editContact, <ContactForm appointment={task.appointment} />];
    case "reschedule":
      return [words.reschedule, <Reschedule appointment={task.appointment} />];
    case "status":
      return [statusTasks[task.status].title, <StatusQuestion {...task} onKeep={onClose} />];
    case "remind":
      return [reminderWords.remindTitle, <RemindDialog appointments={task.appointments} day={task.day} />];
    case "new-window":
      return [words.newWindow, <WindowForm window={null} day={task.day} />];
    case "window":
      return [words.changeWindow, <WindowForm window={task.window} day={task.window.day} />];
    case "date":
      return [words.changeDate, <DateForm slot={task.slot} window={task.window} />];
    case "new-windows":
      return [planWords.severalDays, <WindowsForm day={task.day} />];
    case "copy-plan":
      return [planWords.copyPlan, <CopyPlan />];
    case "import-holidays":
      return [planWords.importHolidays, <ImportHolidays />];
    case "close-days":
      return [task.disablesWindow ? words.disable : holidayWords.closeDays, <CloseDays {...task} />];
    case "directory":
      return [words.names, <DirectoryDialog />];
  }
}
