/** py-ard's command lines, and those of hla that answer the same. Pure. */
import { parsesAsTyping } from './typing-words.ts'

/** Options that are questions of their own, with a typing as value -> words of hla. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  cwd: ['cwd'],
  splits: ['splits'],
  similar: ['similar'],
  'expand-mac': ['mac'],
  'lookup-mac': ['mac'],
  'expand-xx': ['mac', '--xx'],
  expand: ['mac', '--xx'],
  'expand-mac-hats': ['mac', '--hats'],
}

/** Options with a value -> option of hla. */
const VALUES: Readonly<Record<string, string>> = {
  'redux-type': '-m',
  'imgt-version': '-r',
  'data-dir': '--data-dir',
}

/** Options without a value -> words of hla. */
const FLAGS: Readonly<Record<string, readonly string[]>> = { 'non-strict': ['--no-strict'], verbose: ['-v'] }

const LONG: Readonly<Record<string, string>> = {
  g: 'gl',
  r: 'redux-type',
  i: 'imgt-version',
  d: 'data-dir',
  v: 'version',
}

/**
 * Line of hla for the words behind `pyard`; undefined where py-ard has no such line. Without `-r` py-ard prints every
 * method.
 */
export function pyardLine(words: readonly string[]): string[] | undefined {
  let [question, typing]: [readonly string[] | undefined, string | undefined] = [undefined, undefined]
  const options: string[] = []
  const rest = words.flatMap((word) => (/^--[^=]+=/.test(word) ? word.split(/=(.*)/s, 2) : [word]))
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    const name = word.startsWith('--') ? word.slice(2) : (LONG[word.replace(/^-/, '')] ?? '')
    if (name === 'version') return ['version']
    if (name === 'validate') question = ['validate']
    else if (FLAGS[name] !== undefined) options.push(...(FLAGS[name] ?? []))
    else {
      const value = rest[(at += 1)]
      if (value === undefined || !word.startsWith('-')) return undefined
      if (name === 'imgt-version' && !RELEASE.test(value)) return undefined
      if (VALUES[name] !== undefined) options.push(VALUES[name] ?? '', value)
      else if (name === 'gl' || QUESTIONS[name] !== undefined) {
        question ??= QUESTIONS[name]
        typing = value
      } else return undefined
    }
  }
  if (typing === undefined) return undefined
  if (question !== undefined) return [...question, ...options, typing]
  return ['redux', ...(options.includes('-m') ? [] : ['-m', 'all']), ...options, typing]
}

/** True for options of py-ard in a line that does not name the program: `-g 'A*01:01' -r lgx`. */
export function mayBePyard(words: readonly string[]): boolean {
  return words.some((word, at) => {
    const [name = '', value = words[at + 1] ?? ''] = word.split(/=(.*)/s, 2)
    // in hla these name columns of a table
    if (['-g', '--gl'].includes(name)) return value.includes('*') && parsesAsTyping(value)
    return name.startsWith('--') && QUESTIONS[name.slice(2)] !== undefined
  })
}

const RELEASE = /^(?:v?\d\.\d{1,2}(?:\.\d)?|\d{4})$/

/** Line of hla for another program of py-ard; undefined for none of them. */
export function pyardProgram(program: string, rest: readonly string[]): string[] | undefined {
  const valueOf = (...names: readonly string[]) => rest[rest.findIndex((word) => names.includes(word)) + 1]
  const has = (name: string) => rest.includes(name)
  const data = has('-d') ? ['--data-dir', valueOf('-d') ?? ''] : []
  switch (program) {
    case 'pyard':
    case 'py-ard':
      return ['help', 'migrate']
    case 'pyard-status':
      return ['data', 'list', ...data]
    case 'pyard-import': {
      if (has('--list')) return ['data', 'list', '--available']
      if (has('--refresh-mac')) return ['data', 'mac', ...data]
      const release = rest.find((word) => RELEASE.test(word)) ?? 'latest'
      const force = has('--re-install') ? ['--force'] : []
      return ['data', 'install', release, ...force, ...(has('--skip-mac') ? ['--no-mac'] : []), ...data]
    }
    case 'pyard-reduce-csv':
    case 'pyard-csv-reduce': {
      const [file] = has('-c') || has('--config') ? [valueOf('-c', '--config')] : []
      if (file === undefined) return ['help', 'tables']
      const release = valueOf('-i', '--imgt-version')
      const asked = has('-i') || has('--imgt-version') ? ['-r', release ?? ''] : []
      return ['redux', '--pyard-config', file, ...asked, ...data, ...(has('-q') ? ['-q'] : [])]
    }
    default:
      return undefined
  }
}
