/**
 * `npm run mutants`: runs every mutant, several at a time; exit status 1 if one is not caught.
 * `npm run mutants -- WORD` selects mutants by name or file.
 * `npm run mutants -- --random N [--in FOLDER] [--kind KIND] [--seed S] [--jobs J]`: N random faults in all of `src` or below
 * `src/FOLDER`, each against the tests of its wing that run its place, in J copies of the project. Lists what became of each.
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MENDS } from './mends.ts'
import { type Mutant, MUTANTS } from './mutants.ts'
import { type Fault, randomFaults, sourceFolders } from './random-faults.ts'
import { judgeFaults, judgeMends, type Outcome } from './random-run.ts'
import { makeBattery } from './run.ts'

const ROOT = join(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    random: { type: 'string' },
    in: { type: 'string' },
    kind: { type: 'string' },
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
  const outcomes = await judgeFaults(ROOT, faults, Number(values.jobs), report)
  const count = (is: Outcome['is'], run?: string) =>
    outcomes.filter((one) => one.is === is && (run === undefined || ('run' in one && one.run === run))).length
  process.stdout.write(
    `\n${count('noticed')} noticed (${count('noticed', 'npm test')} by npm test, ${count('noticed', 'a merge')} by a merge), ${count('survived')} survived, ${count('not reached')} not reached, ${count('equivalent')} equivalent, ${count('refused')} refused by the compiler\n`,
  )
  process.exitCode = count('survived') + count('not reached') === 0 ? 0 : 1
}

function report({ kind, file, line, from, to }: Fault, outcome: Outcome): void {
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 80)
  process.stdout.write(`${file}:${line}\t${kind}\t${short(from)}\t${short(to)}\t${outcomeText(outcome)}\n`)
}

function outcomeText(outcome: Outcome): string {
  switch (outcome.is) {
    case 'noticed':
      return `${outcome.run}: ${outcome.by.slice(0, 300)}`
    case 'equivalent':
      return `equivalent: ${outcome.reason}`
    case 'survived':
      return 'SURVIVED'
    case 'not reached':
      return 'NOT REACHED'
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

/** Each meets the test named beside it. */
async function listedInTests(isWanted: (mutant: Mutant) => boolean): Promise<number> {
  const wanted = MENDS.filter(isWanted)
  if (wanted.length === 0) return 0
  const noticed = await judgeMends(ROOT, wanted, Number(values.jobs), tell)
  for (const mend of wanted) if (!noticed.has(mend)) tell(mend, '')
  return wanted.length - noticed.size
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
