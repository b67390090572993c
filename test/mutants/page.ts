/** Generates docs/mutants.md from the table. */
import { MENDS } from './mends.ts'
import { MUTANTS } from './mutants.ts'

export function mutantsPage(): string {
  const rows = MUTANTS.map(({ name, file }) => `| ${name} | \`${file.replace('src/', '')}\` |`)
  const mends = MENDS.map(
    ({ name, file, test }) => `| ${name} | \`${file.replace('src/', '')}\` | \`${test}\` |`,
  )
  return `# Faults that the tests notice

A test that passes whatever the program does is worse than none. So ${MUTANTS.length} small faults are put into the engine and the operations, one
at a time, and each must be caught by a quick battery: every sixth name and every group of release 3.44.0 by every method, GL
Strings, switches and operations, against answers that \`test/support/independent\` computes from the published files without our
code; what operations print, against rows of the documentation; and the end of \`explain\` against \`redux\`.

\`npm run mutants\` runs all of them, \`npm run mutants -- serology\` those with that word; it says which check caught each, and ends
with exit status 1 if one was not. It takes about three minutes of one processor. The ordinary suite runs some.

The list is \`test/mutants/mutants.ts\`; this page is made from it. A fault that was found in use and that no test had noticed belongs here.

| fault | in |
|---|---|
${rows.join('\n')}

## Random faults
\`npm run mutants -- --random 20 --in table\` puts faults of eleven kinds anywhere into the program, runs the tests of its wing, and says which run notices each:
\`npm test\` or a merge. Only a failing test that passes without the fault counts. \`test/mutants/equivalent.ts\` names faults that no test can notice, with their reasons.

## Faults that were mended
${MENDS.length} faults that strangers found in use, put back one at a time. Each is noticed by the test beside it.

| fault | in | noticed by |
|---|---|---|
${mends.join('\n')}
`
}
