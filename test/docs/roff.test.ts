/** Man pages as roff: groff's warnings, and the escaping of text. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadPrograms } from '../../src/cli/commands/programs.ts'
import { manualFacts } from '../../src/cli/run/manual/show.ts'
import { generatedFiles } from '../../src/manual/generated-files.ts'
import { toRoff } from '../../src/manual/roff.ts'
import { tempFolder } from '../support/temp.ts'
import { noteSkipped } from '../support/skipped.ts'

const temp = tempFolder()

const hasGroff = spawnSync('groff', ['--version']).status === 0
if (!hasGroff) noteSkipped('man pages are not formatted without groff')
const pages = [...generatedFiles(manualFacts(await loadPrograms()))].filter(([path]) =>
  path.startsWith('man/'),
)

describe.skipIf(!hasGroff)('groff', () => {
  test('has nothing to say about any page', () => {
    // groff's messages name the file
    for (const [path, text] of pages) writeFileSync(temp(basename(path)), text)
    const files = pages.map(([path]) => temp(basename(path)))
    const { stdout, stderr } = groff('', 'ascii', files)
    expect(stderr).toBe('')
    // each page begins with a heading of its own
    expect(stdout.match(/^NAME$/gm)?.length).toBe(pages.length)
  })

  test.for(['ascii', 'utf8'])('prints what can be copied to a shell (%s)', (device) => {
    const command = "hla redux -m G 'A*01:01^B*07:02~C*07:02' -f json"
    const page = {
      name: 'x',
      section: 1,
      summary: 'x',
      blocks: [{ kind: 'session', steps: [{ command, output: '.x\\n' }] }],
    } as const
    expect(groff(toRoff(page, 'hla'), device).stdout).toContain(`$ ${command}\n           .x\\n\n`)
  })
})

function groff(
  text: string,
  device: string,
  files: readonly string[] = [],
): { stdout: string; stderr: string } {
  const { stdout, stderr } = spawnSync(
    'groff',
    ['-man', '-ww', `-T${device}`, '-P-c', '-P-b', '-P-u', ...files],
    { input: text, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  )
  return { stdout, stderr }
}

test('a page is ASCII, whatever it says', () => {
  const wrong = pages.filter(([, text]) => /[^\n\t -~]/.test(text)).map(([path]) => path)
  expect(wrong).toEqual([])
})
