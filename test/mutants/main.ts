/**
 * `npm run mutants`: runs every mutant, several at a time; exit status 1 if one is not caught.
 * `npm run mutants -- WORD` selects mutants by name or file.
 * `npm run mutants -- --random N [--wing W] [--seed S] [--jobs J]`: N random faults in all of `src` or below `src/W`,
 * against the tests that reach them, in J copies of the project; lists the survivors.
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MENDS } from './mends.ts'
import { type Mutant, MUTANTS } from './mutants.ts'
import { type Fault, randomFaults, wings } from './random-faults.ts'
import { makeCopy, type Outcome } from './random-run.ts'
import { makeBattery, mutated } from './run.ts'

const ROOT = join(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    random: { type: 'string' },
    wing: { type: 'string' },
    seed: { type: 'string', default: '20261127' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  },
})

await (values.random === undefined ? listed(positionals[0] ?? '') : random(Number(values.random)))

async function random(most: number): Promise<void> {
  const asked = values.wing === undefined ? wings(ROOT) : [values.wing]
  const seed = Number(values.seed)
  const faults = asked.flatMap((wing, at) => {
    const share = Math.floor((most * (at + 1)) / asked.length) - Math.floor((most * at) / asked.length)
    return randomFaults(ROOT, wing, { most: share, seed })
  })
  const counts = { noticed: 0, equivalent: 0, refused: 0, survived: 0 }
  const next = async (): Promise<void> => {
    const copy = makeCopy(ROOT)
    try {
      for (let fault = faults.shift(); fault !== undefined; fault = faults.shift()) {
        const outcome = await copy.judge(fault)
        counts[outcome.is] += 1
        report(fault, outcome)
      }
    } finally {
      copy.end()
    }
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, next))
  process.stdout.write(
    `${counts.noticed} noticed, ${counts.survived} survived, ${counts.equivalent} equivalent, ${counts.refused} refused by the compiler\n`,
  )
  process.exitCode = counts.survived === 0 ? 0 : 1
}

function report({ file, line, from, to }: Fault, outcome: Outcome): void {
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 80)
  process.stdout.write(`${file}:${line}\t${short(from)}\t${short(to)}\t${short(outcomeText(outcome))}\n`)
}

function outcomeText(outcome: Outcome): string {
  switch (outcome.is) {
    case 'noticed':
      return `noticed by ${outcome.by}`
    case 'equivalent':
      return `equivalent: ${outcome.reason}`
    case 'survived':
      return `SURVIVED ${outcome.after} s`
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
