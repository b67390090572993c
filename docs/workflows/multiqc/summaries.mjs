#!/usr/bin/env node
/**
 * Summaries and provenance of hla as content for MultiQC:  summaries.mjs FOLDER FILE ...
 * A FILE is what --summary json=FILE or --provenance wrote; the sample is named as it is, without its suffix.  [disk]
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const [folder, ...files] = process.argv.slice(2)
if (files.length === 0) {
  process.stderr.write('summaries.mjs FOLDER FILE ...\n')
  process.exit(2)
}

const samples = new Map()
for (const file of files) addSample(file)
for (const content of [generalContent(), statusContent(), codeContent()]) writeContent(content)

/** Writes no empty plot, and removes one of an earlier run: both would seem to be of these samples. */
function writeContent(content) {
  const path = join(folder, `${content.id}_mqc.json`)
  if (Object.values(content.data).some((row) => Object.keys(row).length > 0))
    writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
  else rmSync(path, { force: true })
}

function addSample(file) {
  const name = basename(file).replace(/(\.summary|\.hla)?\.json$/, '')
  const record = readRecord(file)
  const summary = record?.summary ?? record
  if (typeof summary?.rows !== 'number' || typeof summary.status !== 'object')
    refuse(`${file} is neither a summary nor a provenance file of hla`)
  if (samples.has(name)) refuse(`two files are of ${name}: ${file}`)
  samples.set(name, { summary, release: record.data?.release })
}

function readRecord(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    return refuse(`${file}: ${error.message}`)
  }
}

function refuse(why) {
  process.stderr.write(`summaries: ${why}\n`)
  process.exit(1)
}

function generalContent() {
  const headers = {
    hla_rows: { title: 'Rows', description: 'Rows of the table', format: '{:,.0f}', min: 0 },
    hla_typings: { title: 'Typings', description: 'Typings read', format: '{:,.0f}', min: 0 },
    hla_failed: { title: '% failed', description: 'Typings without an answer', suffix: '%', format: '{:,.3f}', min: 0, max: 100, scale: 'Reds' },
    hla_release: { title: 'Release', description: 'Release of IPD-IMGT/HLA' },
  } // prettier-ignore
  const data = rowsOf(({ summary: { rows, typings, status }, release }) => ({
    hla_rows: rows,
    hla_typings: typings,
    hla_failed: typings === 0 ? 0 : (100 * status.error) / typings,
    ...(release === undefined ? {} : { hla_release: release }),
  }))
  return { id: 'hla_general', plot_type: 'generalstats', pconfig: Object.entries(headers).map(([name, header]) => ({ [name]: header })), data } // prettier-ignore
}

function statusContent() {
  return {
    id: 'hla_status',
    section_name: 'HLA typings',
    description: 'What became of each typing: answered, absent, unknown, not typed, a new allele, or failed.',
    plot_type: 'bargraph',
    pconfig: { id: 'hla_status_plot', title: 'hla: typings', ylab: 'Typings' },
    data: rowsOf(({ summary }) => summary.status),
  }
}

function codeContent() {
  return {
    id: 'hla_failures',
    section_name: 'HLA typings that failed',
    description: 'By code, as <code>hla help errors</code> explains them.',
    plot_type: 'bargraph',
    pconfig: { id: 'hla_failures_plot', title: 'hla: failures', ylab: 'Typings' },
    data: rowsOf(({ summary }) => summary.codes),
  }
}

function rowsOf(valuesIn) {
  return Object.fromEntries([...samples].map(([name, sample]) => [name, valuesIn(sample)]))
}
