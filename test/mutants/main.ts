/** `npm run mutants`: every mutant, some at a time; exit status 1 when one is not caught. `npm run mutants -- WORD` takes those with it. */
import { availableParallelism } from 'node:os'
import { type Mutant, MUTANTS } from './mutants.ts'
import { makeBattery } from './run.ts'

const wanted = process.argv[2] ?? ''

await main()

async function main(): Promise<void> {
  const battery = makeBattery()
  const rest = MUTANTS.filter(({ name, file }) => `${name} ${file}`.includes(wanted))
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
  process.stdout.write(survived === 0 ? 'all are caught\n' : `${survived} are not caught\n`)
  process.exitCode = survived === 0 ? 0 : 1
}

function tell({ name, file }: Mutant, caught: string): void {
  const how = caught === '' ? 'NOT CAUGHT' : caught.replaceAll(/\s+/g, ' ').slice(0, 120)
  process.stdout.write(`${name} (${file})\t${how}\n`)
}
