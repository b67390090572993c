/** The files in docs/deploy name options, paths and times that the program has. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeKnowledge } from '../src/operations/knowledge.ts'
import { openStarter } from '../src/reference/starter/open-starter.ts'
import { buildService } from '../src/service/service.ts'
import { runHla } from './support/run-hla.ts'
import { tempFolder } from './support/temp.ts'

const temp = tempFolder()
const ROOT = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(ROOT, 'docs/deploy', name), 'utf8')

/** The words of `hla serve` in each file. */
const COMMANDS: Readonly<Record<string, RegExp>> = {
  Containerfile: /^CMD (\[.*\])$/m,
  'hla.service': /^ExecStart=\S+ (.*)$/m,
  'kubernetes.yaml': /args: (\[.*\])$/m,
}

function wordsIn(name: string): string[] {
  const [, words = ''] = COMMANDS[name]?.exec(read(name)) ?? []
  return words.split(/[\s,]+/).map((word) => word.replace(/^\[?"?|"?\]?$/g, ''))
}

describe.for(Object.keys(COMMANDS))('%s', (name) => {
  test('runs serve with options that it has', async () => {
    const [command, ...words] = wordsIn(name)
    const options = words.filter((word) => word.startsWith('--'))
    const { stdout } = await runHla(['serve', '--help'], { cwd: temp('.') })
    expect(command).toBe('serve')
    expect(options).toContain('--host')
    expect(options.filter((option) => !stdout.includes(`${option} <`))).toEqual([])
  })

  test('asks only for routes that there are', async () => {
    const app = buildService(makeKnowledge(openStarter()))
    const paths = [...read(name).matchAll(/(?:path: |127\.0\.0\.1:8080)(\/\w+)/g)].map(
      ([, path]) => path ?? '',
    )
    const statuses = await Promise.all(paths.map(async (url) => (await app.inject({ url })).statusCode))
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  })
})

test('what the image copies is what the package needs', () => {
  const copied = [...read('Containerfile').matchAll(/^COPY --from=build \/src\/(\S+)/gm)].map(
    ([, path]) => path,
  )
  expect(copied).toEqual(expect.arrayContaining(['package.json', 'bin', 'data', 'dist', 'node_modules']))
})

test('the image has hla on its path, by which workflow engines run it', () => {
  const [, program = '', link = ''] = /^RUN ln -s (\S+) (\S+)$/m.exec(read('Containerfile')) ?? []
  expect([program, link]).toEqual(['/opt/hla/bin/hla.cjs', '/usr/local/bin/hla'])
  expect(read('Containerfile')).toContain(`ENTRYPOINT ["node", "${program}"]`)
})

test('a pod is given longer to end than its requests are', () => {
  const text = read('kubernetes.yaml')
  const seconds = (option: string) => Number(new RegExp(`--drain-${option}, (\\d+)s`).exec(text)?.[1])
  const grace = Number(/terminationGracePeriodSeconds: (\d+)/.exec(text)?.[1])
  expect(grace).toBeGreaterThan(seconds('delay') + seconds('timeout'))
})
