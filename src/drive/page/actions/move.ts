/** Items are moved and copied to another folder. */
import { filePath, type PageItem } from '../answers.ts'
import { call } from '../service.ts'
import { chooseFolder, type Destination } from './destination.ts'
import { doWithEach } from './each.ts'

type Then = () => Promise<void>

export function chooseAndMove(items: readonly PageItem[], then: Then): void {
  const isItself = ({ id }: Destination) => items.some((item) => item.id === id)
  chooseFolder(`Move ${nameItems(items)}`, 'Move here', isItself, (to) => moveItems(items, to, then))
}

export function moveItems(items: readonly PageItem[], to: Destination, then: Then): Promise<void> {
  return doWithEach(
    items,
    `in ${to.title} now`,
    async (item) => {
      if (item.id === to.id) throw new Error('A folder cannot be put into itself.')
      if (item.parents.some(({ id }) => id === to.id)) throw new Error(`It is in ${to.title} already.`)
      const removeParents = item.parents.map(({ id }) => id).join(',')
      const query = {
        addParents: to.id,
        ...(removeParents === '' ? {} : { removeParents }),
        fields: 'id',
      }
      await call(filePath(item.id), query, {}, 'PATCH')
    },
    then,
  )
}

export function chooseAndCopy(items: readonly PageItem[], then: Then): void {
  chooseFolder(
    `Copy ${nameItems(items)}`,
    'Copy here',
    () => false,
    (to) => copyItems(items, to, then),
  )
}

function copyItems(items: readonly PageItem[], to: Destination, then: Then): Promise<void> {
  return doWithEach(
    items,
    `copied to ${to.title}`,
    ({ id, title, parents }) => {
      const isHere = parents.some((parent) => parent.id === to.id)
      const body = { title: isHere ? `Copy of ${title}` : title, parents: [{ id: to.id }] }
      return call(`${filePath(id)}/copy`, { fields: 'id' }, body)
    },
    then,
  )
}

export function nameItems(items: readonly PageItem[]): string {
  return items.length === 1 ? (items[0]?.title ?? '') : `${items.length} items`
}
