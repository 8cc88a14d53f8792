// Constructs the services of the calendar.
import { createAppointmentService, type AppointmentServiceDeps } from "./appointment-service.ts";
import { createClosureService, type ClosureServiceDeps, type ClosureWatcher } from "./closure-service.ts";
import { createClosureWork, type ClosedDayWatcher } from "./closure-work.ts";
import { DirectoryService, type DirectoryDeps } from "./directory-service.ts";
import { createFeedService } from "./ical/feed-service.ts";
import { createPlanService } from "./plan-service.ts";
import { createSlotEvents } from "./slot-events.ts";
import { createTrackingService } from "./tracking-service.ts";
import { createWindowService, type WindowServiceDeps } from "./window-service.ts";

export interface CalendarDeps
  extends
    Omit<AppointmentServiceDeps, "slotEvents" | "watchers">,
    Omit<WindowServiceDeps, "slotEvents">,
    DirectoryDeps {
  appointmentWatchers: AppointmentServiceDeps["watchers"];
  closureWatchers: readonly ClosureWatcher[];
  closedDayWatchers: readonly ClosedDayWatcher[];
  callsOut: ClosureServiceDeps["callsOut"];
  /** Notified when a slot may have opened. */
  openings: Parameters<typeof createSlotEvents>[1];
}

export function createCalendar(deps: CalendarDeps) {
  const slotEvents = createSlotEvents(deps.outbox, deps.openings);
  const appointments = createAppointmentService({ ...deps, slotEvents, watchers: deps.appointmentWatchers });
  const windows = createWindowService({ ...deps, slotEvents });
  const closureWork = createClosureWork({ ...deps, slotEvents, appointments: appointments.within });
  return {
    directory: new DirectoryService(deps),
    windows,
    plans: createPlanService({ ...deps, windows }),
    feeds: createFeedService({ ...deps, baseUrl: deps.config.base_url }),
    tracking: createTrackingService({ ...deps, slotEvents }),
    appointments,
    closureWork,
    closures: createClosureService({ ...deps, work: closureWork, windows }),
  };
}
