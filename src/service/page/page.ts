/** The page: which release answers, the two forms, what is pressed. */
import type { Version } from './answers.ts'
import { byId, part } from '../../web/page/elements.ts'
import { chosenLevel, prepareAntigenLevel } from './antigen-level.ts'
import { send, useToken } from './service.ts'
import { prepareTableForm } from './table-form.ts'
import { lookUp } from './typing.ts'

let release = 'this release'

const typing = byId('typing', HTMLTextAreaElement)

prepareTableForm()
sayWrongLink(prepareAntigenLevel(lookAgain))
part('typing-form').addEventListener('submit', (event) => {
  event.preventDefault()
  look()
})
// a GL String has one line
typing.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.isComposing) return
  event.preventDefault()
  byId('typing-form', HTMLFormElement).requestSubmit()
})
typing.addEventListener('paste', () => setTimeout(look))
for (const example of part('examples').querySelectorAll('button')) {
  example.addEventListener('click', () => use(example.textContent ?? ''))
}
part('token-form').addEventListener('submit', (event) => {
  event.preventDefault()
  useToken(byId('token', HTMLInputElement).value)
  void introduce()
})
void introduce()

function look(): void {
  const text = typing.value.trim()
  if (text === '') return
  const accept = byId('lenient', HTMLInputElement).checked ? ['all'] : undefined
  void lookUp({ text, accept, antigens: chosenLevel() }, release, use)
}

/** What is shown is of another level. */
function lookAgain(): void {
  if (!part('meaning').hidden) look()
}

function sayWrongLink(text: string | undefined): void {
  if (text === undefined) return
  const status = part('typing-status')
  status.className = 'failed'
  status.textContent = text
}

function use(text: string): void {
  typing.value = text
  look()
  typing.focus()
}

/** Who answers, from which data. */
async function introduce(): Promise<void> {
  try {
    const answer = await send('version')
    const version = (await answer.json()) as Version // its output schema
    release = version.release
    const codes = version.mac_codes ?? 0
    const starter = version.dataset === 'starter'
    part('release').textContent = [
      `${starter ? 'starter set of ' : ''}IPD-IMGT/HLA ${release}`,
      ...(codes === 0 ? [] : [`${codes.toLocaleString('en')} codes of ${version.mac_date}`]),
    ].join(' · ')
    part('starter').hidden = !starter
    part('install').textContent = `hla data install ${release}`
    part('identity').textContent = `hla ${version.hla_version} · ${version.data_id ?? `${release}+starter`}`
  } catch (error) {
    part('release').textContent = error instanceof Error ? error.message : String(error)
  }
}
