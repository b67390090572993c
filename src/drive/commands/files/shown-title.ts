/** Makes titles, which may contain anything, safe to print on a terminal. Pure. */

/** Replaces characters that would end the line or control the terminal with `?`. */
export function shownTitle(title: string): string {
  // oxlint-disable-next-line no-control-regex
  return title.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '?')
}
