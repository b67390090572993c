/** Binary input is refused with one sentence wherever input is read, and nothing is written. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { EXIT } from '../../../src/io/exit-status.ts'
import { runShell } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

const FILES: Readonly<Record<string, string | Buffer>> = {
  'a.csv': 'id,A_1,A_2\n1,01:01,02:01\n',
  'a.txt': 'A*01:01\n',
  'b.csv.xz': Buffer.from('\u00fd7zXZ\0\0\u0004\u00e6\u00d6\n,A*01:01\n', 'latin1'),
  'c.tgz': gzipSync(`${'c.csv'.padEnd(257, '\0')}ustar\x0000\0\nid,A_1,A_2\n`),
  'd.pdf': '%PDF-1.7\n1 0 obj\n',
}
const XZ = 'b.csv.xz is compressed with xz: unpack it first\n  xz -dc b.csv.xz | hla … -i -'
const TAR = 'c.tgz is a tar archive: unpack it first'
const PDF = 'd.pdf is a PDF document: export its table as CSV or text'

describe.concurrent('a file that is no text', () => {
  test.for([
    ['redux -i b.csv.xz', XZ],
    ['redux -i b.csv.xz -o out.csv', XZ],
    ['redux -i b.csv.xz --input-format lines -o out.csv', XZ],
    ['redux -i b.csv.xz -l A=1,2 -o out.csv --errors e.csv --provenance', XZ],
    ['redux -i c.tgz -o out.csv', TAR],
    ['redux -i c.tgz --input-format lines', TAR],
    ['redux -i d.pdf --input-format long', PDF],
    ['redux -i a.txt -i d.pdf', PDF],
    ['redux -i a.csv -i d.pdf --sample-from column', PDF],
    ['validate -i d.pdf', PDF],
    ['validate -i d.pdf -d auto', PDF],
    ['diff a.csv d.pdf', PDF],
    ['mac -i d.pdf', PDF],
    ['pipe -i d.pdf', PDF],
    ['redux < b.csv.xz', 'stdin is compressed with xz: unpack it first\n  xz -dc | hla … -i -'],
    ['redux -o out.csv < c.tgz', 'stdin is a tar archive: unpack it first'],
    ['redux --input-format lines < d.pdf', 'stdin is a PDF document: export its table as CSV or text'],
    ['cat b.csv.xz | hla pipe', 'stdin is compressed with xz: unpack it first\n  xz -dc | hla … -i -'],
  ] as const)('%s', async ([line, said], { task }) => {
    const cwd = temp(task.id)
    mkdirSync(cwd)
    for (const [name, content] of Object.entries(FILES)) writeFileSync(`${cwd}/${name}`, content)
    const command = line.includes('| hla') ? line : `hla ${line}`
    const { status, stdout, stderr } = await runShell(command, { cwd, env: { HLA_RELEASE: 'starter' } })
    expect({ status, stdout, stderr }).toEqual({
      status: EXIT.io,
      stdout: '',
      stderr: `hla: error: ${said}\n`,
    })
    expect(readdirSync(cwd).filter((name) => name !== '.cache')).toEqual(Object.keys(FILES))
  })
})
