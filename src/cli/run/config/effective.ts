/** Settings as they hold for the next command, each with its source: environment, profile, file or default. */
import type { ConfigFlags } from '../../options/declare/config.ts'
import { settingFiles } from '../setting-files.ts'
import { readConfigFile } from './config-file.ts'
import { findSetting, type Layer, orderLayers } from './layers.ts'
import { settingKey, type Settable, settables, findSettables } from './settables.ts'

export interface Effective {
  /** `release`, `redux.method` */
  readonly key: string
  readonly value: unknown
  /** For people; `default` where nothing sets it. */
  readonly source: string
}

/** In the order of the options; what is of one command alone behind what is of all. */
export function effective(flags: ConfigFlags): Effective[] {
  const all = settables()
  const layers = layersFor(flags)
  const scoped = [...new Set(layers.flatMap(({ settings }) => Object.keys(settings)))].filter((key) =>
    key.includes('.'),
  )
  const keys = [...new Set(all.map(({ option }) => settingKey(option))), ...scoped.toSorted()]
  return keys.map((key) => inForce(key, layers, all))
}

export function findEffective(key: string, flags: ConfigFlags): Effective {
  return inForce(key, layersFor(flags), settables())
}

function layersFor(flags: ConfigFlags): Layer[] {
  return orderLayers(
    settingFiles(flags).map((file) => readConfigFile(file)),
    flags.profile,
  )
}

function inForce(key: string, layers: readonly Layer[], all: readonly Settable[]): Effective {
  const about = findSettables(key, all)
  const variable = about
    .map(({ option }) => option.envVar)
    .find((name) => name !== undefined && name in process.env)
  if (variable !== undefined) return { key, value: process.env[variable], source: variable }
  const [, command = '', name = key] = /^([^.]+)\.(.+)$/.exec(key) ?? []
  const found = findSetting(layers, command, name)
  if (found !== undefined) return { key, value: found.value, source: found.layer.source }
  const [first] = about
  const { defaultValue, defaultValueDescription, negate } = first?.option ?? {}
  return {
    key,
    value: negate === true ? false : (defaultValueDescription ?? defaultValue),
    source: 'default',
  }
}
