/**
 * `npm run mutants`: runs every mutant, several at a time; exit status 1 if one is not caught.
 * `npm run mutants -- WORD` selects mutants by name or file.
 * `npm run mutants -- --random N [--in FOLDER] [--kind KIND] [--seed S] [--jobs J] [--reached FOLDER]`: N random faults in
 * all of `src` or below `src/FOLDER`, in J copies of the project: each against the tests of its wing that run its place, then, if none notices it, against all others. What they run is
 * read from the folder, where a whole run of the tests writes it first unless it exists. Lists what became of each.
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { MENDS } from './mends.ts'
import { type Mutant, MUTANTS } from './mutants.ts'
import { type Fault, randomFaults, sourceFolders } from './random-faults.ts'
import { noteReached, readReached } from './reached.ts'
import { isOfWing, makeCopy, type Outcome, type TestRun } from './random-run.ts'
import { makeBattery, mutated } from './run.ts'
import { randomNumbers } from '../support/random-numbers.ts'

const ROOT = join(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    random: { type: 'string' },
    in: { type: 'string' },
    kind: { type: 'string' },
    reached: { type: 'string', default: 'node_modules/.cache/reached' },
    seed: { type: 'string', default: '20261127' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  },
})

// ends copies and tests under way
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

await (values.random === undefined ? listed(positionals[0] ?? '') : random(Number(values.random)))

async function random(most: number): Promise<void> {
  const folders = values.in === undefined ? sourceFolders(ROOT) : [values.in]
  const seed = Number(values.seed)
  const faults = folders.flatMap((folder, at) => {
    const share = Math.floor((most * (at + 1)) / folders.length) - Math.floor((most * at) / folders.length)
    return randomFaults(ROOT, folder, { most: share, seed, kind: values.kind })
  })
  const folder = resolve(values.reached)
  if (!existsSync(join(folder, 'files.json'))) await noteReached(ROOT, folder)
  const reach = readReached(ROOT, folder)
  const testsOf = (fault: Fault, isOwn: boolean) =>
    reach.testsOf(fault).filter((test) => isOfWing(test, fault.file) === isOwn)
  const byOwn = await judgeAll(inRandomOrder(faults, seed), (fault) => testsOf(fault, true))
  process.stdout.write('\nThose that the tests of their wing do not notice meet all others:\n')
  const left = byOwn.filter(({ outcome }) => outcome.is === 'survived').map(({ fault }) => fault)
  const byOthers = await judgeAll(left, (fault) => testsOf(fault, false))
  const count = (judged: readonly Judged[], is: Outcome['is'], run?: TestRun) =>
    judged.filter(({ outcome }) => outcome.is === is && (run === undefined || ('run' in outcome && outcome.run === run))).length // prettier-ignore
  process.stdout.write(
    `\n${count(byOwn, 'noticed')} noticed by the tests of their wing (${count(byOwn, 'noticed', 'npm test')} by npm test, ${count(byOwn, 'noticed', 'a merge')} by a merge), ${count(byOthers, 'noticed')} by others, ${count(byOthers, 'survived')} survived, ${count(byOwn, 'equivalent')} equivalent, ${count(byOwn, 'refused')} refused by the compiler\n`,
  )
  process.exitCode = count(byOthers, 'survived') === 0 ? 0 : 1
}

interface Judged {
  readonly fault: Fault
  readonly outcome: Outcome
}

/** Several at a time, each in a copy of its own. */
async function judgeAll(
  faults: readonly Fault[],
  testsOf: (fault: Fault) => readonly string[],
): Promise<Judged[]> {
  const rest = [...faults]
  const judged: Judged[] = []
  const next = async (): Promise<void> => {
    const copy = makeCopy(ROOT)
    try {
      for (let fault = rest.shift(); fault !== undefined; fault = rest.shift()) {
        const outcome = await copy.judge(fault, testsOf(fault))
        judged.push({ fault, outcome })
        report(fault, outcome)
      }
    } finally {
      copy.end()
    }
  }
  await Promise.all(Array.from({ length: Math.min(rest.length, Number(values.jobs)) }, next))
  return judged
}

/** A run that is ended early has judged some of all folders. */
function inRandomOrder(faults: readonly Fault[], seed: number): Fault[] {
  const random = randomNumbers(seed)
  const keyed = faults.map((fault) => ({ fault, key: random() }))
  return keyed.toSorted((one, other) => one.key - other.key).map(({ fault }) => fault)
}

function report({ kind, file, line, from, to }: Fault, outcome: Outcome): void {
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 80)
  process.stdout.write(`${file}:${line}\t${kind}\t${short(from)}\t${short(to)}\t${outcomeText(outcome)}\n`)
}

function outcomeText(outcome: Outcome): string {
  switch (outcome.is) {
    case 'noticed':
      return `${outcome.run}: ${outcome.by.slice(0, 150)}\t${outcome.message.slice(0, 150)}`
    case 'equivalent':
      return `equivalent: ${outcome.reason}`
    case 'survived':
      return 'SURVIVED'
    case 'refused':
      return 'refused by the compiler'
  }
}

async function listed(wanted: string): Promise<void> {
  const isWanted = ({ name, file }: Mutant) => `${name} ${file}`.includes(wanted)
  const survived = (await listedInBattery(MUTANTS.filter(isWanted))) + (await listedInTests(isWanted))
  process.stdout.write(survived === 0 ? 'all are caught\n' : `${survived} are not caught\n`)
  process.exitCode = survived === 0 ? 0 : 1
}

/** Runs each with the test named beside it. */
async function listedInTests(isWanted: (mutant: Mutant) => boolean): Promise<number> {
  const wanted = MENDS.filter(isWanted)
  if (wanted.length === 0) return 0
  const copy = makeCopy(ROOT)
  let survived = 0
  try {
    for (const mend of wanted) {
      const isCaught = await copy.failsWith({ file: mend.file, source: mutated(mend) }, mend.test)
      if (!isCaught) survived += 1
      tell(mend, isCaught ? mend.test : '')
    }
  } finally {
    copy.end()
  }
  return survived
}

async function listedInBattery(mutants: readonly Mutant[]): Promise<number> {
  const rest = [...mutants]
  if (rest.length === 0) return 0
  const battery = makeBattery()
  let survived = 0
  try {
    const sound = await battery.run()
    if (sound !== '') throw new Error(`the battery fails without a mutant: ${sound}`)
    const next = async (): Promise<void> => {
      for (let mutant = rest.shift(); mutant !== undefined; mutant = rest.shift()) {
        const caught = await battery.run(mutant)
        if (caught === '') survived += 1
        tell(mutant, caught)
      }
    }
    await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, next))
  } finally {
    battery.end()
  }
  return survived
}

function tell({ name, file }: Mutant, caught: string): void {
  const how = caught === '' ? 'NOT CAUGHT' : caught.replaceAll(/\s+/g, ' ').slice(0, 120)
  process.stdout.write(`${name} (${file})\t${how}\n`)
}
