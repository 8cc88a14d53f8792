// A page can be put aside: it leaves the document with everything in it, and only this tab's memory keeps it, until the
// person it belongs to is back. What was typed is not lost, and nobody else finds a patient on the screen.
import { render, type ComponentChild } from "preact";
import { catchUp } from "./change-stream.ts";

let page: HTMLElement | null = null;
let door: HTMLElement | null = null;
let title = "";

export function isAside(): boolean {
  return page !== null;
}

/** Shows `instead` in the page's place. */
export function putAside(instead: ComponentChild): void {
  const app = document.getElementById("app");
  if (page !== null || !app) return;
  page = app;
  title = document.title;
  door = document.createElement("div");
  app.replaceWith(door);
  render(instead, door);
}

export function bringBack(): void {
  if (!page || !door) return;
  render(null, door);
  door.replaceWith(page);
  // A dialog that left the document is no longer above the page; showing it anew asks nobody to close it first.
  for (const dialog of page.querySelectorAll("dialog[open]")) {
    dialog.removeAttribute("open");
    if (dialog instanceof HTMLDialogElement) dialog.showModal();
  }
  document.title = title;
  page = door = null;
  catchUp();
}
