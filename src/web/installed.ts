// Registers the service worker, which shows a page of ours instead of the browser's error while the appliance does not
// answer. See dashboard/installed.

/** Browsers allow it over HTTPS with a certificate they trust, and on the machine itself. */
export function openOffline(): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("/dashboard/worker.js", { scope: "/dashboard" }).catch(() => {});
}
