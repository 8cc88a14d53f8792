// The engine is embedded as files; importing one gives its path.
declare module "@lichess-org/vosk-browser/dist/vosk.wasm" {
  const path: string;
  export default path;
}
declare module "@lichess-org/vosk-browser/dist/vosk.worker.js" {
  const path: string;
  export default path;
}
