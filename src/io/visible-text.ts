/**
 * Escaping of text from outside: a column name, file name or answer must not control a terminal or imitate our
 * messages.
 */

// C0 except tab and line feed, DEL, C1, and marks that change the direction of text
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Escapes several lines: the control sequence `\u001b[2J` becomes the characters `\x1b[2J`. */
export function visibleText(text: string): string {
  return text.replace(CONTROL, (character) => {
    const hex = character.charCodeAt(0).toString(16).padStart(2, '0')
    return hex.length > 2 ? `\\u${hex}` : `\\x${hex}`
  })
}

/** Escapes one line: a line feed becomes the characters `\n`. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\n')
}
