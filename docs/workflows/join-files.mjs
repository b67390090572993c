#!/usr/bin/env node
/**
 * One record of a registry that is kept in many files, each converted alone:  join-files.mjs FILES RESULTS RECORD
 * Every file must be there, be what was converted, and be converted alike: else nothing is written.  [disk]
 */
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { joinedRecord, openOutput, readJson, refuseUnlike, Refusal, runJoin, tell } from './joined-records.mjs'

const USAGE = `join-files.mjs FILES RESULTS RECORD
  FILES    a folder with the tables of a registry, and nothing else
  RESULTS  a folder with what hla made of each, under the same name, and its provenance (--provenance)
  RECORD   a JSON file; RECORD.errors.csv is the report of all when cells failed, with a column that names the file`

await runJoin('join-files', () => joinFiles(process.argv.slice(2)))

async function joinFiles(words) {
  const [folder, results, path] = words
  if (words.length !== 3) {
    process.stderr.write(`${USAGE}\n`)
    process.exit(2)
  }
  const names = visible(folder)
  if (names.length === 0) throw new Refusal(`${folder} holds no files`)
  refuseStrangers(names, results)
  const records = []
  for (const name of names) {
    const record = readJson(join(results, `${name}.hla.json`), 'hla-provenance/1', 'file')
    await checkFile({ file: join(folder, name), result: join(results, name) }, record, records[0] ?? record)
    records.push(record)
  }
  await writeRecord(path, { names, results, records, folder })
}

/** As any machine orders them. */
function visible(folder) {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .toSorted()
}

/** What an earlier run left would be taken for a part of this registry. */
function refuseStrangers(names, results) {
  const known = new Set(names.flatMap((name) => [name, `${name}.hla.json`, `${name}.errors.csv`]))
  const stranger = visible(results).find((name) => !known.has(name))
  if (stranger !== undefined) throw new Refusal(`${join(results, stranger)} is of no file of the registry`)
}

async function checkFile({ file, result }, record, first) {
  const refuse = (why) => {
    throw new Refusal(`${result}: ${why}`)
  }
  if ((await digest(file)) !== record.input.sha256) refuse(`it was made of another table than ${file}`)
  if ((await digest(result)) !== record.output.sha256) refuse('it is not what its provenance describes')
  if (record.exit !== 0 && record.exit !== 1) refuse(`its conversion ended with ${record.exit}`)
  if (record.options.reading.planFrom === undefined)
    refuse('it was not read by the plan of all: --plan-from, of a sample of all files')
  refuseUnlike(result, 'file', record, first)
  if (record.report !== undefined && (await digest(`${result}.errors.csv`)) !== record.report.sha256)
    refuse('its report is not what its provenance describes')
}

async function digest(path) {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk)
  return hash.digest('hex')
}

async function writeRecord(path, { names, results, records, folder }) {
  const joined = joinedRecord(records, { name: basename(folder), files: names.length }, { name: basename(results), files: names.length })
  const report = joined.summary.status.error === 0 ? undefined : openOutput(`${path}.errors.csv`)
  const record = openOutput(path)
  try {
    for (const [at, name] of names.entries()) if (report !== undefined && records[at].report !== undefined) appendReport(report, results, name)
    record.write(Buffer.from(`${JSON.stringify(joined, null, 2)}\n`))
    for (const file of [report, record]) file?.complete()
    if (report === undefined) rmSync(`${path}.errors.csv`, { force: true })
    for (const file of [report, record]) file?.finish()
  } catch (error) {
    for (const file of [report, record]) file?.abandon()
    throw error
  }
  tell('join-files', joined, 'files')
}

function appendReport(report, results, name) {
  const lines = readFileSync(join(results, `${name}.errors.csv`), 'utf8').split('\n').slice(0, -1)
  // names of files are quoted as csv has it
  const own = /[",\n\r]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
  if (report.size() === 0) report.write(Buffer.from(`file,${lines[0]}\n`))
  for (const line of lines.slice(1)) report.write(Buffer.from(`${own},${line}\n`))
}
