/** Names of outputs: `donors.csv` -> `donors.lgx.csv`. Pure. */
import { HlaError } from '../../errors.ts'
import { tableSuffix } from '../../table/output/written-row.ts'

const PARTS = /\{(stem|suffix)\}/g

/** @throws {HlaError} usage — a template that would give every output the same name */
export function checkTemplate(template: string): string {
  if (template.includes('{stem}') && !/\{(?!stem\}|suffix\})/.test(template)) return template
  throw new HlaError('usage', `--name is a template such as {stem}.lgx{suffix}, not ${template}`, {
    offending: template,
  })
}

/** Template with the methods in the name: `{stem}.lgx{suffix}`. */
export function defaultTemplate(operation: string, methods: readonly (string | undefined)[]): string {
  const named = methods.filter((method) => method !== undefined)
  return `{stem}.${named.length === 0 ? operation : named.join('-')}{suffix}`
}

/** The suffix is that of the table with its compression: `.csv.gz`. The output of a workbook or document is a table. */
export function outputName(title: string, template: string): string {
  const [, stem = title, suffix = ''] = /^(.*?)((?:\.[^.]{1,8})?(?:\.gz|\.zst)?)$/s.exec(title) ?? []
  return template.replaceAll(PARTS, (_, part: string) => (part === 'stem' ? stem : tableSuffix(suffix)))
}
