/** A single answer loads no part of Node that takes as long to load as to answer (docs/adr/0003). */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { packagePath } from '../../src/package-root.ts'

/** What the program has of Node at its end, with the command line of hla or with nothing. */
function partsOf(words: readonly string[] | undefined): Set<string> {
  const program = JSON.stringify(packagePath('bin/hla.cjs'))
  const script = `process.on('exit', () => require('fs').writeSync(2, process.moduleLoadList.join('\\n')))
${words === undefined ? '' : `process.argv.splice(1, 0, ${program}); require(${program})`}`
  const args = ['-e', script, ...(words === undefined ? [] : ['--', ...words])]
  const text = execFileSync('bash', ['-c', '"$0" "$@" 2>&1 >/dev/null', process.execPath, ...args], {
    encoding: 'utf8',
  })
  return new Set([...text.matchAll(/^NativeModule (.*)$/gm)].map(([, name = '']) => name))
}

test('hla redux', () => {
  const before = partsOf(undefined)
  const loaded = [...partsOf(['redux', '-m', 'G', 'A*01:01+A*02:01'])].filter((name) => !before.has(name))
  expect(loaded.filter((name) => !['vm', 'process', 'os'].includes(name))).toEqual([])
})
