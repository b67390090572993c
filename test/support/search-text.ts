/** Random searches from the grammar of `q`: several tests of a few kinds, joined and negated. */

export function searchText(random: () => number): string {
  const below = (count: number) => Math.floor(random() * count)
  const kinds = [...Array(1 + below(3)).keys()].map(() => KINDS[below(KINDS.length)] ?? KINDS[0])
  const joins = [[' and '], [' or '], [' and ', ' or ']][below(3)] ?? [' and ']
  const isNot = random() < 0.5
  const isNested = random() < 0.3
  const tests = [...Array(1 + below(300)).keys()].map((at) => {
    const test = kinds[at % kinds.length]?.(below(100)) ?? 'starred'
    return isNot && at % 2 === 0 ? `not ${test}` : test
  })
  let text = ''
  for (const [at, test] of tests.entries()) {
    const part = isNested && at % 2 === 1 ? `(${test} or trashed)` : test
    text += `${at === 0 ? '' : joins[at % joins.length]}${part}`
    if (text.length > 7000) break
  }
  return text
}

const KINDS: readonly ((at: number) => string)[] = [
  () => `'root' in parents`,
  (at) => `title contains 'w${at % 9}'`,
  (at) => `title contains '${'abcdefmnw'[at % 9]}'`,
  (at) =>
    `title contains '${Array(1 + at)
      .fill('m')
      .join(' ')}'`,
  (at) => `fullText contains 'w${at % 9}'`,
  (at) => `fullText contains '"w1 w${at % 9}"'`,
  (at) => `title = 'many ${at}'`,
  (at) => `title != 'many ${at}'`,
  (at) => `mimeType contains 'text/${at}'`,
  (at) => `mimeType != 'text/${at}'`,
  (at) => `fileExtension = 'x${at}'`,
  (at) => `properties has { key='k${at % 3}' and value='v${at}' }`,
  (at) => `properties has { key='k${at}' }`,
  (at) => `visibility = '${['limited', 'anyoneCanFind', 'domainWithLink'][at % 3]}'`,
  (at) => `modifiedDate > '20${10 + (at % 90)}-01-01'`,
  (at) => `lastViewedByMeDate < '20${10 + (at % 90)}-01-01'`,
  (at) => `sharedWithMeDate != '20${10 + (at % 90)}-01-01'`,
  () => 'starred',
  () => 'trashed',
  () => 'sharedWithMe',
  () => `'me' in owners`,
  () => `'lab@example.com' in readers`,
  (at) => `'labels/l${at}' in labels`,
]
