/** Tables split, converted in parts and joined: the bytes of a single run, or a refusal. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { runShell } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'
import { expectAsOneRun, JOIN, SPLIT, writeDonors } from '../support/workflow.ts'

const temp = tempFolder()
let folders = 0

function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temp(`run-${(folders += 1)}`)
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

/** Converts each part alone, as a workflow would. */
function converting(options = ''): string {
  return `mkdir -p out && for part in in/part-*; do
    hla redux -q ${options} --exit-zero -i "$part" --plan-from in/sample* -o "out/\${part##*/}" --provenance 2> /dev/null || exit
  done`
}

const rows = (count: number, eol = '\n') =>
  Array.from({ length: count }, (_, at) => `D${at + 1},01:01:0${at % 4},A*02:0${at % 3}${eol}`).join('')
const HEAD = 'id,A_1,A_2\n'

describe.concurrent('parts of a table are what one run makes of it:', () => {
  test.for<readonly [what: string, file: string, content: string | Uint8Array, hla?: string, split?: string]>([
    ['plain', 'd.csv', HEAD + rows(50)],
    ['a byte order mark', 'd.csv', `\ufeff${HEAD}${rows(9)}`],
    ['a mark that is added', 'd.csv', HEAD + rows(9), '--bom add'],
    ['CRLF', 'd.csv', `id,A_1,A_2\r\n${rows(9, '\r\n')}`],
    ['other line ends written', 'd.csv', HEAD + rows(9), '--eol crlf'],
    ['no last line feed', 'd.csv', `${HEAD}${rows(9)}D10,01:01,`],
    ['empty lines', 'd.csv', `${HEAD}${rows(4)}\n\n${rows(5)}\n`],
    ['gzip', 'd.csv.gz', gzipSync(HEAD + rows(9))],
    ['two members of gzip', 'd.tsv.gz', Buffer.concat([gzipSync('id\tA_1\tA_2\n1\t01:01\t\n'), gzipSync('2\t\t02:01\n3\t\t\n')])],
    ['quotes, escaped and not', 'd.csv', `${HEAD}"D ""1""",01:01,\n"2, x","02:01",\n3,,\n`],
    ['quotes that mean nothing', 'd.csv', `${HEAD}5" x,01:01,\n6,02:01,\n7,,01:01\n`, '--quote none', '--quote none'],
    ['failures in every part', 'd.csv', `${HEAD}${rows(3)}x,99:98:97x,\ny,,1:\n${rows(3)}z,01:,\n`, '--on-error report'],
    ['short rows', 'd.csv', `${HEAD}${rows(3)}x,01:01\n${rows(3)}y\n`],
    ['digits that only the first rows explain', 'd.csv', `${HEAD}1,0201,0101\n2,0301,2402\n${rows(4)}3,01,01\n4,2,02:01\n`],
    ['Latin-1 in the last part alone', 'd.csv', Buffer.from(`${HEAD}${rows(8)}Käthe,01:01,é\n`, 'latin1')],
    ['no header', 'd.txt', Array.from({ length: 9 }, (_, at) => `D${at}%A*01:01+A*02:0${at % 3}\n`).join(''), '--input-format wmda-lines --into replace', '--header-lines 0'],
    ['lines before the header', 'd.pop', `lab\tgroup\nUSA\tx\nid\tA_1\tA_2\n${rows(9).replaceAll(',', '\t')}`, '--input-format pypop', '--header-lines 3'],
    ['no suffix', 'donors', HEAD + rows(9), '-d ,'],
  ])('%s', async ([, file, content, options = '', split = '']) => {
    const cwd = folderWith({ [file]: content })
    const joined = `joined${/\.\w+(?=\.gz$)|\.\w+$/.exec(file)?.[0].replace('.gz', '') ?? ''}`
    const ran = await runShell(
      `${SPLIT} ${file} in 2 ${split} && ${converting(options)} && ${JOIN} in out ${joined} 2>&1`,
      { cwd },
    )
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    expect(ran.stdout).toMatch(/ rows, \d+ typings, \d+ failed; 2 parts, all of 3\.58\.0/)
    await expectAsOneRun(cwd, file, joined, options)
  }) // prettier-ignore

  test('many rows, with failures and quoted fields, in seven', async () => {
    const cwd = folderWith({})
    writeDonors(join(cwd, 'donors.csv'), 20_000)
    const ran = await runShell(
      `${SPLIT} donors.csv in 7 && ${converting('-m G -m P')} && ${JOIN} in out joined.csv`,
      {
        cwd,
      },
    )
    expect(ran).toMatchObject({ status: 0, stdout: '' })
    await expectAsOneRun(cwd, 'donors.csv', 'joined.csv', '-m G -m P')
  })
})

