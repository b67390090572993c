/** The Slurm array script: under Slurm if it can run here, and always under a stand-in that sets the array index. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { hasProgram } from '../support/programs.ts'
import { runShell } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'
import { expectAsOneRun, JOIN, SPLIT, WORKFLOWS, writeDonors } from '../support/workflow.ts'
import { noteSkipped } from '../support/skipped.ts'

const temp = tempFolder()
const SCRIPTS = join(WORKFLOWS, 'slurm')
const CLUSTER = join(import.meta.dirname, '../support/slurm.sh')
const cluster = temp('cluster')
mkdirSync(cluster)
const configuration = startCluster()

/** undefined if Slurm is not available, which is reported. */
function startCluster(): string | undefined {
  const isThere = hasProgram(
    'slurm-wlm, as root',
    'bash',
    '-c',
    '[ $UID = 0 ] && command -v slurmctld && command -v slurmd',
  )
  if (!isThere) return undefined
  const { status, stdout, stderr } = spawnSync('bash', [CLUSTER, 'start', cluster], { encoding: 'utf8' })
  if (status !== 0) noteSkipped(`tests that need Slurm, which does not start here: ${stderr}`)
  return status === 0 ? stdout.trim() : undefined
}

afterAll(() => {
  if (configuration !== undefined) execFileSync('bash', [CLUSTER, 'stop', cluster])
})

describe('the Slurm array script', () => {
  test('converts the part that its task id names', async () => {
    const cwd = temp('stand-in')
    mkdirSync(cwd)
    writeDonors(join(cwd, 'donors.csv'), 2000)
    const ran = await runShell(
      `${SPLIT} donors.csv work/in 3 && mkdir work/out &&
       for SLURM_ARRAY_TASK_ID in 2 1 3; do
         export SLURM_ARRAY_TASK_ID; '${join(SCRIPTS, 'convert-part.sh')}' work -m lgx 2> /dev/null || exit
       done && ${JOIN} work/in work/out donors.lgx.csv`,
      { cwd },
    )
    expect(ran).toMatchObject({ status: 0, stdout: '' })
    await expectAsOneRun(cwd, 'donors.csv', 'donors.lgx.csv')
  })

  test.skipIf(configuration === undefined)('is run by Slurm, and the parts joined', async () => {
    const cwd = temp('cluster-run')
    mkdirSync(cwd)
    writeDonors(join(cwd, 'donors.csv'), 20_000)
    const env = { SLURM_CONF: configuration ?? '' }
    const ran = await runShell(
      `'${join(SCRIPTS, 'convert-table.sh')}' donors.csv donors.lgx.csv 4 -m lgx &&
       for i in $(seq 300); do [ -n "$(squeue -h)" ] || break; sleep 0.2; done; cat donors.lgx.csv.parts/log/* >&2; squeue`,
      { cwd, env },
    )
    expect(ran.stdout).toMatch(/^parts: job \d+; join: job \d+; logs: /)
    expect(ran.stderr).toMatch(/donors\.lgx\.csv: 20000 rows, \d+ typings, \d+ failed; 4 parts/)
    await expectAsOneRun(cwd, 'donors.csv', 'donors.lgx.csv')
  })

  test.skipIf(configuration === undefined)('joins nothing when a part fails', async () => {
    const cwd = temp('cluster-fails')
    mkdirSync(cwd)
    writeDonors(join(cwd, 'donors.csv'), 200)
    const env = { SLURM_CONF: configuration ?? '' }
    const ran = await runShell(
      `'${join(SCRIPTS, 'convert-table.sh')}' donors.csv out.csv 2 -l A=none > /dev/null &&
       for i in $(seq 300); do [ -n "$(squeue -h)" ] || break; sleep 0.2; done; cat out.csv.parts/log/* >&2; ls`,
      { cwd, env },
    )
    expect(ran.stderr).toMatch(/no column "none"/)
    expect(ran.stdout).toBe('donors.csv\nout.csv.parts\n')
  })
})
