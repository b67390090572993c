/** Ctrl-C during a run: the exit status shows it, and no partial file is left. */
import { mkdirSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { runHla } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()

function folder(name: string): string {
  mkdirSync(temp(name))
  return temp(name)
}

describe.concurrent('a signal', () => {
  test.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    '%s while stdin is read ends with %i, and the part of a file is removed',
    async ([signal, status]) => {
      const cwd = folder(signal)
      // the message about the wrong typing shows that the run has begun
      const ran = await runHla(['redux', '-q', '-o', 'out.txt'], { cwd, stdin: 'A*99:99\n', signal })
      expect(ran).toMatchObject({ status, stdout: '' })
      expect(ran.stderr).toMatch(/^hla: error: .*\[starter\]$/m)
      expect(ran.stderr).not.toContain('at ')
      expect(readdirSync(cwd)).toEqual([])
    },
  )

  test('keeps the answers that were given before it', async () => {
    const stdin = 'A*01:01:01\nB*07:02:01\n'
    const ran = await runHla(['redux', '-q'], { cwd: folder('given'), stdin, signal: 'SIGINT' })
    expect(ran).toEqual({ status: 130, stdout: 'A*01:01\nB*07:02\n', stderr: '' })
  })

  test('ends the co-process, which answers each request at once', async () => {
    const stdin = '{"op":"ard","allele":"A*01:01"}\n'
    const ran = await runHla(['pipe', '-q', '-r', 'starter'], {
      cwd: folder('pipe'),
      stdin,
      signal: 'SIGINT',
    })
    expect(ran.status).toBe(130)
    expect(ran.stdout).toMatch(/^\{"allele":"A\*01:01","ard":"A\*01:01",.*\}\n$/)
  })
})
