/** The style check warns of listed words in changed prose, and never fails. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ticsOf } from '../support/plain-english.ts'
import { tempFolder } from '../support/temp.ts'

const ROOT = join(import.meta.dirname, '../..')
const temp = tempFolder()

const DIFF = `diff --git a/docs/a.md b/docs/a.md
--- a/docs/a.md
+++ b/docs/a.md
@@ -3,0 +4,2 @@
+Whoever asks is told.
+The service answers; \`nobody\` is a name.
diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -8 +9 @@
-old
+const nobody = 1 // told on purpose
`

test('listed words in added prose are named with file, line and advice; code is passed over', () => {
  const words = readFileSync(join(ROOT, '.build/plain-english.txt'), 'utf8')
  const tics = ticsOf(DIFF, words)
  expect(tics.map((tic) => tic.split(': ').slice(0, 2).join(' '))).toEqual([
    'docs/a.md:4 "Whoever"',
    'docs/a.md:4 "is told"',
    'src/a.ts:9 "on purpose"',
  ])
  expect(tics[2]).toContain('leave it out, or give the reason')
})

test('the words are those of the file', () => {
  expect(ticsOf(DIFF, '# comment -> none\nservice -> server\n')).toEqual(['docs/a.md:5: "service": server'])
})

test('the exit status is 0 whatever is found', () => {
  writeFileSync(temp('page.md'), 'Nobody is asked.\n')
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, '.build/plain-english.mjs'), temp('page.md')],
    { encoding: 'utf8' },
  )
  expect(status).toBe(0)
  expect(stderr).toContain('page.md:1: "Nobody"')
})

test('npm run check runs it last', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: { check: string }
  } // the format of npm's output
  expect(scripts.check).toMatch(/ && node \.build\/plain-english\.mjs$/)
})
