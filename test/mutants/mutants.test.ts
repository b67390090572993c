/** The faults of mutants.ts and mends.ts are places of the program; `npm run mutants` puts each into it. */
import { existsSync, readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { packagePath } from '../../src/package-root.ts'
import { EQUIVALENT } from './equivalent.ts'
import { MENDS } from './mends.ts'
import { type Mutant, MUTANTS } from './mutants.ts'
import { randomFaults, sitesOf } from './random-faults.ts'
import { reasonOf } from './random-run.ts'
import { mutated } from './run.ts'
import { hostsOf, withSwitches } from './switches.ts'

test('each changes one place of the program', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(40)
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
  expect(
    MUTANTS.flatMap((mutant) => faultOf(() => expect(mutated(mutant)).toContain(mutant.instead))),
  ).toEqual([])
})

test('those that were mended change one place each, and name a test', () => {
  expect(new Set([...MUTANTS, ...MENDS].map(({ name }) => name)).size).toBe(MUTANTS.length + MENDS.length)
  const source = ({ file }: { readonly file: string }) => readFileSync(packagePath(file), 'utf8')
  expect(MENDS.flatMap((mend) => faultOf(() => expect(mutated(mend)).not.toBe(source(mend))))).toEqual([])
  const span = (mend: Mutant) => {
    const start = source(mend).indexOf(mend.text)
    return { start, end: start + mend.text.length, to: mend.instead }
  }
  expect(MENDS.filter((mend) => hostsOf(mend.file, source(mend)).of(span(mend)) === undefined)).toEqual([])
  expect(MENDS.filter((mend) => !existsSync(packagePath(mend.test)))).toEqual([])
})

test('random faults are found by a seed, and those that no test can notice are places of the program', () => {
  const take = (seed: number) => randomFaults(packagePath(), 'table/rows', { most: 1000, seed })
  const faults = take(7)
  expect(faults.slice(0, 9)).toEqual(take(7).slice(0, 9))
  expect(faults.slice(0, 9)).not.toEqual(take(8).slice(0, 9))
  for (const { file, start, from, to, text } of faults) {
    const sound = readFileSync(packagePath(file), 'utf8')
    expect([sound.startsWith(from, start), text === '', from === to]).toEqual([true, false, false])
  }
  const named = EQUIVALENT.map(({ file, text, from, to }) => {
    const lines = readFileSync(packagePath(file), 'utf8').split('\n')
    return [
      file,
      lines.filter((line) => line.trim() === text).length,
      reasonOf({ file, text, from, to }) !== undefined,
    ]
  })
  expect(named).toEqual(EQUIVALENT.map(({ file }) => [file, 1, true]))
  expect(reasonOf({ file: 'src/glob.ts', text: '', from: 'some', to: 'every' })).toBeUndefined()
})

const PROGRAM = `import { a } from './a.ts'
export async function f(list: readonly string[], most: number): Promise<'no' | number> {
  let count = 0
  if (list.length > most) return 'no'
  for (const one of list) if (one.startsWith('x') && /^b+$/i.test(one)) count += a(one, most)
  list = list.filter(Boolean)
  await g(\`\${Math.max(count, most)} of\`)
  h(true)
  return list.some(Boolean) ? Number(count.toString()) : 10
}`

test('faults are of every kind, and none changes an import, a type or a key', () => {
  const lines = sitesOf('f.ts', PROGRAM).map(
    ({ kind, start, end, to }) => `${kind}: ${PROGRAM.slice(start, end)} -> ${to}`,
  )
  expect(lines).toEqual([
    'number: 0 -> 1',
    "early-end: if (list.length > most) return 'no' -> void (list.length > most)",
    'condition: list.length > most -> !(list.length > most)',
    'operator: > -> >=',
    "text: 'no' -> ''",
    "condition: one.startsWith('x') && /^b+$/i.test(one) -> !(one.startsWith('x') && /^b+$/i.test(one))",
    'method: startsWith -> endsWith',
    "text: 'x' -> ''",
    'operator: && -> ||',
    'pattern: /^b+$/i -> /b+$/i',
    'pattern: /^b+$/i -> /^b+/i',
    'pattern: /^b+$/i -> /^b+$/',
    'pattern: /^b+$/i -> /^b*$/i',
    'assignment: count += a(one, most) -> void (a(one, most))',
    'arguments: one, most -> most, one',
    'assignment: list = list.filter(Boolean) -> void (list.filter(Boolean))',
    'call: .filter(Boolean) -> ',
    'await: await  -> void ',
    'text:  of -> ',
    'call: h(true) -> void [h, true]',
    'condition: true -> false',
    'condition: list.some(Boolean) -> !(list.some(Boolean))',
    'method: some -> every',
    'number: 10 -> 20',
  ])
})

test('a program with all its faults behind switches does what it does with each of them', () => {
  const program = `
    const seen = []
    const count = (list, most) => {
      if (list.length > most) return 'many'
      for (const one of list) if (one?.name.trim().startsWith('x') && /^x+$/i.test(one.name)) seen.push(one.name)
      return list.some((one) => one === undefined) ? seen.length - 1 : \`\${seen.length} of \${list.length}\`
    }
    seen.push(count([{ name: 'xX' }, { name: ' y' }, { name: 'yx' }], 3))
    seen.push(count([undefined, { name: 'x' }], 2), count([], 0))
    seen.sort()
    seen`
  const sites = sitesOf('f.js', program)
  const outcome = (text: string, now: number) => {
    const isPut = (fault: number) => fault === now
    try {
      return JSON.stringify(runInNewContext(text, { faultSwitch: isPut }))
    } catch (error) {
      return String(error)
    }
  }
  const switched = withSwitches('f.js', program, new Map(sites.entries()), '/nowhere')
  expect(outcome(switched, -1)).toBe(outcome(program, -1))
  expect(sites.length).toBeGreaterThan(20)
  for (const [at, { start, end, to }] of sites.entries())
    expect([at, outcome(switched, at)]).toEqual([
      at,
      outcome(program.slice(0, start) + to + program.slice(end), -1),
    ])
})

/** What is wrong with a place, so that all are named at once. */
function faultOf(check: () => void): string[] {
  try {
    check()
    return []
  } catch (error) {
    return [String(error)]
  }
}
