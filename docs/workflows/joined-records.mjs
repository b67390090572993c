/**
 * Records of several conversions that belong together: whether they were made alike, and one of all of them.  [disk]
 * For join-tables.mjs and join-files.mjs.
 */
import { createHash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs' // prettier-ignore
import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

export class Refusal extends Error {}

/** Reports errors of files or the disk; any other error is a fault of the program. */
export async function runJoin(program, run) {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof Refusal) && !/^E[A-Z]+$/.test(error.code ?? '')) throw error
    process.stderr.write(`${program}: ${error.message}\n`)
    process.exitCode = 1
  }
}

export function readJson(path, format, what = 'part') {
  if (!existsSync(path))
    throw new Refusal(`there is no ${path}: is that ${what} converted, and with --provenance?`)
  let record
  try {
    record = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new Refusal(`${path} is not JSON`)
  }
  if (record.format !== format) throw new Refusal(`${path} is not of the format ${format}`)
  return record
}

/** By the same program, with the same data, options and plan. */
export function refuseUnlike(path, what, record, first) {
  const { data, options } = record
  const same = [
    ['hla', record.hla, first.hla],
    ['data', data.data_id ?? data.dataset, first.data.data_id ?? first.data.dataset],
    ['data files', data, first.data],
    ['options', comparable(options), comparable(first.options)],
    ['plan', record.plan, first.plan],
  ]
  for (const [name, own, of] of same)
    if (!isDeepStrictEqual(own, of))
      throw new Refusal(`${path}: its ${name} is not that of the first ${what}: ${short(own)}, not ${short(of)}`)
}

/** Folders differ from machine to machine. */
function comparable({ reading, ...rest }) {
  return { ...rest, reading: { ...reading, planFrom: basename(reading.planFrom ?? '') } }
}

function short(value) {
  return typeof value === 'string'
    ? value
    : `sha256:${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)}`
}

/** Of all of them: what they were made of, how, and the counts of all. */
export function joinedRecord(records, input, output) {
  const [{ hla, data, options, plan }] = records
  return {
    format: 'hla-joined/1',
    hla,
    data,
    options: comparable(options),
    plan,
    input,
    output,
    summary: records.map(({ summary }) => summary).reduce(added),
    started: records.map(({ started }) => started).sort()[0],
    ended: records
      .map(({ ended }) => ended)
      .sort()
      .at(-1),
    parts: records.map(({ input: of, output: made, summary, node, started, ended, exit }) => ({
      input: of, output: made, rows: summary.rows, node, started, ended, exit,
    })), // prettier-ignore
  }
}

/** Parts may share distinct typings, so their number over both is unknown. */
function added(a, b) {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  const sum = (name) => {
    const [one, other] = [a[name] ?? 0, b[name] ?? 0]
    if (name === 'distinct') return null
    return typeof one === 'object' || typeof other === 'object' ? added(one || {}, other || {}) : one + other
  }
  return Object.fromEntries(names.map((name) => [name, sum(name)]))
}

export function tell(program, { output, summary, parts, data }, what) {
  const { rows, typings, status } = summary
  const of = data.data_id ?? `${data.release} ${data.dataset}`
  process.stderr.write(
    `${program}: ${output.name}: ${rows} rows, ${typings} typings, ${status.error} failed; ${parts.length} ${what}, all of ${of}\n`,
  )
}

/** Complete under its name, or not there. */
export function openOutput(path) {
  const hidden = join(dirname(path), `.${basename(path)}.part`)
  const handle = openSync(hidden, 'w')
  const hash = createHash('sha256')
  let bytes = 0
  return {
    write(block) {
      hash.update(block)
      bytes += block.length
      for (let at = 0; at < block.length;) at += writeSync(handle, block, at)
    },
    size: () => bytes,
    identity: () => ({ bytes, sha256: hash.copy().digest('hex') }),
    complete() {
      fsyncSync(handle)
      closeSync(handle)
    },
    finish: () => renameSync(hidden, path),
    abandon: () => rmSync(hidden, { force: true }),
  }
}
