/** How many there are of something. */

/** `1 user`, `2 users`, `3 entries` */
export function describeCount(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count.toLocaleString('en')} ${what.replace(/y$/, 'ie')}s`
}
