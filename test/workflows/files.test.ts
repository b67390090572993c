/** A registry in several files: each is converted alone, then the records are combined, or refused. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasProgram } from '../support/programs.ts'
import { runShell } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'
import { WORKFLOWS } from '../support/workflow.ts'

const temp = tempFolder()
const SAMPLE = `'${join(WORKFLOWS, 'sample-files.sh')}'`
const JOIN = `node '${join(WORKFLOWS, 'join-files.mjs')}'`
const CONVERT = `mkdir -p results; for file in registry/*; do
  hla redux -q --exit-zero -i $file --plan-from sample.csv -o results/\${file##*/} --provenance 2> /dev/null || exit
done`
const hasParallel = hasProgram('GNU parallel', 'bash', '-c', 'parallel --version | grep -q "GNU parallel"')
const HEAD = 'id,A_1,A_2\n'

/** Three files, one compressed, the last with a failure. */
function registryIn(name: string): string {
  const cwd = temp(name)
  mkdirSync(join(cwd, 'registry'), { recursive: true })
  const write = (file: string, content: string | Uint8Array) =>
    writeFileSync(join(cwd, 'registry', file), content)
  write('a.csv', `${HEAD}1,02:01,01:01\n2,03:01,24:02\n`)
  write('b.csv.gz', gzipSync(`${HEAD}3,A*01:01:01G,02:AB\n4,,02:01\n`))
  write('c.csv', `${HEAD}5,01:01,\n6,99:98:97x,02:01\n7,01:01,02:01\n`)
  return cwd
}

async function expectRecord(cwd: string, name: string): Promise<void> {
  const record = JSON.parse(readFileSync(join(cwd, name), 'utf8'))
  expect(record).toMatchObject({
    format: 'hla-joined/1',
    input: { files: 3 },
    summary: { rows: 7, status: { error: 1 } },
  })
  expect(record.parts.map(({ rows, input }: { rows: number; input: { name: string } }) => `${basename(input.name)} ${rows}`)).toEqual([
    'a.csv 2', 'b.csv.gz 2', 'c.csv 3',
  ]) // prettier-ignore
  expect(readFileSync(join(cwd, `${name}.errors.csv`), 'utf8')).toMatch(
    /^file,row,line,id,.*\nc\.csv,2,3,6,A_1,A,99:98:97x,[^\n]*\n$/,
  )
  // each file equals its rows in a single run of all
  const one = await runShell(
    `(cat registry/a.csv; zcat registry/b.csv.gz | sed 1d; sed 1d registry/c.csv) > all.csv; hla redux -q --exit-zero -i all.csv -o one.csv --plan-from sample.csv 2> /dev/null
     (cat results/a.csv; zcat -f results/b.csv.gz | sed 1d; sed 1d results/c.csv) | cmp - one.csv`,
    { cwd },
  )
  expect(one).toMatchObject({ status: 0, stdout: '', stderr: '' })
}

/** The block of the page that contains these words. */
function blockWith(words: string): string {
  const page = readFileSync(join(WORKFLOWS, 'README.md'), 'utf8')
  const blocks = [...page.matchAll(/```sh\n([^`]*)```/g)].map(([, block = '']) => block)
  return (blocks.find((block) => block.includes(words)) ?? '').replaceAll('docs/workflows', WORKFLOWS)
}

describe.skipIf(!hasParallel)('the lines for GNU parallel', () => {
  test('convert each file and join their records; again, they convert what is not done', async () => {
    const cwd = registryIn('parallel')
    const lines = blockWith('join-files.mjs registry')
    const ran = await runShell(lines, { cwd })
    expect(ran).toMatchObject({ status: 0, stdout: '' })
    expect(ran.stderr).toMatch(/join-files: results: 7 rows, 14 typings, 1 failed; 3 files, all of 3\.58\.0/)
    await expectRecord(cwd, 'registry.lgx.json')
    const inode = `stat -c %i results/a.csv results/c.csv`
    const again = await runShell(`${inode}; rm results/c.csv.hla.json\n${lines}${inode}`, { cwd })
    const [a, c, otherA, otherC] = again.stdout.trim().split('\n')
    expect([again.status, otherA === a, otherC === c]).toEqual([0, true, false])
    await expectRecord(cwd, 'registry.lgx.json')
  })
})

