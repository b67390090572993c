/** Runs the Python package's own tests over the installed releases. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installedData } from '../support/installed-data.ts'
import { findPython, PYTHON_SOURCES } from '../support/python.ts'
import { runShell } from '../support/run-hla.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const PACKAGE = join(PYTHON_SOURCES, '..')
// prefers a Python with pandas
const python = findPython('pandas') ?? findPython()

test.skipIf(python === undefined || !hasShared)('passes its tests', async () => {
  const command = `cd '${PACKAGE}' && '${python}' -B -m unittest`
  const env = {
    HLA_DATA_DIR: await installedData(),
    HLA_RECORDED: sharedPath('conformance/dev'),
    PYTHONPATH: PYTHON_SOURCES,
  }
  const { stderr, status } = await runShell(command, { cwd: temp('.'), env })
  expect(stderr).toMatch(/^Ran \d\d tests? in /m)
  expect({ stderr: stderr.replace(/^Ran [\s\S]*/m, ''), status }).toMatchObject({ status: 0 })
  expect(stderr).toMatch(/^OK/m)
})
