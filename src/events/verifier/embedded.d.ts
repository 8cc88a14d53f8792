// Snippets and style sheet, embedded into the binary as text.
declare module "*.py" {
  const text: string;
  export default text;
}
declare module "*.go" {
  const text: string;
  export default text;
}
declare module "*.java" {
  const text: string;
  export default text;
}
declare module "*.php" {
  const text: string;
  export default text;
}
declare module "*.cs" {
  const text: string;
  export default text;
}
declare module "*/verifier/page.css" {
  const text: string;
  export default text;
}
