/** Patterns of titles: `*` any signs, `?` one, `[ab]` one of these. Pure. */

export function isGlob(text: string): boolean {
  return /[*?[]/.test(text)
}

export function globTest(pattern: string): (title: string) => boolean {
  const source = pattern.replaceAll(/\*|\?|\[([^\]]+)\]|[^*?[]+|\[/g, (piece, choice: string | undefined) => {
    if (piece === '*') return '[^]*'
    if (piece === '?') return '[^]'
    return choice === undefined ? escaped(piece) : classOf(choice)
  })
  const test = new RegExp(`^${source}$`, 'u')
  return (title) => test.test(title)
}

/** `[!a-c]` is any other. */
function classOf(choice: string): string {
  const isOther = choice.startsWith('!')
  const signs = (isOther ? choice.slice(1) : choice).replaceAll(/[\\^[\]&~]/g, '\\$&')
  return `[${isOther ? '^' : ''}${signs}]`
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
