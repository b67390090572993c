/** A file's content with one setting more, another, or one less.  [disk] */
import { existsSync } from 'node:fs'
import type { Option } from 'commander'
import { HlaError } from '../../../errors.ts'
import { collect, isListParser } from '../../options/options.ts'
import { readNamed } from '../../named-file.ts'
import { parse } from './config-file.ts'
import { settables, findSettables } from './settables.ts'

export interface Change {
  readonly key: string
  /** undefined: taken away. */
  readonly words: readonly string[] | undefined
  readonly profile: string | undefined
}

type Content = Readonly<Record<string, unknown>>

/** Empty where there is no file yet. */
export function readContent(path: string): Content {
  return existsSync(path) ? asContent(parse(path, readNamed(path))) : {}
}

/** @throws {HlaError} usage — several values where one belongs */
export function changed(content: Content, { key, words, profile }: Change): Content {
  const [, command, name = key] = /^([^.]+)\.(.+)$/.exec(key) ?? []
  const path = [
    ...(profile === undefined ? [] : ['profiles', profile]),
    ...(command === undefined ? [] : [command]),
    name,
  ]
  const [about] = findSettables(key, settables())
  return put(
    content,
    path,
    words === undefined || about === undefined ? undefined : parseValue(about.option, words),
  )
}

/** What is empty afterwards goes too. */
function put(content: Content, [name = '', ...below]: readonly string[], value: unknown): Content {
  const isThere = Object.hasOwn(content, name)
  const before = isThere ? content[name] : undefined
  const inside = below.length === 0 ? value : put(asContent(before), below, value)
  const { [name]: _, ...others } = content
  const isEmpty = inside === undefined || (below.length > 0 && Object.keys(asContent(inside)).length === 0)
  if (isEmpty) return others
  return isThere
    ? Object.fromEntries(Object.entries(content).map(([key, old]) => [key, key === name ? inside : old]))
    : { ...content, [name]: inside }
}

function parseValue({ required, optional, parseArg }: Option, words: readonly string[]): unknown {
  const [first = '', another] = words
  const isSwitch = !required && (!optional || ['true', 'false'].includes(first))
  if (isSwitch && (first === 'true' || first === 'false') && another === undefined) return first === 'true'
  if (parseArg === collect || isListParser(parseArg)) return words
  if (another === undefined) return first
  throw new HlaError('usage', `this setting takes one value, not ${words.length}`, {
    hint: 'separate the items of a list by commas',
  })
}

function asContent(value: unknown): Content {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
