/** Titles as a line of a terminal can show them: theirs may hold anything. Pure. */

/** Signs that would end the line or steer the terminal are shown as `?`. */
export function shownTitle(title: string): string {
  // oxlint-disable-next-line no-control-regex
  return title.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '?')
}
