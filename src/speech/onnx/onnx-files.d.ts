// Weights are embedded as files; importing one gives its path.
declare module "*.onnx" {
  const path: string;
  export default path;
}
declare module "*.bin" {
  const path: string;
  export default path;
}
