/** A request in the languages that people ask from. */
import type { SampleRequest } from './sample-request.ts'

export const LANGUAGES = ['curl', 'Python', 'R', 'JavaScript'] as const
export type Language = (typeof LANGUAGES)[number]

/** Bodies that are files, by their type. */
const FILES: ReadonlyMap<string, string> = new Map([
  ['application/octet-stream', 'donors.csv'],
  ['application/jsonl', 'questions.jsonl'],
])

/** `page`: where the service is. */
export function formatSnippet(language: Language, request: SampleRequest, page: string): string {
  const url = new URL(request.path, page).href
  const file = FILES.get(request.type ?? '')
  const json = request.body === undefined || file !== undefined ? undefined : request.body
  const asked = { url, json, file, isJson: request.isJson }
  switch (language) {
    case 'curl':
      return curl(asked)
    case 'Python':
      return python(asked)
    case 'R':
      return r(asked)
    case 'JavaScript':
      return javaScript(asked)
  }
}

interface Asked {
  readonly url: string
  /** The body, of one of the two kinds, or of none. */
  readonly json: string | undefined
  readonly file: string | undefined
  readonly isJson: boolean
}

function curl({ url, json, file }: Asked): string {
  if (file !== undefined) return `curl '${url}' --data-binary @${file}`
  if (json === undefined) return `curl '${url}'`
  return `curl '${url}' -H 'content-type: application/json' \\\n  -d '${oneLine(json)}'`
}

function python({ url, json, file, isJson }: Asked): string {
  const send =
    json === undefined
      ? file === undefined
        ? ''
        : `, data=open("${file}", "rb")`
      : `, json=${oneLine(json)}`
  const ask = `requests.${send === '' ? 'get' : 'post'}("${url}"${send})`
  return `import requests\n\nanswer = ${ask}\nanswer.raise_for_status()\nprint(answer.${isJson ? 'json()' : 'text'})`
}

function r({ url, json, file, isJson }: Asked): string {
  const body =
    json === undefined
      ? file === undefined
        ? []
        : [`req_body_file("${file}")`]
      : [`req_body_raw('${oneLine(json)}', type = "application/json")`]
  const read = isJson ? 'resp_body_json()' : 'resp_body_string()'
  return `library(httr2)\n\n${[`request("${url}")`, ...body, 'req_perform()', read].join(' |>\n  ')}`
}

function javaScript({ url, json, file, isJson }: Asked): string {
  const open = file === undefined ? '' : `const { readFile } = await import('node:fs/promises')\n\n`
  const given =
    json === undefined
      ? file === undefined
        ? ''
        : `, {\n  method: 'POST',\n  body: await readFile('${file}'),\n}`
      : `, {\n  method: 'POST',\n  headers: { 'content-type': 'application/json' },\n  body: JSON.stringify(${oneLine(json)}),\n}`
  return `${open}const answer = await fetch('${url}'${given})\nconsole.log(await answer.${isJson ? 'json()' : 'text()'})`
}

function oneLine(json: string): string {
  return JSON.stringify(JSON.parse(json))
}
