/** The picture of README.md shows the program's output; HLA_UPDATE_DOCS redraws it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installedData } from '../support/installed-data.ts'
import { runShell } from '../support/run-hla.ts'
import { hasShared } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'
import { terminalPicture } from '../support/terminal-picture.ts'

const PICTURE = join(import.meta.dirname, '../../docs/terminal.svg')
const temp = tempFolder()
const DONORS = `id,A_1,A_2,DRB1_1,DRB1_2
D1,01:01:01:01,02:AB,DRB1*15:01,DRB1*03:01
D2,A*24:02:01G,,04:01,DRB1*0701
D3,A*02:01,A*24:329,11:01,13:01
`
const COMMANDS = [
  "hla redux 'A*01:01:01:01+A*02:AB^B*44:02'",
  'cat donors.csv',
  'hla redux -i donors.csv --into replace -o reduced.csv',
  'cat reduced.csv',
]

test.skipIf(!hasShared)(
  'README.md shows a terminal as it is: if this fails, run "npm run docs" and look at docs/terminal.svg',
  async () => {
    const cwd = temp('terminal')
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'donors.csv'), DONORS)
    const session = []
    for (const command of COMMANDS) {
      const env = { HLA_DATA_DIR: await installedData() }
      const { stdout } = await runShell(`(${command}) 2>&1`, { cwd, env })
      session.push({ command, output: stdout })
    }
    const now = terminalPicture('hla reduces a typing and a table, and says which name is wrong', session)
    if (process.env['HLA_UPDATE_DOCS']) writeFileSync(PICTURE, now)
    expect(now).toBe(readFileSync(PICTURE, 'utf8'))
  },
)
