/** What a query parameter may say, read from its declaration. */
import { COMMON_PARAMETER_TABLE, PARAMETER_TABLE } from './parameter-table.ts'

export type ParameterName = keyof typeof PARAMETER_TABLE
export type CommonParameterName = keyof typeof COMMON_PARAMETER_TABLE
export type AnyParameterName = ParameterName | CommonParameterName

export interface Parameter {
  readonly name: AnyParameterName
  readonly type: 'string' | 'boolean' | 'int32' | 'int64'
  /** As it would stand in a query. */
  readonly standard: string | undefined
  readonly values: readonly string[] | undefined
  readonly least: number | undefined
  readonly most: number | undefined
  readonly isRequired: boolean
}

type Declared<T> = T extends `boolean${string}` ? boolean : T extends `int${string}` ? number : string

/** Values of a request, as their types say. A parameter that is absent and has no default is not there. */
export type ParameterValues = {
  readonly [Name in ParameterName]?: Declared<(typeof PARAMETER_TABLE)[Name]>
} & {
  readonly [Name in CommonParameterName]?: Declared<(typeof COMMON_PARAMETER_TABLE)[Name]>
}

const TABLE = { ...PARAMETER_TABLE, ...COMMON_PARAMETER_TABLE }

/** `name`, as the table declares it, or `name:declaration`. */
export function readParameter(word: string): Parameter {
  const [name = ''] = word.split(':', 1)
  if (!isParameterName(name)) throw new Error(`the table of parameters has no ${name}`)
  const text = word === name ? TABLE[name] : word.slice(name.length + 1)
  const found = DECLARATION.exec(text)?.groups
  const type = TYPES.find((known) => known === found?.['type'])
  if (found === undefined || type === undefined) throw new Error(`the table of parameters has ${text}`)
  return {
    name,
    type,
    standard: found['standard'],
    values: found['values']?.split(','),
    least: numberIn(found['least']),
    most: numberIn(found['most']),
    isRequired: text.endsWith('!'),
  }
}

const DECLARATION =
  /^(?<type>\w+)(?:=(?<standard>\w*))?(?:\{(?<values>[\w,]+)\})?(?:\[(?<least>\d*)\.\.(?<most>\d*)\])?!?$/

const TYPES = ['string', 'boolean', 'int32', 'int64'] as const

/** Those of every operation. */
export const COMMON_PARAMETERS: ReadonlyMap<AnyParameterName, Parameter> = new Map(
  Object.keys(COMMON_PARAMETER_TABLE).map((name) => {
    const parameter = readParameter(name)
    return [parameter.name, parameter]
  }),
)

function isParameterName(name: string): name is AnyParameterName {
  return Object.hasOwn(TABLE, name)
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text)
}
