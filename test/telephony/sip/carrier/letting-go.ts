// Loaded into a worker before its own code: lets a promise go rejected whenever it is told to.
declare const self: Worker;

self.addEventListener("message", ({ data }: MessageEvent<{ type: string }>) => {
  if (data.type === "letGo") void Promise.reject(new TypeError("Meera's number is +919810012345"));
});

export {};
