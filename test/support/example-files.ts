/** The files that the examples of help and man pages read.  [disk] */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const FILES: Readonly<Record<string, string>> = {
  'donors.csv': 'id,region,A_1,A_2\n1,north,02:01,24:02\n2,south,02:01,02:01\n3,south,02:01/02:06,24:09N\n',
  'patients.csv': 'id,A_1,A_2\nP1,02:01,03:01\n',
  'lab1.csv': 'id,A_1,A_2\n1,03:01,24:02\n2,01:01,02:01\n',
  'lab2.csv': 'id,A_1,A_2\n1,11:01,24:02\n2,01:01:01,02:01:01\n',
  'before.csv': 'id,A_1,A_2\n1,30:100,24:02\n',
  'after.csv': 'id,A_1,A_2\n1,30:02:12,24:02\n',
  'requests.jsonl': '{"op":"validate","gl_string":"A*01:01"}\n',
  'lab.json': '{"release": "3.58.0"}',
  'misspelt.json': '{"relase": "3.58.0"}',
  'fields.json': '[{"id":"by","valueType":"user"}]',
  'cohort/2026.csv': 'id,A_1,A_2\n1,01:01,02:01\n',
}

export function writeExampleFiles(folder: string): void {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}
