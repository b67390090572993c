/** Each recipe for another language gives the answers of the command line, and distinguishes failures. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { buildService } from '../../src/service/service.ts'
import { hasProgram } from '../support/programs.ts'
import { runHla, runShell } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const FOLDER = join(import.meta.dirname, '../../docs/recipes')
const recipes = readdirSync(FOLDER).filter((name) => name !== 'README.md')

const hasR = hasProgram('Rscript (r-base-core)', 'Rscript', '--version')
const hasJsonlite =
  hasR && hasProgram('jsonlite for R (r-cran-jsonlite)', 'Rscript', '-e', 'library(jsonlite)')

/** By suffix: the command that runs it, and whether it is installed. */
const LANGUAGES: Readonly<Record<string, readonly [command: string, isHere: (recipe: string) => boolean]>> = {
  py: ['python3', once(() => hasProgram('python3', 'python3', '--version'))],
  R: ['Rscript', (recipe) => (recipe === 'hla_table.R' ? hasR : hasJsonlite)],
}

function once(look: () => boolean): () => boolean {
  const found = look()
  return () => found
}

function commandOf(recipe: string): string {
  return `${LANGUAGES[suffixOf(recipe)]?.[0]} '${join(FOLDER, recipe)}'`
}

const suffixOf = (recipe: string) => recipe.slice(recipe.indexOf('.') + 1)

/** A valid typing, one with a quote, an empty part, a name outside the starter set, and another valid one. */
const TYPINGS = 'A*01:01:01:01+A*02:AB\nHLA-B*07:02^C*07:01\nA*01:01+\n"A*99:99"\nDRB1*15:01\n'

const app = buildService(makeKnowledge(openStarter()))
let url = ''
beforeAll(async () => {
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

describe.for(recipes)('%s', (recipe) => {
  const isHere = LANGUAGES[suffixOf(recipe)]?.[1](recipe) ?? false
  const isService = recipe.includes('service')

  test.skipIf(!isHere).for(['lgx', 'G'])('answers as hla redux -m %s does', async (method) => {
    const expected = await runHla(['redux', '-q', '-m', method, '--with-input'], {
      cwd: temp('.'),
      stdin: TYPINGS,
    })
    const env = { HLA_URL: url, no_proxy: '127.0.0.1' }
    const ran = await runShell(`${commandOf(recipe)} ${method}`, { cwd: temp('.'), env, stdin: TYPINGS })
    expect(ran.stdout).toBe(expected.stdout)
    expect(ran.status).toBe(1)
    expect(ran.stderr).toMatch(/^A\*01:01\+: .*\[empty-part\]/m)
  })

  test.skipIf(!isHere)('ends with 0 when all went well', async () => {
    const env = { HLA_URL: url, no_proxy: '127.0.0.1' }
    const ran = await runShell(commandOf(recipe), { cwd: temp('.'), env, stdin: 'A*01:01:01\n' })
    expect(ran).toEqual({ stdout: 'A*01:01:01\tA*01:01\n', stderr: '', status: 0 })
  })

  test.skipIf(!isHere)('says so when nobody answers', async () => {
    // a release that is not installed; a port without a server
    const env = { HLA_RELEASE: '3.1.0', HLA_URL: 'http://127.0.0.1:9', no_proxy: '127.0.0.1' }
    const ran = await runShell(commandOf(recipe), { cwd: temp('.'), env, stdin: 'A*01:01:01\n' })
    expect(ran.stdout).toBe('')
    expect(ran.status).toBe(isService ? 5 : 3)
    expect(ran.stderr).toMatch(isService ? /cannot ask http:\/\/127\.0\.0\.1:9/ : /status 3$/m)
  })
})

test('every recipe is of a known language, and the page names it', () => {
  const page = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  expect(
    recipes.filter((name) => LANGUAGES[suffixOf(name)] === undefined || !page.includes(`](${name})`)),
  ).toEqual([])
})
