// Whether rules hold calls in a test world. By default they hold none, so that a test about something else does not
// depend on its clock.
export const UNENFORCED = { RINGWARD_RULES__ENFORCE: "false" };
export const ENFORCED = { RINGWARD_RULES__ENFORCE: "true" };
