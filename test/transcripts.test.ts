/** The whole program against the session files in test/transcripts: stdout, stderr and exit status, exactly. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasShared } from './support/shared.ts'
import { IS_QUICK } from './support/rounds.ts'
import { RUN_FOLDER } from './support/run-hla.ts'
import { canDropRights, needsOf, replay } from './support/session.ts'

const SESSIONS = join(import.meta.dirname, 'transcripts')

describe.concurrent('transcripts', () => {
  const files = readdirSync(SESSIONS)
    .filter((name) => name.endsWith('.session'))
    .toSorted()
  const sessions = files.map((file) => [file, readFileSync(join(SESSIONS, file), 'utf8')] as const)
  // installing releases takes longer than the other quick tests together
  const quick = sessions
    .filter(([, session]) => needsOf(session).length === 0)
    .filter((_, at) => at % 3 === 1)
  for (const [file, session] of IS_QUICK ? quick : sessions) {
    test.skipIf(!canRun(session))(`${file} is as written`, async () => {
      const now = await replay(session, join(RUN_FOLDER, 'sessions', file))
      // writes the current output: read the difference before you commit it
      if (process.env['HLA_UPDATE_SESSIONS']) writeFileSync(join(SESSIONS, file), now)
      else expect(now).toBe(session)
      expect(now).not.toMatch(/^(! )? +at .*[:(]\d+|internal error/m)
    })
  }
})

function canRun(session: string): boolean {
  const needs = needsOf(session)
  if (needs.includes('terminal') && !hasScript()) return false
  if (needs.includes('unprivileged') && !canDropRights()) return false
  return hasShared || !needs.includes('releases')
}

/** script(1) of util-linux gives a command a terminal. */
function hasScript(): boolean {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux')
  } catch {
    return false
  }
}
