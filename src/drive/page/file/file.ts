/** Page of a file: its preview, versions, sharing, comments and activity. */
import { button, element } from '../../../web/page/elements.ts'
import { sizeText } from '../../../web/page/size.ts'
import { actionsFor } from '../actions/actions.ts'
import { activity, comments } from './activity.ts'
import { ITEM, type PageItem, filePath } from '../answers.ts'
import { conversions } from '../rules/rules.ts'
import { uploadArea } from '../upload/uploads.ts'
import { formats, isDocument } from './formats.ts'
import { attempt, dateText, panel } from '../panel.ts'
import { preview } from './preview.ts'
import { renameForm } from './save.ts'
import { formatPlace } from '../place.ts'
import { Refusal, call } from '../service.ts'
import { sharing } from './sharing.ts'
import { versions } from './versions.ts'

export function fetchItem(id: string): Promise<PageItem> {
  return call<PageItem>(filePath(id), { fields: ITEM })
}

/** `again` renders the page again. */
export function fileView(given: PageItem, again: () => Promise<void>): (Node | string)[] {
  let item = given
  const facts = element('p', { class: 'hint' }, describeItem(item))
  const ofContent = [
    panel('Preview', () => preview(item)),
    panel('Versions', () => versions(item, () => void changed())),
  ]
  const happened = panel('Activity', () => activity(item))
  const made = panel('Conversions', () => conversions(item))
  // most files have no conversions
  made.node.className = 'optional'
  const access = panel('Sharing', (reload) => sharing(item, reload))
  const said = panel('Comments', (reload) =>
    comments(item, async () => {
      await Promise.all([reload(), happened.reload()])
    }),
  )
  const changed = () =>
    attempt(undefined, async () => {
      item = await fetchItem(item.id)
      facts.textContent = describeItem(item)
      await Promise.all([...ofContent, made, happened].map((part) => part.reload()))
    })
  const mayUpload = item.capabilities['canModifyContent'] === true && !item.labels.trashed
  return [
    facts,
    element('div', { class: 'row' }, ...actionButtons(item, () => goOn(item, again))),
    renameForm(item, again),
    ...(isDocument(item) ? [panel('Formats', () => formats(item)).node] : []),
    ...(mayUpload ? [uploadArea({ file: item.id }, changed)] : []),
    ...[...ofContent, made, access, said, happened].map(({ node }) => node),
  ]
}

function actionButtons(item: PageItem, again: () => Promise<void>): HTMLElement[] {
  return actionsFor([item])
    .filter(({ isOfList }) => isOfList !== true)
    .map(({ text, run }, at) =>
      button(text, () => void run([item], again), at === 0 ? { class: 'main' } : {}),
    )
}

/** Reloads the page, or goes to the trash if the file was deleted. */
async function goOn({ id }: PageItem, again: () => Promise<void>): Promise<void> {
  try {
    await fetchItem(id)
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error
    location.hash = formatPlace({ kind: 'trash' })
    return
  }
  await again()
}

function describeItem({ fileSize, modifiedDate, lastModifyingUserName, mimeType, labels }: PageItem): string {
  return [
    ...(labels.trashed ? ['in the trash'] : []),
    ...(fileSize === undefined ? [] : [sizeText(Number(fileSize))]),
    mimeType,
    `changed ${dateText(modifiedDate)}${lastModifyingUserName === undefined ? '' : ` by ${lastModifyingUserName}`}`,
  ].join(' · ')
}