describe.concurrent('a table is not split', () => {
  test.for<readonly [what: string, content: string | Uint8Array, words: string, said: RegExp]>([
    ['with a line feed in a quoted field', `${HEAD}"a\nb",01:01,\n${rows(9)}`, '2', /^split-table: d\.csv:2: an odd number of quotation marks/],
    ['with a quote that is never closed', `${HEAD}${rows(9)}"x,01:01,`, '2', /d\.csv:11: an odd/],
    ['of UTF-16', Buffer.from(`\ufeff${HEAD}${rows(9)}`, 'utf16le'), '2', /a zero byte/],
    ['of lone carriage returns', `id,A_1,A_2\r${rows(9, '\r')}`, '2', /no rows, or other line ends/],
    ['without rows', HEAD, '1', /no rows/],
    ['into more parts than rows', HEAD + rows(2), '3', /2 rows cannot be 3 parts/],
    ['that is packed and cut short', gzipSync(HEAD + rows(999)).subarray(0, 90), '2', /unexpected end of file/],
  ])('%s', async ([, content, words, said]) => {
    const cwd = folderWith({ 'd.csv': content })
    const ran = await runShell(`${SPLIT} d.csv in ${words}; status=$?; ls; exit $status`, { cwd })
    expect(ran).toMatchObject({ status: 1, stdout: 'd.csv\n' })
    expect(ran.stderr).toMatch(said)
  }) // prettier-ignore

  test('over other parts', async () => {
    const cwd = folderWith({ 'd.csv': HEAD + rows(9) })
    const ran = await runShell(`${SPLIT} d.csv in 3 && ${SPLIT} d.csv in 2`, { cwd })
    expect(ran.status).toBe(1)
    expect(ran.stderr).toMatch(/in holds part-0001\.csv: remove/)
  })
})

describe.concurrent('parts are not joined', () => {
  const sound = folderWith({ 'd.csv': `${HEAD}${rows(4)}x,99:98x,\n${rows(4)}` })
  beforeAll(async () => {
    const { status, stderr } = await runShell(`${SPLIT} d.csv in 3 && ${converting()}`, { cwd: sound })
    if (status !== 0) throw new Error(stderr)
  })

  const again = (options: string) =>
    `hla redux -q --exit-zero -i in/part-0002.csv -o out/part-0002.csv --provenance ${options}`
  test.for<readonly [what: string, change: string, said: RegExp]>([
    ['when one is missing', 'rm out/part-0002.csv.hla.json', /there is no out\/part-0002\.csv\.hla\.json/],
    ['when one is cut', 'truncate -s -1 out/part-0002.csv', /part-0002\.csv is not what its provenance describes/],
    ['when one is another', 'cp out/part-0001.csv.hla.json out/part-0002.csv.hla.json', /made of another table than part-0002\.csv/],
    ['when one was read by a plan of its own', again(''), /not read by the plan of the whole: --plan-from sample\.csv/],
    ['when one has another method', again('-m G --plan-from in/sample.csv'), /its options is not that of the first part/],
    ['when one is of other data', `sed -i 's/"data_id": .*/"data_id": "3.57.0",/;s/"dataset": "starter"/"dataset": "other"/' out/part-0002.csv.hla.json`, /its data is not that of the first part: (other, not starter|3\.57\.0)/],
    ['when one is of another version', `sed -i 's/"hla": .*/"hla": "0.9.0",/' out/part-0002.csv.hla.json`, /its hla is not that of the first part: 0\.9\.0/],
    ['when rows are missing', `sed -i 's/"rows": 3/"rows": 2/' out/part-0002.csv.hla.json`, /2 rows were converted of 3/],
    ['when the split is not complete', 'rm in/parts.json', /there is no in\/parts\.json/],
    ['when a report is missing', 'rm out/part-0002.csv.errors.csv', /part-0002\.csv\.errors\.csv/],
  ])('%s', async ([, change, said]) => {
    const cwd = folderWith({})
    const made = await runShell(`cp -r '${sound}'/* . && ${change}`, { cwd })
    expect(made).toMatchObject({ status: 0 })
    const ran = await runShell(`${JOIN} in out joined.csv; status=$?; ls -A; exit $status`, { cwd })
    expect(ran).toMatchObject({ status: 1, stdout: 'd.csv\nin\nout\n' })
    expect(ran.stderr).toMatch(said)
  }) // prettier-ignore
})