describe.concurrent('records of files are not joined', () => {
  const sound = registryIn('sound')
  beforeAll(async () => {
    const { status, stderr } = await runShell(`${SAMPLE} registry > sample.csv && ${CONVERT}`, { cwd: sound })
    if (status !== 0) throw new Error(stderr)
  })

  const again = (options: string) =>
    `hla redux -q --exit-zero -i registry/a.csv -o results/a.csv --provenance ${options}`
  test.for<readonly [what: string, change: string, said: RegExp]>([
    ['when a file was not converted', 'rm results/a.csv.hla.json', /there is no results\/a\.csv\.hla\.json: is that file converted/],
    ['when a result is missing', 'rm results/a.csv', /ENOENT.*results\/a\.csv/],
    ['when a result was changed', 'echo >> results/a.csv', /results\/a\.csv: it is not what its provenance describes/],
    ['when a file was changed', 'echo 8,01:01, >> registry/a.csv', /made of another table than registry\/a\.csv/],
    ['when a report was changed', 'echo >> results/c.csv.errors.csv', /its report is not what/],
    ['when a file was read by its own plan', again(''), /not read by the plan of all/],
    ['when a file has another method', `cp -r results r; ${again('-m G --plan-from sample.csv')}`, /its options is not that of the first file/],
    ['when a file was ended', `sed -i 's/"exit": 0/"exit": 130/' results/a.csv.hla.json`, /its conversion ended with 130/],
    ['when a result is of no file', 'cp results/a.csv results/old.csv', /results\/old\.csv is of no file of the registry/],
    ['when there are no files', 'rm registry/*', /registry holds no files/],
  ])('%s', async ([what, change, said]) => {
    const cwd = temp(what.replaceAll(' ', '-'))
    mkdirSync(cwd)
    expect(await runShell(`cp -r '${sound}'/* . && ${change}`, { cwd })).toMatchObject({ status: 0 })
    const ran = await runShell(`${JOIN} registry results all.json`, { cwd })
    expect(ran).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(said) })
    expect(readdirSync(cwd).filter((name) => name.includes('all.json'))).toEqual([])
  }) // prettier-ignore
})

describe('the Slurm scripts', () => {
  const SHARE = `'${join(WORKFLOWS, 'slurm/convert-share.sh')}'`

  test('convert the share of each task, and what is not done when a task is run again', async () => {
    const cwd = registryIn('shares')
    const tasks = `for SLURM_ARRAY_TASK_ID in 2 1; do export SLURM_ARRAY_TASK_ID; ${SHARE} registry results 2 -m lgx 2>> log || exit; done`
    const ran = await runShell(
      `mkdir -p results results.work && ${SAMPLE} registry > results.work/sample.csv && ${tasks} && grep -c ^hla:.wrote log
       cp results.work/sample.csv . && rm results/b.csv.gz.hla.json && ${tasks} && grep -c ^hla:.wrote log; ${JOIN} registry results results.json`,
      { cwd },
    )
    expect(ran).toMatchObject({ status: 0, stdout: '3\n4\n' })
    await expectRecord(cwd, 'results.json')
  })

  const cluster = temp('cluster')
  mkdirSync(cluster)
  const script = join(import.meta.dirname, '../support/slurm.sh')
  const isThere = hasProgram(
    'slurm-wlm, as root',
    'bash',
    '-c',
    '[ $UID = 0 ] && command -v slurmctld && command -v slurmd',
  )
  const started = isThere ? spawnSync('bash', [script, 'start', cluster], { encoding: 'utf8' }) : undefined
  afterAll(() => {
    if (started?.status === 0) execFileSync('bash', [script, 'stop', cluster])
  })

  test.skipIf(started?.status !== 0)('are run by Slurm, and the records joined', async () => {
    const cwd = registryIn('slurm')
    const line = blockWith('convert-files.sh').replace(' 50 ', ' 2 ').replace(' -r 3.58.0', '')
    const ran = await runShell(
      `${line} for i in $(seq 300); do [ -n "$(squeue -h)" ] || break; sleep 0.2; done; cat results.work/log/join.log >&2; cp results.work/sample.csv .`,
      { cwd, env: { SLURM_CONF: started?.stdout.trim() ?? '' } },
    )
    expect(ran.stdout).toMatch(/^files: job \d+; record: job \d+; logs: results\.work\/log\n$/)
    expect(ran.stderr).toMatch(/join-files: results: 7 rows, 14 typings, 1 failed; 3 files/)
    await expectRecord(cwd, 'results.json')
  })
})
