/** Small faults put into the program one at a time. Each must be caught by the battery. A fault that was found in use and that no test had noticed belongs in mends.ts. */

export interface Mutant {
  /** Description of the fault. */
  readonly name: string
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly text: string
  readonly instead: string
}

type Edit = readonly [name: string, text: string, instead: string]

const EDITS: Readonly<Record<string, readonly Edit[]>> = {
  'src/engine/reduce/serology.ts': [
    ['S of every DQB1 allele is DQ9', '  const covered = coveredAlleles(full, engine.release)\n', "  if (full.startsWith('DQB1*')) return ['DQ9']\n  const covered = coveredAlleles(full, engine.release)\n"],
    ['S of a name with one null below it is nothing', 'covered.every(isNull)', 'covered.some(isNull)'],
    ['S of two fields leaves their lgx class', 'antigensByLgx(full, engine) ?? ownAntigens', 'ownAntigens'],
    ['S knows only the first allele below a name', 'const antigens = alleles.flatMap(', 'const antigens = alleles.slice(0, 1).flatMap('],
    ['S swaps the antigens of lgx with ping and without', "options.ping ? 'lgxAntigens'", "!options.ping ? 'lgxAntigens'"],
  ],
  'src/engine/reduce/groups.ts': [
    ['G of DRB1 and B loses its second group', "return release.listOf('gDuplicates', bare) ?? [group]", "return /^(?:DRB1|B)\\*/.test(bare) ? [group] : (release.listOf('gDuplicates', bare) ?? [group])"],
    ['a group without a name of the release is unknown', 'const members = membersInstead(name, bare, engine)', 'const members = undefined as readonly string[] | undefined'],
    ['P is G', "release.valueOf('p', bare)", "release.valueOf('g', bare)"],
    ['a group without a name of the release keeps its name', '?? member))]', '?? name))]'],
    ['a group without a name of the release answers with its first member', 'members.map((member)', 'members.slice(0, 1).map((member)'],
  ],
  'src/engine/reduce/ard.ts': [
    ['lgx has no way through the P group', 'if (rescued !== undefined) return rescued + suffix', ''],
    ['lgx does not reduce its own answer again', 'return isValidName(twice, engine) ? twice : once', 'return once'],
    ['lg writes a second g', "suffix === 'g' && name.endsWith('g') ? name : name + suffix", 'name + suffix'],
    ['U2 drops expression letters', 'cutFields(full, 2) + readExpression(full)', 'cutFields(full, 2)'],
    ['lgx looks again at what is a P group', "if (bare === name || release.is('pNotGValue', bare)) return once", 'if (bare === name) return once'],
    ['lg ends in g whatever is asked', "engine.options.ars ? 'ARS' : 'g'", "'g'"],
    ['lg is lgx with a g', 'if (engine.options.consistentLg) return', 'return'],
  ],
  'src/engine/reduce/fields.ts': [
    ['W of a short name is the name', "members ?? release.listOf('who', full) ?? [full]", 'members ?? [full]'],
    ['exon drops expression letters', 'lettered !== short && isShortNull ? lettered : short', 'short'],
    ['exon of a short name is the name', 'if (alleles.length === 1 && (', 'if (alleles.length >= 1 || ('],
    ['1F is the whole name', 'firstField(engine.options.strict ? name', '(engine.options.strict ? name'],
  ],
  'src/engine/names.ts': [
    ['exact accepts any third field', 'options.exact || !release', '!release'],
    ['without validation no letter is added', 'letter === undefined ? name : name + letter', 'name'],
    ['names of our own answers are unknown', "release.is('gGroup', group) ? group : undefined", 'undefined'],
  ],
  'src/engine/old-names.ts': [
    ['old names go by the rules alone', 'exception === undefined ? respellings(name) : [exception]', 'respellings(name)'],
  ],
  'src/engine/designate.ts': [
    ['published names of groups are unknown', 'release.facts.groupAliases[name] ?? name', 'name'],
    ['text after a code is accepted', 'if (isLettersBeforeMore(name)) throw unknownName(name, engine)', ''],
    ['short nulls are not expanded', "options.off.includes('null') ? undefined : release.listOf('shortNull', name)", 'undefined'],
  ],
  'src/engine/expand/mac.ts': [
    ['a code stands valid with any first field', 'return generic || family', 'return generic || true || family'],
    ['a code belongs to its rarest first field', 'Math.max(...counts', 'Math.min(...counts'],
  ],
  'src/engine/expand/expand-mac.ts': [
    ['the last name of an XX code is lost', "const names = release.listOf('xx', family)", "const names = release.listOf('xx', family)?.slice(0, -1)"],
    ['a code stands for names that do not exist', "const valid = names.filter((name) => isOwnMember(name, engine))\n  if", 'const valid = names\n  if'],
  ],
  'src/engine/reduce/reduce-code.ts': [
    ['nulls in codes are not expanded', 'const names = withoutShortNull(name, run.engine)', 'const names = [name]'],
    ['codes keep members that do not exist', "if (!isOwnMember(name, run.engine)) return null", ''],
  ],
  'src/engine/reduce/reduce-leaf.ts': [
    ['HLA- is lost', 'return hasPrefix(leaf.text) ? parts', 'return !hasPrefix(leaf.text) && false ? parts'],
  ],
  'src/engine/redux.ts': [
    ['the second copy of a homozygote is lost', "return operator === '+' || operator === '~'", "return operator === '~'"],
    ['haplotypes are sorted', "operator === '~' ? parts : orderParts", 'orderParts'],
    ['genotypes are not sorted', "operator === '~' ? parts", "operator === '~' || operator === '+' ? parts"],
    ['a part of which nothing is left stays', "if (reduced.text === '') run.hasLost = true", ''],
  ],
  'src/nomenclature/order.ts': [
    ['expression letters count in the order', '/[PNQLSGg]/g', '/[PGg]/g'],
    ['third fields do not count in the order', "numberOr(third, 0)", '0'],
    ['fields are sorted as text', "/^\\d+$/.test(field) ? Number(field) : otherwise", "/^\\d+$/.test(field) ? Number(`0.${field}`) : otherwise"],
  ],
  'src/nomenclature/version2.ts': [
    ['old DPB1 names have two digits first', 'const first = isDp ? 3 : 2', 'const first = 2'],
  ],
  'src/nomenclature/grammar.ts': [
    ['a locus may be in small letters', '/^(?:[A-Z][A-Z0-9]*', '/^(?:[A-Za-z][A-Z0-9]*'],
  ],
  'src/reference/compile/groups.ts': [
    ['lgx takes the highest of several groups', 'values[0] !== undefined) lgx.set(key, values[0])', 'values.at(-1) !== undefined) lgx.set(key, values.at(-1) ?? key)'],
    ['every P member has a way around its G group', 'if (!twoFieldMembersOfG.has(twoFields(member))) ', ''],
    ['G groups have published names', "const bare = first.replace(/[NQLSPG]$/, '')", 'const bare = first'],
  ],
  'src/reference/compile/serology.ts': [
    ['broad antigens lack the alleles of their splits', 'addAll(alleles, row.antigen, row.splits)', 'addAll(alleles, row.antigen, row.splits.slice(1))'],
    ['antigens of C are called C', "(locus === 'C' ? 'Cw' : locus)", 'locus'],
  ],
  'src/reference/compile/compile.ts': [
    ['two fields take any letter', 'letter !== undefined && others.length === 0', 'letter !== undefined'],
    ['families of splits have one split', 'const list = splits.flatMap(', 'const list = splits.slice(0, 1).flatMap('],
    ['a group is not expanded through short names', "for (const table of groups) for (const [member, group] of table) addTo(direct, group, member)", "for (const table of groups) for (const [member, group] of table) if (who instanceof Set && who.has(member)) addTo(direct, group, member)"],
  ],
  'src/engine/expand/mac-lookup.ts': [
    ['codes are found without their locus', '`${locus}*${family}:${code}`)', '`${family}:${code}`)'],
    ['members may have three fields', '/\\*(\\d+:\\d+[NQLSCA]?)$/', '/\\*(\\d+:\\d+)/'],
  ],
  'src/engine/cwd.ts': [
    ['every allele is common', 'filter((name) => isKept(name, catalogue, engine, notes))', 'filter(() => true)'],
  ],
  'src/engine/blend.ts': [
    ['DRB1*09 carries nothing', "['04', '07', '09']", "['04', '07']"],
    ['two alleles of one chromosome are one', 'others.length === 0 && first !== second', 'others.length === 0 && first === undefined'],
  ],
  'src/engine/antigens.ts': [
    ['a split is no member of its broad', 'table.find(([, splits]) => splits.includes(one))', 'undefined'],
  ],
  'src/engine/suggest/similar.ts': [
    ['names found need not be valid', "if (!release.isKind('allele', id)) continue", ''],
    ['codes found belong to any first field', 'mac !== undefined && belongsTo(mac, expansion)', 'mac !== undefined'],
  ],
  'src/engine/validate/validate.ts': [
    ['every text is valid', 'valid: problems.length === 0', 'valid: true'],
    ['a malformed text is only invalid', 'malformed: problems.some(isMalformed)', 'malformed: false'],
  ],
  'src/engine/explain/diff.ts': [
    ['names lost do not count', 'lost: [...expected].filter((name) => !after.has(name))', 'lost: []'],
    ['names gained do not count', 'const gained = [...after].filter((name) => !expected.has(name))', 'const gained: string[] = []'],
  ],
  'src/engine/explain/explain.ts': [
    ['explain tells of another method', 'steps: leafSteps(leaf, result, method, context)', "steps: leafSteps(leaf, '', method, context)"],
  ],
  'src/operations/questions/redux.ts': [
    ['redux knows one method', 'parseMethod(input.reduction_method ?? DEFAULT_METHOD)', 'parseMethod(DEFAULT_METHOD)'],
    ['redux takes no options', 'knowledge.engine(input.options, read.membersOf)', 'knowledge.engine()'],
  ],
  'src/operations/questions/validate.ts': [
    ['an invalid text ends as a valid one', 'isNegative: ({ valid }) => !valid', 'isNegative: ({ valid }) => valid'],
    ['validate ignores the requested level', 'read.text, level, {', 'read.text, undefined, {'],
  ],
  'src/operations/questions/diff.ts': [
    ['diff always says same', 'changed: diff.reasons.length > 0', 'changed: false'],
    ['diff asks one release', 'const to = knowledge.other(input.to_release)', 'const to = knowledge.other(input.from_release)'],
  ],
  'src/operations/questions/similar.ts': [
    ['a limited list has one more', 'names.length === limit', 'names.length > limit'],
  ],
  'src/operations/questions/mac.ts': [
    ['a code is looked up', "direction ?? (isWrittenAsCode(gl_string) ? 'expand' : 'lookup')", "direction ?? 'lookup'"],
  ],
  'src/operations/questions/blend.ts': [
    ['DRB4 is not blended', "DRB4: DRB4 ?? ''", "DRB4: ''"],
  ],
} // prettier-ignore

export const MUTANTS: readonly Mutant[] = Object.entries(EDITS).flatMap(([file, edits]) =>
  edits.map(([name, text, instead]) => ({ name, file, text, instead })),
)
