/** Names of columns as a person gave them: without what programs that read tables put into them. Pure. */

/** `A...2` and `...3` of readxl, `Unnamed: 2` of pandas. */
export function plainName(name: string): string {
  const trimmed = name.trim()
  if (/^Unnamed: \d+(?:_level_\d+)?$/.test(trimmed) || trimmed === '.') return ''
  return trimmed.replace(/\.\.\.\d+$/, '').trim()
}
