/** Names of outputs: `donors.csv` -> `donors.lgx.csv`. Pure. */
import { HlaError } from '../../../../errors.ts'
import type { FolderRule } from './folder-rule.ts'
import { tableSuffix } from '../../../../table/output/written-row.ts'

const PARTS = /\{(stem|suffix)\}/g

/** @throws {HlaError} usage — every output would have the same name */
export function checkTemplate(template: string): string {
  if (template.includes('{stem}') && !/\{(?!stem\}|suffix\})/.test(template)) return template
  throw new HlaError('usage', `--name is a template such as {stem}.lgx{suffix}, not ${template}`, {
    offending: template,
  })
}

/** `{stem}.lgx{suffix}`; what is asked of each typing is in it. */
export function defaultTemplate(operation: string, methods: readonly (string | undefined)[]): string {
  const named = methods.filter((method) => method !== undefined)
  return `{stem}.${named.length === 0 ? operation : named.join('-')}{suffix}`
}

/** The suffix is that of the table and of what packs it: `.csv.gz`; what was a workbook or a document becomes a table, unless it stays what it was. */
export function outputName(title: string, template: string, isSame: boolean): string {
  const [, stem = title, suffix = ''] = /^(.*?)((?:\.[^.]{1,8})?(?:\.gz|\.zst)?)$/s.exec(title) ?? []
  const written = isSame ? suffix : tableSuffix(suffix)
  return template.replaceAll(PARTS, (_, part: string) => (part === 'stem' ? stem : written))
}

/** Documents are written back as what they are. */
export function isSame({ asked }: Pick<FolderRule, 'asked'>): boolean {
  return asked.options.outputFormat === 'same'
}
