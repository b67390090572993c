/** Operator's description of a client program (spec 18): JSON -> members of `drive#app`, validated. */
import { invalid, type StorageFailure } from '../../contract/failure.ts'
import { type Member, findMembers, type MemberShape } from '../../contract/schemas.ts'
import { isRecord } from './body.ts'

/** Members of `drive#app`, and translated texts. */
export type AppFacts = Readonly<Record<string, unknown>>

/** Members that an operator does not set here. Name and id have columns of their own; the last two follow from the caller's tokens. */
const NOT_SAID: ReadonlySet<string> = new Set(['kind', 'id', 'name', 'authorized', 'hasDriveWideScope'])
const LOCALIZED: ReadonlySet<string> = new Set(['name', 'shortDescription', 'longDescription'])
const MAX_FACTS_LENGTH = 64 * 1024

/** Also reads the name, which has a column of its own. @throws {StorageFailure} 400 invalid */
export function readApp(text: string): { readonly name: string | undefined; readonly facts: AppFacts } {
  if (text.length > MAX_FACTS_LENGTH) throw tooLong()
  const { name, ...facts } = parsed(text)
  if (name !== undefined && (typeof name !== 'string' || name === ''))
    throw invalid('Invalid value for name of a program.', 'name')
  return { name, facts: readAppFacts(JSON.stringify(facts)) }
}

/** @throws {StorageFailure} 400 invalid — unknown member, or wrong type */
export function readAppFacts(text: string): AppFacts {
  if (text.length > MAX_FACTS_LENGTH) throw tooLong()
  const facts = parsed(text)
  for (const [name, value] of Object.entries(facts)) {
    if (name === 'localized') checkLocalized(value)
    else checkMember(name, value)
  }
  return facts
}

/** Returns the texts in the requested language, or in its base language. */
export function localizeFacts({ localized, ...facts }: AppFacts, language: string | undefined): AppFacts {
  if (language === undefined || !isRecord(localized)) return facts
  const names = [language, language.replace(/[-_].*/, '')]
  const name = names.find((one) => Object.hasOwn(localized, one))
  const texts = name === undefined ? undefined : localized[name]
  return isRecord(texts) ? { ...facts, ...texts } : facts
}

export function collectTexts(facts: AppFacts, ...names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = facts[name]
    return Array.isArray(value) ? value.map(String) : []
  })
}

function tooLong(): StorageFailure {
  return invalid(`The description of a program is longer than ${MAX_FACTS_LENGTH} characters.`)
}

function parsed(text: string): Record<string, unknown> {
  try {
    const facts: unknown = JSON.parse(text)
    if (isRecord(facts)) return facts
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw invalid('The description of a program must be a JSON object.')
}

function checkMember(name: string, value: unknown): void {
  const member: Member | undefined = NOT_SAID.has(name) ? undefined : findMembers('App').get(name)
  if (member === undefined) throw invalid(`Unknown member of a program: ${name}.`, name)
  if (!fits(value, member.shape)) throw invalid(`Invalid value for ${name} of a program.`, name)
}

function checkLocalized(value: unknown): void {
  const texts = isRecord(value) ? Object.values(value) : [undefined]
  const isWrong = (one: unknown) =>
    !isRecord(one) ||
    Object.entries(one).some(([name, text]) => !LOCALIZED.has(name) || typeof text !== 'string')
  if (texts.some(isWrong)) throw invalid('Invalid value for localized of a program.', 'localized')
}

function fits(value: unknown, shape: MemberShape): boolean {
  switch (shape.kind) {
    case 'scalar':
      return (
        typeof value ===
        (shape.scalar === 'string' ? 'string' : shape.scalar === 'boolean' ? 'boolean' : 'number')
      )
    case 'array':
      return Array.isArray(value) && value.every((one) => fits(one, shape.of))
    case 'object':
      return isRecord(value) && Object.entries(value).every(([name, one]) => hasMember(shape, name, one))
    case 'map':
    case 'schema':
      return false
  }
}

function hasMember(
  { members }: Extract<MemberShape, { kind: 'object' }>,
  name: string,
  value: unknown,
): boolean {
  const member = members.get(name)
  return member !== undefined && fits(value, member.shape)
}
