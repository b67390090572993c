/** The colours that folders can have (spec 17), and the nearest of them to any other. */
import { invalid } from '../../contract/failure.ts'

export const FOLDER_COLORS: readonly string[] = [
  '#ac725e', '#d06b64', '#f83a22', '#fa573c', '#ff7537', '#ffad46', '#42d692', '#16a765',
  '#7bd148', '#b3dc6c', '#fbe983', '#fad165', '#92e1c0', '#9fe1e7', '#9fc6e7', '#4986e7',
  '#9a9cff', '#b99aff', '#8f8f8f', '#cabdbf', '#cca6ac', '#f691b2', '#cd74e6', '#a47ae2',
] // prettier-ignore

/** @throws 400 — not a colour `#rrggbb` */
export function nearestColor(text: string): string {
  const wanted = parseColor(text)
  if (wanted === undefined) throw invalid(`Not a colour: ${text}`, 'folderColorRgb')
  const distances = FOLDER_COLORS.map((color) => distance(parseColor(color) ?? [], wanted))
  return FOLDER_COLORS[distances.indexOf(Math.min(...distances))] ?? text
}

function parseColor(text: string): number[] | undefined {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text)
  return hex?.slice(1).map((part) => Number.parseInt(part, 16))
}

function distance(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, part, at) => sum + (part - (other[at] ?? 0)) ** 2, 0)
}
