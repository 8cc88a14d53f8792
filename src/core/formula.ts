// Detects text that a spreadsheet would run as a formula.

/**
 * A spreadsheet treats a cell with this prefix as a formula, including leading blanks, full-width signs (U+FF1D,
 * U+FF0B, U+FF0D, U+FF20) and small ones (U+FE62 to U+FE6B). A telephone number is not a formula.
 */
const FORMULA = /^(?:[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]|[\t\r\n])/u;
const TELEPHONE_NUMBER = /^\+\d+$/;

export const isFormula = (text: string): boolean => FORMULA.test(text) && !TELEPHONE_NUMBER.test(text);
