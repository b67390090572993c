/** Faults of the four lists "Mend first", put back one at a time: the test named beside each must notice it. */
import type { Mutant } from './mutants.ts'

export interface Mend extends Mutant {
  readonly test: string
}

/** `file` below src, `test` below test. */
type Row = readonly [name: string, file: string, text: string, instead: string, test: string]

const ROWS: readonly Row[] = [
  // releases and answers
  ['white space joins digits', 'engine/suggest/tidy.ts', "/\\d\\s+\\d/.test(text) ? text : text.replace(", "text.replace(", 'engine/accept'],
  ['an old name of several readings is no name', 'engine/accept.ts', "error.code === 'ambiguous-old-name'", 'false', 'engine/accept'],
  ['redux says nothing of mixed loci', 'engine/redux.ts', '[...run.notes, ...findMixedLoci(glString)]', 'run.notes', 'engine/redux'],
  ['a hyphen between genes has no advice', 'nomenclature/grammar.ts', 'hintOnHaplotype(leaf) ?? ', '', 'nomenclature/grammar'],
  ['a letter that the release contradicts is valid', 'engine/names.ts', '!options.strict || !isContradicted(bare, release)', 'true', 'engine/validate'],
  ['unlisted fields are not noted', 'engine/validate/validate.ts', 'leaves.some(({ text }) => isReadByTwoFields(withoutPrefix(text), engine))', 'false', 'engine/validate'],
  ['a name that was another allele before is valid', 'engine/lift/former-owners.ts', '.filter(({ now }) => !isUnder(now, name))', '.filter(() => false)', 'operations/verdicts'],
  ['a retired name that is read has no verdict', 'engine/retired.ts', "if (advice === undefined || advice.code === 'unknown-allele') return undefined", 'return undefined', 'operations/verdicts'],
  ['DRB1 of several genotypes excludes genes', 'engine/validate/plausibility.ts', 'drb1.some(({ isOpen }) => isOpen) || ', '', 'engine/plausibility'],
  ['the name of an absent gene is unknown', 'engine/validate/validate.ts', 'name === `${readLocus(name)}*${ABSENT_GENE}`', 'name === `${readLocus(name)}*`', 'engine/validate'],
  ['a failure in both releases is no reason', 'operations/questions/diff.ts', 'if (from_error !== undefined && to_error !== undefined) return [FAILS]', '', 'engine/diff'],
  ['a lost member of a code is not named', 'engine/expand/expand-mac.ts', '(!definition.generic || wasListed(loss, engine)) &&', 'false &&', 'operations/losses'],
  ['a member without its letter has no name', 'engine/expand/expand-mac.ts', '(lettered === name ? undefined : [lettered])', 'undefined', 'operations/losses'],
  ['a member that a later release lists is unknown', 'engine/expand/expand-mac.ts', "compareReleases(since, release) > 0 ?", 'false ?', 'operations/losses'],
  ['cwd drops the notes of a reduction', 'engine/cwd.ts', "{ names: text.split('/'), notes }", "{ names: text.split('/'), notes: notes.slice(0, 0) }", 'operations/losses'],
  ['the group of an answer is read where names are exact', 'engine/names.ts', 'if (options.exact || !options.strict) return undefined', '', 'engine/answered-names'],
  ['a retired name has no successor', 'engine/retired.ts', 'result === name ? undefined : (result ?? undefined)', 'undefined', 'operations/retired'],
  ['an address may have a password', 'cli/options/remote-options.ts', "url.username + url.password !== ''", "url.username !== '' && url.password !== ''", 'cli/options'],
  ['a line feed of a message begins a line', 'cli/messages.ts', 'hla: error: ${visibleLine(errorText(error, \'command-line\'))}', 'hla: error: ${errorText(error, \'command-line\')}', 'cli/messages'],
  // tables and documents
  ['a list that is given again replaces the first', 'cli/options/parsers.ts', '[...before, ...text.split(/[ ,]+/)', '[...text.split(/[ ,]+/)', 'cli/options'],
  ['columns that are given again replace the first', 'cli/options/parsers.ts', 'before === undefined ? text : `${before},${text}`', 'text', 'cli/options'],
  ['xz is read as text', 'io/packing/binary-content.ts', "begins: /^\\xfd7zXZ\\0/", "begins: /^\\xfd7zXY\\0/", 'io/binary-content'],
  ['T1K: an allele of quality 0 is a typing', 'table/sources/programs/line-programs.ts', '!(Number(quality) <= 0)', '!(Number(quality) < 0)', 'table/sources/programs'],
  ['one row of loci makes a long table', 'table/sources/long-columns.ts', '0.9', '0.1', 'table/sources/long-tables'],
  ['a third of DRB3, DRB4 and DRB5 is lost', 'table/rows/subject-texts.ts', 'return isUnfit ? undefined : formatDrbx(', 'return formatDrbx(', 'table/rows/subjects'],
  ['names of a later release are translated', 'table/cells/past-names.ts', 'compareReleases(release, label) <= 0', 'compareReleases(release, label) !== 7', 'table/answers'],
  // the HLA service and its client
  ['a service that has answered is not waited for', 'remote/attempts.ts', 'hasAnswered && lasting ? [lasting] : []', 'hasAnswered && lasting ? [] : []', 'remote/attempts'],
  ['an address where none has answered is tried for ever', 'remote/attempts.ts', 'Math.min(allowed, MAX_FIRST_ATTEMPTS)', 'allowed', 'remote/attempts'],
  ['an answer to another question is printed', 'remote/check-answer.ts', 'differentEcho(answer, echo) ??', '', 'remote/remote'],
  ['a token may have a blank', 'cli/run/serve/settings.ts', "lines.find(({ text }) => /\\s/.test(text))", "lines.find(({ text }) => text === '')", 'cli/serve'],
  // the file store
] // prettier-ignore

export const MENDS: readonly Mend[] = ROWS.map(([name, file, text, instead, test]) => ({
  name,
  file: `src/${file}`,
  text,
  instead,
  test: `test/${test}.test.ts`,
}))
