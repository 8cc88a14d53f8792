// Script and style sheet of the API reference, embedded as text.
declare module "*/start.js" {
  const text: string;
  export default text;
}
declare module "*/swagger.css" {
  const text: string;
  export default text;
}
